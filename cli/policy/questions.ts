/** Reads commands to judge, one a line. */

import {z} from 'zod';

import {t} from '../../machines/message.ts';
import {usageError} from '../line/usage-error.ts';
import type {Input} from '../terminal.ts';

const questionSchema = z.object({
  command: z.string().regex(/\S/, 'is blank'),
  request: z.string().nullish(),
});

export interface Question {
  readonly command: string;
  readonly request?: string;
}

/** Bytes. Policies analyse only much shorter commands. */
const maxLine = 1_000_000;

/** Yields each question as soon as its line is read. Throws AppError `usage` that names the line for an empty question. */
export async function* questionsIn(stdin: Input): AsyncGenerator<Question> {
  let number = 0;
  for await (const bytes of linesIn(stdin)) {
    number += 1;
    const line = lineText(bytes, number);
    if (line.trim() !== '') yield readQuestion(line, number);
  }
}

async function* linesIn(stdin: Input): AsyncGenerator<Buffer> {
  const begun: Buffer[] = [];
  let length = 0;
  const end = (rest: Buffer): Buffer => {
    length = 0;
    return Buffer.concat([...begun.splice(0), rest]);
  };
  for await (const chunk of stdin) {
    let left = Buffer.from(chunk);
    for (let at = left.indexOf('\n'); at >= 0; at = left.indexOf('\n')) {
      yield end(left.subarray(0, at));
      left = left.subarray(at + 1);
    }
    length += left.length;
    if (length > maxLine) yield end(left);
    else begun.push(left);
  }
  yield end(Buffer.of());
}

/** Invalid UTF-8 would be judged as a different text from the one that runs. */
function lineText(bytes: Buffer, number: number): string {
  if (bytes.length > maxLine) {
    throw usageError(t`line ${number} of standard input is longer than ${maxLine} bytes`);
  }
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    throw usageError(t`line ${number} of standard input is not UTF-8 text`);
  }
}

function readQuestion(line: string, number: number): Question {
  const parsed = questionSchema.safeParse(jsonOf(line));
  if (!parsed.success) {
    throw usageError(t`line ${number} of standard input is not {"command": "…", "request": "…"}`);
  }
  const {command, request} = parsed.data;
  return {command, ...(request ? {request} : {})};
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Commands to be judged, one a line. */

import {createInterface} from 'node:readline';

import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Input} from '../terminal.ts';

const questionSchema = z.object({
  command: z.string().regex(/\S/, 'is blank'),
  request: z.string().nullish(),
});

export interface Question {
  readonly command: string;
  readonly request?: string;
}

/** Each as soon as its line is there. Throws AppError `usage` that names the line for one that asks nothing. */
export async function* questionsIn(stdin: Input): AsyncGenerator<Question> {
  let number = 0;
  for await (const line of createInterface({input: stdin, crlfDelay: Infinity})) {
    number += 1;
    if (line.trim() !== '') yield read(line, number);
  }
}

function read(line: string, number: number): Question {
  const parsed = questionSchema.safeParse(jsonOf(line));
  if (!parsed.success) {
    throw new AppError(
      'usage',
      `line ${number} of standard input is no {"command": "…", "request": "…"}`,
    );
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

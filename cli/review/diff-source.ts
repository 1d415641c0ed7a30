/** Reads the diff of a review: from a file, standard input, or the working tree against a revision. */

import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';

import type {FileDiff} from '../../machines/domain/patch.ts';
import {t} from '../../machines/message.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {readPatch} from '../../tools/text/patch.ts';
import {isGiven, readBytes} from '../line/standard-input.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';
import type {Input} from '../terminal.ts';

const maxBytes = 33_554_432;

export interface DiffWanted {
  /** `--diff`; `-` is standard input. */
  readonly file?: string | undefined;
  /** `--base`. */
  readonly base?: string | undefined;
  /** Absolute: the folder to work in. */
  readonly cwd: string;
}

/** Rejects with AppError `usage` when there is no readable diff. */
export async function readDiff(
  {file, base, cwd}: DiffWanted,
  stdin: Input,
): Promise<readonly FileDiff[]> {
  if (file !== undefined && base !== undefined) {
    throw usageError(t`a review has one diff: name it with --diff or with --base`);
  }
  if (base !== undefined) {
    const {diffAgainst} = await import('./git.ts');
    return await diffAgainst(base, cwd);
  }
  if (file !== undefined && file !== '-') return await readPatch(readDiffFile(resolve(cwd, file)));
  if (file === undefined && !isGiven(stdin)) throw noDiff;
  const bytes = await readBytes(stdin, t`the diff on standard input`, maxBytes);
  return await readPatch(toText(bytes));
}

const noDiff = usageError(
  t`there is no diff; write: git diff main | quorate review, quorate review --diff FILE, or quorate review --base REV`,
);

function readDiffFile(path: string): string {
  try {
    return toText(readFileSync(openable(path)));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(t`the diff ${oneLine(path)} can't be read: ${oneLine(why)}`);
  }
}

/** Files in other encodings are accepted: bytes that are not UTF-8 become U+FFFD. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

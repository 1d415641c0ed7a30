/** The file that `quorate init` writes: the draft, a marker, and below it the lines that a person wrote. */

import {AppError} from '../../machines/domain/app-error.ts';
import {type Attempt} from '../../tools/containment/denial.ts';
import {escapeForTerminal} from '../../tools/escape.ts';
import {decodedText} from '../../tools/read/read.ts';
import {unifiedDiff} from '../../tools/write/diff.ts';
import {baseOf, readForWrite, writeInside} from '../../tools/write/write.ts';

export const contextPath = '.quorate/context.md';

const marker = '<!-- quorate init --force keeps what is below this line -->';

export interface CurrentFile {
  /** Undefined if there is none. */
  readonly text: string | undefined;
  /** The state that the file must still have when it is replaced. */
  readonly base: string;
}

/** Throws AppError `io` for a link, for what is not a regular file, and for a file that is not text. */
export function currentFile(workspace: string): CurrentFile {
  const {before} = demand(readForWrite(workspace, contextPath));
  return {text: before && demand(decodedText(before)), base: baseOf(before)};
}

/** The content of the file with a new draft. Lines below the marker of the current text are kept. */
export function withDraft(draft: string, current: string | undefined): string {
  const lines = escapeForTerminal(draft.replaceAll('\r\n', '\n')).split('\n');
  const own = lines.filter((line) => line.trim() !== marker).join('\n');
  return `${own.trim()}\n\n${marker}\n${keptOf(current)}`;
}

function keptOf(current = ''): string {
  const lines = current.split(/(?<=\n)/);
  const at = lines.findIndex((line) => line.trim() === marker);
  return at < 0 ? '' : lines.slice(at + 1).join('');
}

/** The lines of a unified diff. */
export async function changeLines(
  before: string | undefined,
  after: string,
): Promise<readonly string[]> {
  return (await unifiedDiff(contextPath, before, after)).split('\n');
}

/** Rejects with AppError `io`, also if the file has changed since `current`. */
export async function replaceContextFile(
  workspace: string,
  content: string,
  {base}: CurrentFile,
): Promise<void> {
  const order = {workspace, path: contextPath, content, createDirs: true, basedOn: base};
  demand(await writeInside(order));
}

function demand<Value>(attempted: Attempt<Value>): Value {
  if (attempted.ok) return attempted.value;
  throw new AppError('io', `${contextPath}: ${attempted.denial.message}`);
}

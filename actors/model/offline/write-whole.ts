/** The way in which skills write a file: what stands there is read first, so that nothing is replaced unseen. */

import {readListing} from './listing.ts';
import {type Answer, done, refusal, type Report, type Steps, type Use, type Work} from './skill.ts';

/** Looks whether a file exists: glob characters in its name are escaped by brackets. */
export function lookFor(path: string): Use {
  return {tool: 'glob_search', args: {pattern: path.replaceAll(/[*?[{]/g, '[$&]')}};
}

/** How many bytes a file has; undefined when it was not found. */
export function sizeOf(path: string, answer: Answer | undefined): number | undefined {
  const plain = path.replace(/^\.\//, '');
  return readListing(answer?.text ?? '').files.find((file) => file.path === plain)?.bytes;
}

export function exists(path: string, answer: Answer | undefined): boolean {
  return sizeOf(path, answer) !== undefined;
}

export interface OldFile {
  /** Undefined when there is none. */
  readonly text?: string;
}

/** What stands in a file, if it exists; a report when it can't be read. */
export function* readOld(path: string): Steps<OldFile | Report> {
  const [listed] = yield [lookFor(path)];
  if (!exists(path, listed)) return {};
  const [old] = yield [{tool: 'read_file', args: {path, limit: 100_000}}];
  if (!old || old.isError)
    return refusal(`${path} exists and can't be read, so it was not touched`, old);
  return {text: old.text};
}

export function isReport(value: OldFile | Report): value is Report {
  return 'isDone' in value;
}

/** The line ends that a text has; those of a new one are `\n`. */
export function lineEnd(text: string | undefined): '\n' | '\r\n' {
  return text !== undefined && /\r\n/.test(text) ? '\r\n' : '\n';
}

export function withLineEnds(text: string, end: '\n' | '\r\n'): string {
  return end === '\n' ? text : text.replaceAll(/\r?\n/g, end);
}

/** Writes a whole file, with the line ends of the one that it replaces, and reports, ending with `summary`. */
export function* writeWhole(path: string, content: string, summary: string): Work {
  const old = yield* readOld(path);
  if (isReport(old)) return old;
  const text = withLineEnds(content, lineEnd(old.text));
  if (old.text === text) return done(`${path} is up to date already. ${summary}`);
  const [written] = yield [{tool: 'write_file', args: {path, content: text, create_dirs: true}}];
  if (!written || written.isError) return refusal(`${path} was not written`, written);
  return done(`Wrote ${path}. ${summary}`);
}

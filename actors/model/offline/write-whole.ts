/** The way in which skills write a file: what stands there is read first, so that nothing is replaced unseen. */

import {passageBetween} from '../../../tools/text/passage-between.ts';
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
  readonly text?: string | undefined;
}

/** The text of each file that exists, in order; a report when one can't be read. */
export function* readAll(paths: readonly string[]): Steps<readonly OldFile[] | Report> {
  const listed = yield paths.map(lookFor);
  const there = paths.filter((path, index) => exists(path, listed[index]));
  if (there.length === 0) return paths.map(() => ({}));
  const read = yield there.map((path) => ({tool: 'read_file', args: {path, limit: 100_000}}));
  const bad = there.findIndex((_, index) => read[index]?.isError !== false);
  if (bad >= 0)
    return refusal(`${there[bad]} exists and can't be read, so it was not touched`, read[bad]);
  const texts = new Map(there.map((path, index) => [path, read[index]?.text ?? '']));
  return paths.map((path) => ({text: texts.get(path)}));
}

export function* readOld(path: string): Steps<OldFile | Report> {
  const files = yield* readAll([path]);
  return isReport(files) ? files : (files[0] ?? {});
}

export function isReport(value: OldFile | readonly OldFile[] | Report): value is Report {
  return 'isDone' in value;
}

/** The line ends that a text has; those of a new one are `\n`. */
export function lineEnd(text: string | undefined): '\n' | '\r\n' {
  return text !== undefined && /\r\n/.test(text) ? '\r\n' : '\n';
}

export function withLineEnds(text: string, end: '\n' | '\r\n'): string {
  return end === '\n' ? text : text.replaceAll(/\r?\n/g, end);
}

export function editUse(path: string, before: string, after: string): Use {
  return {tool: 'edit_file', args: {path, ...passageBetween(before, after)}};
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

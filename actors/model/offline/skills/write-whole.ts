/** Writes files for skills. An existing file is read first, so that no unknown content is overwritten. */

import {passageBetween} from '../../../../tools/text/passage-between.ts';
import {readListing} from '../listing.ts';
import {type Answer, done, refusal, type Report, type Steps, type Use, type Work} from './skill.ts';

/** A search for the file itself: glob characters in its name are escaped by brackets. */
export function lookFor(path: string): Use {
  return {tool: 'glob_search', args: {pattern: path.replaceAll(/[*?[{]/g, '[$&]')}};
}

export function exists(path: string, answer: Answer | undefined): boolean {
  const plain = path.replace(/^\.\//, '');
  return readListing(answer?.text ?? '').files.some((file) => file.path === plain);
}

export interface OldFile {
  readonly text?: string | undefined;
}

/** Reads files to their ends, in as many parts as needed. A part that can't be read is the answer for its file. */
export function* readWhole(paths: readonly string[]): Steps<readonly Answer[]> {
  let answers = yield paths.map((path) => readUse(path));
  for (let part = 1; part < maxParts; part += 1) {
    const rests = answers.map(({text, isError}) => (isError ? undefined : restOf(text)));
    const open = paths.flatMap((path, index) => {
      const offset = rests[index];
      return offset === undefined ? [] : [{index, use: readUse(path, offset)}];
    });
    if (open.length === 0) break;
    const more = yield open.map(({use}) => use);
    answers = answers.map((answer, index) => {
      const next = more[open.findIndex((each) => each.index === index)];
      if (!next || next.isError) return next ?? answer;
      return {
        ...next,
        text: `${answer.text.slice(0, answer.text.lastIndexOf('[lines '))}${next.text}`,
      };
    });
  }
  return answers;
}

/** Longer files are not read whole. */
const maxParts = 20;

function readUse(path: string, offset?: number): Use {
  const args = {path, limit: 100_000, ...(offset === undefined ? {} : {offset})};
  return {tool: 'read_file', args};
}

/** The number of the line with which reading continues. */
function restOf(text: string): number | undefined {
  const offset = /\n\[lines \d+ to \d+ of \d+; read on with offset (\d+)\]$/.exec(text)?.[1];
  return offset === undefined ? undefined : Number(offset);
}

/** The text of each file, in order, without a text if it does not exist; a report if a file cannot be read. */
export function* readAll(paths: readonly string[]): Steps<readonly OldFile[] | Report> {
  const listed = yield paths.map(lookFor);
  const there = paths.filter((path, index) => exists(path, listed[index]));
  if (there.length === 0) return paths.map(() => ({}));
  const read = yield* readWhole(there);
  const bad = there.findIndex((_, index) => read[index]?.isError !== false);
  if (bad >= 0)
    return refusal(`${there[bad]} exists but can't be read, so it was not changed`, read[bad]);
  const texts = new Map(there.map((path, index) => [path, read[index]?.text ?? '']));
  return paths.map((path) => ({text: texts.get(path)}));
}

export function editUse(path: string, before: string, after: string): Use {
  return {tool: 'edit_file', args: {path, edits: [passageBetween(before, after)]}};
}

/** Overwrites a file, with the line ends of the old one. */
export function* writeOver(path: string, text: string, old: OldFile, report: string): Work {
  const content = withLineEnds(text, old);
  const [written] = yield [{tool: 'write_file', args: {path, content, create_dirs: true}}];
  return !written || written.isError ? refusal(`${path} was not written`, written) : done(report);
}

function withLineEnds(content: string, {text = ''}: OldFile): string {
  return text.includes('\r\n') ? content.replaceAll(/\r?\n/g, '\r\n') : content;
}

export function* writeWhole(path: string, content: string, summary: string): Work {
  const files = yield* readAll([path]);
  if ('isDone' in files) return files;
  const [old = {}] = files;
  return old.text === withLineEnds(content, old)
    ? done(`${path} is up to date already. ${summary}`)
    : yield* writeOver(path, content, old, `Wrote ${path}. ${summary}`);
}

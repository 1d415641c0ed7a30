/**
 * The table of programs, from the text files of `programs/`. A program is parsed on first use. The format is
 * described in `programs/README.md`.
 */

import {didYouMean} from '../../../machines/domain/nearest.ts';
import type {Program, Refinements} from '../program.ts';
import {parseEntry} from './entry.ts';
import {faultAt, type Line, parseLines} from './lines.ts';

export interface ProgramTable {
  /** Undefined for a name that is not in the table. Throws for a program with a fault, which the tests rule out. */
  readonly get: (name: string) => Program | undefined;
  readonly has: (name: string) => boolean;
  readonly keys: () => Iterable<string>;
}

/** A program or a group: the part of a text from its line to the next program or group. */
interface Block {
  readonly file: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Throws `FILE:LINE: …` for a file that does not begin with a program or a group, or for a duplicate name.
 *
 * @param texts By file name.
 */
export function createProgramTable(
  texts: Readonly<Record<string, string>>,
  refinements: Refinements,
): ProgramTable {
  const {programs, groups} = indexOf(texts);
  const parsed = new Map<Block, Program>();
  const include = (line: Line): readonly Line[] => {
    const [, name = '', ...more] = line.words;
    const group = groups.get(name);
    if (!group || more.length > 0)
      throw faultAt(
        line,
        `unknown group "${line.words.slice(1).join(' ')}"${didYouMean(name, groups.keys())}`,
      );
    return linesOf(group).lines;
  };
  const parse = (block: Block): Program => {
    const {words, lines} = linesOf(block);
    const program = {name: words.slice(1), ...parseEntry(lines, {include, refinements})};
    parsed.set(block, program);
    return program;
  };
  return {
    get: (name) => {
      const block = programs.get(name);
      return block && (parsed.get(block) ?? parse(block));
    },
    has: (name) => programs.has(name),
    keys: () => programs.keys(),
  };
}

/** Lines of parsed blocks: several programs may include the same group. */
const parsedLines = new WeakMap<Block, Line>();

function linesOf(block: Block): Line {
  const line = parsedLines.get(block) ?? parseBlock(block);
  parsedLines.set(block, line);
  return line;
}

function parseBlock({file, text, start, end}: Block): Line {
  const before = text.slice(0, start).split('\n').length;
  const [first, next] = parseLines(file, text.slice(start, end), before);
  if (!first || next)
    throw faultAt(next ?? {file, number: before}, 'expected "program" or "group"');
  return first;
}

/** The position of each program and group by name. Only the lines with their names are parsed. */
function indexOf(texts: Readonly<Record<string, string>>) {
  const index = {program: new Map<string, Block>(), group: new Map<string, Block>()};
  for (const [file, text] of Object.entries(texts)) {
    const found = [...text.matchAll(/^(program|group) ((?:.*\\\n)*.*)/gm)];
    const [odd] = parseLines(file, text.slice(0, found[0]?.index));
    if (odd) throw faultAt(odd, 'expected "program" or "group"');
    for (const [at, match] of found.entries()) {
      const end = found[at + 1]?.index ?? text.length;
      const [, kind, names = ''] = match;
      if (kind === 'program' || kind === 'group')
        addNames(index[kind], {file, text, start: match.index, end}, names);
    }
  }
  return {programs: index.program, groups: index.group};
}

function addNames(known: Map<string, Block>, block: Block, names: string): void {
  for (const name of names.split(/[\s\\]+/)) {
    const other = known.get(name);
    if (other) throw new Error(`${block.file}: "${name}" is in ${other.file} already`);
    known.set(name, block);
  }
}

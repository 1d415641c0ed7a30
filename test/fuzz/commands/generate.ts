/** Random commands of the programs that the table knows, from the table's own data. */

import {slotsOf} from '../../../tools/commands/program-operands.ts';
import type {Program} from '../../../tools/commands/program.ts';
import type {ProgramTable} from '../../../tools/commands/table/program-table.ts';
import {createDice, type Roll} from '../../support/dice.ts';
import {historyLine} from './histories.ts';
import {pick, placeWord, quote, textWord, weigh} from './words.ts';

type Entry = Omit<Program, 'name'>;

interface Maker {
  readonly roll: Roll;
  readonly programs: ProgramTable;
  /** Programs that are chosen more often because they can run here. */
  readonly names: readonly string[];
}

/** The given number of different commands; the same for the same seed. */
export function generateCommands(
  programs: ProgramTable,
  installed: readonly string[],
  {count, seed}: {readonly count: number; readonly seed: number},
): readonly string[] {
  const known = [...programs.keys()];
  const here = known.filter((name) => installed.includes(name));
  const names = [...known, ...Array.from({length: 6}, () => here).flat()];
  const maker = {roll: createDice(seed), programs, names};
  const made = new Set<string>();
  while (made.size < count) made.add(line(maker));
  return [...made];
}

function line(maker: Maker): string {
  const {roll} = maker;
  const one = () => simple(maker, 0);
  const make = weigh<() => string>(roll, [
    [60, one],
    [
      10,
      () =>
        `${one()} ${pick(roll, ['>', '>>', '2>', '>|', '&>', '2>&1 >', '1<>'])} ${placeWord(roll)}`,
    ],
    [4, () => `${one()} < ${placeWord(roll)}`],
    [10, () => `${one()} | ${one()}`],
    [8, () => `${one()} ${pick(roll, ['&&', '||', ';', '&', '\n'])} ${one()}`],
    [6, () => `cd ${placeWord(roll)} && ${one()}`],
    [5, () => `X=${placeWord(roll)}; ${one()} $X`],
    [3, () => `X=${placeWord(roll)} ${one()}`],
    [3, () => `for f in ${placeWord(roll)} ${placeWord(roll)}; do ${one()} "$f"; done`],
    [2, () => `if ${one()}; then ${one()}; fi`],
    [2, () => `(${one()}; ${one()}) > ${placeWord(roll)}`],
    [3, () => `${one()} "$(${one()})"`],
    [2, () => `${one()} <<'E'\n${pick(roll, ['foo', 'touch new.txt', 'a b', '.'])}\nE`],
    [2, () => `f() { ${one()}; }; f ${placeWord(roll)}`],
    [12, () => historyLine(roll)],
    [1, () => `while read -r l; do ${one()} "$l"; done < ${placeWord(roll)}`],
  ]);
  return make();
}

function simple(maker: Maker, depth: number): string {
  const name = pick(maker.roll, maker.names);
  const program = maker.programs.get(name);
  return program ? `${name}${wordsOf(maker, program, name, depth)}` : name;
}

/** The words after the name, each with a blank before it. */
function wordsOf(maker: Maker, entry: Entry, name: string, depth: number): string {
  const {roll} = maker;
  const options = optionsOf(entry.options).filter(
    ({names}) => !/^--(?:help|version)$/.test(names[0] ?? ''),
  );
  const given = Array.from(
    {
      length: weigh(roll, [
        [4, 0],
        [5, 1],
        [3, 2],
        [1, 3],
      ]),
    },
    () =>
      options.length === 0 ? undefined : option(maker, pick(roll, options), {entry, name, depth}),
  ).filter((text) => text !== undefined);
  const below = subcommand(maker, entry, name, depth);
  const operands = below ?? operandWords(maker, entry, name, depth);
  const words = [...given, ...(roll(12) === 0 ? ['--'] : []), ...operands];
  return words.map((word) => ` ${word}`).join('');
}

function subcommand(
  maker: Maker,
  entry: Entry,
  name: string,
  depth: number,
): readonly string[] | undefined {
  const all = Object.entries(entry.subcommands ?? {});
  if (all.length === 0) return undefined;
  const [names, below] = pick(maker.roll, all);
  const chosen = pick(maker.roll, names.split(' '));
  return [`${chosen}${wordsOf(maker, below, name, depth)}`];
}

function operandWords(maker: Maker, entry: Entry, name: string, depth: number): readonly string[] {
  const {roll} = maker;
  const words = slotsOf(entry.operands).flatMap(({role, count}) => {
    const least = count === '' || count === '+' ? 1 : 0;
    const more = count === '*' || count === '+' ? roll(3) : count === '?' ? roll(2) : 0;
    return Array.from({length: least + more}, () => wordFor(maker, role, name, depth));
  });
  if (roll(15) === 0) return [...words, placeWord(roll)];
  return roll(20) === 0 ? words.slice(1) : words;
}

const wordsFor: Readonly<Record<string, (maker: Maker, name: string, depth: number) => string>> = {
  text: ({roll}, name) => textWord(roll, name),
  unjudged: ({roll}, name) => textWord(roll, name),
  command: (maker, _, depth) => (depth > 1 ? 'true' : simple(maker, depth + 1)),
  shell: (maker, _, depth) =>
    depth > 1 ? 'true' : `'${simple(maker, depth + 1).replaceAll("'", '"')}'`,
  fetches: ({roll}) => textWord(roll, 'curl'),
  sends: ({roll}) => textWord(roll, 'curl'),
  from: ({roll}) => quote(roll, pick(roll, ['src', 'dist', '..', 'packages/app', 'evil', '/'])),
  script: ({roll}) => pick(roll, ['scripts/build.sh', 'scripts/run.sh', 'evil.sh', 'new.sh']),
  code: ({roll}) => pick(roll, ['scripts/gen.js', 'evil.js', 'app.py', 'dist/main.js']),
  'package-script': ({roll}) => pick(roll, ['test', 'build', 'clean', 'lint', 'nothing']),
  'package-command': ({roll}) =>
    pick(roll, ['tsc --noEmit', 'eslint src', 'prettier --check .', 'rimraf src', 'frob']),
};

function wordFor(maker: Maker, role: string, name: string, depth: number): string {
  const make = wordsFor[role];
  if (make) return make(maker, name, depth);
  return maker.roll(8) === 0 ? textWord(maker.roll, name) : placeWord(maker.roll);
}

interface Option {
  readonly names: readonly string[];
  readonly role: string | undefined;
  readonly isAttached: boolean;
}

function optionsOf(text = ''): readonly Option[] {
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [names = '', value] = part.split('=', 2);
      return {
        names: names.split('|'),
        role: value?.replace('?', ''),
        isAttached: value?.startsWith('?') === true,
      };
    });
}

interface Within {
  readonly entry: Entry;
  readonly name: string;
  readonly depth: number;
}

function option(maker: Maker, {names, role, isAttached}: Option, within: Within): string {
  const {roll} = maker;
  const chosen = pick(roll, names);
  if (chosen === '*') return pick(roll, ['-x', '--frob', '-o new.txt', '--output=new.txt']);
  if (chosen === '-NUM') return `-${roll(20)}`;
  const shown = roll(40) === 0 && chosen.startsWith('--') ? chosen.slice(0, -1) : chosen;
  if (role === undefined) return clustered(roll, shown, within.entry);
  if (isAttached && roll(3) === 0) return shown;
  const value = wordFor(maker, role, within.name, within.depth);
  const isApart = !isAttached && roll(2) === 0;
  return `${shown}${isApart ? ' ' : glueOf(shown, within.entry)}${value}`;
}

function glueOf(name: string, {style}: Entry): string {
  if (name.startsWith('--')) return '=';
  return style === 'single' ? ' ' : '';
}

/** Sometimes appends another flag of one letter. */
function clustered(roll: Roll, name: string, {options, style}: Entry): string {
  if (style === 'single' || !/^-\w$/.test(name) || roll(4) > 0) return name;
  const letters = optionsOf(options)
    .flatMap(({names}) => names)
    .filter((other) => /^-\w$/.test(other));
  return `${name}${pick(roll, letters).slice(1)}`;
}

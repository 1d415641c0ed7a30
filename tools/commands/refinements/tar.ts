/** tar: the files that go into an archive, and the places where it extracts files. */

import {sortArguments} from '../program-arguments.ts';
import type {Act, Arguments, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure, valuesOf} from './given.ts';
import {act, has} from './refine.ts';

const options = [
  '-c|--create -x|--extract|--get -t|--list -r|--append -u|--update -d|--diff|--compare',
  '-f|--file=text -C|--directory=text -z|--gzip|--gunzip -j|--bzip2 -J|--xz --zstd --lzma',
  '-a|--auto-compress -Z|--compress -v|--verbose -p|--preserve-permissions|--same-permissions',
  '-k|--keep-old-files --skip-old-files --keep-newer-files -m|--touch -O|--to-stdout',
  '-h|--dereference --exclude=text -X|--exclude-from=reads --exclude-vcs --exclude-vcs-ignores',
  '--exclude-caches --strip-components=text --wildcards --no-wildcards --anchored --no-anchored',
  '--numeric-owner --owner=text --group=text --mode=text --mtime=text --sort=text',
  '--no-same-owner --no-same-permissions -o --no-recursion --totals --utc --overwrite',
  '--format=text -S|--sparse -i|--ignore-zeros --ignore-failed-read --warning=text --version',
  '--help',
].join(' ');

/** `tar xzf a.tgz`: letters without a dash; their values follow in order. */
function dashed(args: readonly Word[]): readonly Word[] {
  const [first, ...rest] = args;
  if (!first?.known || !/^[A-Za-z]+$/.test(first.text)) return args;
  const letters = Array.from(first.text, (letter) => wordOf(`-${letter}`));
  const taken = letters.filter(({text}) => /[fCXbHIKLNTVgF]/.test(text)).length;
  let next = 0;
  const pairs = letters.flatMap((letter) => {
    if (!/[fCXbHIKLNTVgF]/.test(letter.text)) return [letter];
    const value = rest[next];
    next += 1;
    return value ? [letter, value] : [letter];
  });
  return [...pairs, ...rest.slice(taken)];
}

const modes: readonly (readonly [string, (given: Arguments) => readonly Act[]])[] = [
  ['-c --create', (given) => [...archivesOf(given, 'writes'), ...contents(given)]],
  ['-r --append -u --update', (given) => [...archivesOf(given, 'appends'), ...contents(given)]],
  ['-d --diff --compare', (given) => [...archivesOf(given, 'reads'), ...contents(given)]],
  ['-t --list', (given) => archivesOf(given, 'reads')],
  ['-x --extract --get', (given) => [...archivesOf(given, 'reads'), ...extracted(given)]],
];

function archivesOf(given: Arguments, role: Act['role']): readonly Act[] {
  return valuesOf(given, '-f --file')
    .filter(({text}) => text !== '-')
    .map((word) => act(role, word));
}

function contents(given: Arguments): readonly Act[] {
  const folders = valuesOf(given, '-C --directory');
  // Operands before `-C` are relative to the starting folder: both folders are named.
  return given.operands.flatMap((word) => [
    act('reads-tree', word),
    ...folders.map((from): Act => ({role: 'reads-tree', word, from})),
  ]);
}

function extracted(given: Arguments): readonly Act[] {
  if (has(given, '-O --to-stdout')) return [];
  const [folder = wordOf('.')] = valuesOf(given, '-C --directory');
  return [act('writes-tree', folder)];
}

function readTar(reading: Reading, args: readonly Word[]): Reading {
  const split = sortArguments({options}, dashed(args), Infinity);
  if (has(split, '--version --help') && split.unknown.length === 0) return {...reading, acts: []};
  const chosen = modes.filter(([names]) => has(split, names));
  const archives = valuesOf(split, '-f --file');
  const remote = archives.find((word) => !isSure(word) || word.text.includes(':'));
  const lists = valuesOf(split, '-X --exclude-from').map((word) => act('reads', word));
  const faults = [
    ...(chosen.length === 1 ? [] : [{word: 'tar', why: 'does not say one thing to do'}]),
    ...(remote ? [{word: remote.text, why: 'may be on another computer'}] : []),
    ...(archives.length > 1 || valuesOf(split, '-C --directory').length > 1
      ? [{word: 'tar', why: 'has a -f or a -C twice'}]
      : []),
  ];
  return {
    ...reading,
    acts: [...lists, ...chosen.flatMap(([, actsOf]) => actsOf(split))],
    unknown: [...split.unknown, ...faults],
  };
}

export const tar: Refinements = {
  readTar: (reading, {args}) => readTar(reading, args),
};

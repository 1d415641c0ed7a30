/** Programs that make, copy, move and delete files. */

import type {Act, Arguments, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {bytesOf, fitting, isSure, mostBytes, valueOf} from './given.ts';
import {act, has, withActs, withUnknown} from './refine.ts';

const about = '--help --version';

function isNothing({known, text}: Word): boolean {
  return known && text === '/dev/null';
}

/** The sources to copy or move, and the target: after `-t`, or the last operand. */
function partedOf(given: Arguments): {readonly sources: readonly Word[]; readonly target: Word} {
  const folder = valueOf(given, '-t --target-directory');
  const {operands} = given;
  if (folder) return {sources: operands, target: folder};
  return {sources: operands.slice(0, -1), target: operands.at(-1) ?? wordOf('.')};
}

function copied(
  reading: Reading,
  given: Arguments,
  {from, isTree}: {from: Act['role']; isTree: boolean},
): Reading {
  if (reading.unknown.length > 0) return reading;
  const {sources, target} = partedOf(given);
  const keeps = has(given, '-n --no-clobber');
  // On other systems `cp -R a/ b` copies the content of a into b itself.
  const isMerged = isTree && sources.some(({text}) => text.endsWith('/'));
  const into = isMerged || has(given, '-T --no-target-directory') ? {} : {into: sources};
  const role = sources.some(isNothing)
    ? 'empties'
    : isTree
      ? 'writes-tree'
      : keeps
        ? 'creates'
        : 'writes';
  const written = has(given, '-D') ? putInto(role, sources, target, given) : undefined;
  return {
    ...reading,
    acts: [
      ...sources.map((word) => ({role: from, word})),
      ...(written ?? [{role, word: target, ...into}]),
    ],
  };
}

/** `install -D -t FOLDER` makes the folder: the copies lie in it, whether or not it existed before. */
function putInto(
  role: Act['role'],
  sources: readonly Word[],
  folder: Word,
  given: Arguments,
): readonly Act[] | undefined {
  if (!valueOf(given, '-t --target-directory')) return undefined;
  return sources.map((word): Act => {
    const name = word.text.replace(/\/+$/, '').split('/').at(-1) ?? '';
    return {role, word: {...word, text: name}, from: folder};
  });
}

/** The copy may be a link: a later write to it goes to the link's target, as below a tree. */
const keepsLinks = '-d -P --no-dereference';

function readCopy(reading: Reading, given: Arguments): Reading {
  const isTree = has(given, '-a --archive -r -R --recursive');
  return copied(reading, given, {
    from: isTree ? 'reads-tree' : 'reads',
    isTree: isTree || has(given, keepsLinks),
  });
}

/** A hard link is another name for the same file: changing one changes the other. */
function readLink(reading: Reading, given: Arguments): Reading {
  if (!has(given, '-s --symbolic')) return withUnknown(reading, 'ln', 'gives a file a second name');
  if (reading.unknown.length > 0) return reading;
  const isAlone = given.operands.length === 1 && !valueOf(given, '-t --target-directory');
  const {sources, target} = isAlone
    ? {sources: given.operands, target: wordOf('.')}
    : partedOf(given);
  if (target.pattern)
    return withUnknown(reading, target.text, 'may be several: the last is where it links');
  const leadsTo = {words: sources, isFromHere: has(given, '-r --relative')};
  const named: Act = {role: 'links', word: target, leadsTo};
  const inside: Act = {...named, into: sources};
  if (has(given, '-T --no-target-directory')) return {...reading, acts: [named]};
  // A folder stays a folder; only a link to a folder is replaced itself.
  const isEither = has(given, '-n --no-dereference');
  return {...reading, acts: isEither ? [named, inside] : [inside]};
}

/** `if=FILE of=FILE bs=1M`; any other operand is not understood. */
function readBlocks(reading: Reading, operands: readonly Word[]): Reading {
  const checked = fitting(reading, operands, {
    form: /^((if|of)=.|(bs|ibs|obs|cbs|count|skip|seek|iseek|oseek|status|conv|iflag|oflag)=[\w,]*$)/s,
    why: 'is not a known operand of dd',
  });
  const isEndless = operands.some(({text}) => /^if=\/dev\/(?:zero|full|u?random)$/.test(text));
  if (isEndless && !isSmall(operands)) return withUnknown(reading, 'dd', 'may fill the disk');
  const placed = (key: string, role: Act['role']): readonly Act[] =>
    operands
      .filter(({text}) => text.startsWith(key))
      .map((word) => ({role, word: {...word, text: word.text.slice(key.length)}}));
  const isEmpty = operands.some(({text}) => text === 'if=/dev/null');
  return {
    ...checked,
    acts: [...placed('if=', 'reads'), ...placed('of=', isEmpty ? 'empties' : 'writes')],
  };
}

/** `count=` blocks of `bs=` bytes. */
function isSmall(operands: readonly Word[]): boolean {
  const sizeOf = (key: string) => {
    const value = operands.findLast(({text}) => text.startsWith(key))?.text.slice(key.length);
    return value === undefined ? undefined : (bytesOf(value) ?? Infinity);
  };
  const block = sizeOf('bs=') ?? Math.max(sizeOf('ibs=') ?? 512, sizeOf('obs=') ?? 512);
  return block * (sizeOf('count=') ?? Infinity) <= mostBytes;
}

/** `split big part-` makes part-aa, part-ab … */
function readParts(reading: Reading, prefix: Word): Reading {
  if (!isSure(prefix)) return withUnknown(reading, prefix.text, 'begins the names of new files');
  const parts = {...prefix, text: `${prefix.text}*`, pattern: true};
  // Existing files, and new ones.
  return withActs(reading, act('writes', parts), act('creates', {...parts, pattern: false}));
}

/** `mktemp [-p FOLDER] [TEMPLATE]` */
function readTemporary(reading: Reading, given: Arguments): Reading {
  const [template] = given.operands;
  const folder = valueOf(given, '-p');
  const from = folder ?? (template && !has(given, '-t') ? undefined : wordOf('/tmp'));
  const made: Act = {
    role: 'creates',
    word: template ?? wordOf('tmp.XXXXXXXXXX'),
    ...(from ? {from} : {}),
  };
  return has(given, about) ? reading : {...reading, acts: [made]};
}

export const files: Refinements = {
  readCopy: (reading, _, given) => readCopy(reading, given),
  movesFiles: (reading, _, given) => copied(reading, given, {from: 'moves-tree', isTree: false}),
  installsFiles: (reading, _, given) =>
    withKnownMode(
      has(given, '-d --directory')
        ? reading
        : copied(reading, given, {from: 'reads', isTree: false}),
      valueOf(given, '-m --mode'),
    ),
  readLink: (reading, _, given) => readLink(reading, given),
  truncates: (reading, _, given) => {
    const size = valueOf(given, '-s --size')?.text.replace(/^[-+<>/%]/, '') ?? '0';
    const isSized = (bytesOf(size) ?? Infinity) <= mostBytes;
    return isSized ? reading : withUnknown(reading, size, 'may fill the disk');
  },
  withMode: (reading, _, given) => withKnownMode(reading, valueOf(given, '-m --mode')),
  changesMode: (reading, _, given) => {
    const result = has(given, '-R --recursive') ? asTree(reading) : reading;
    const mode = reading.acts.find(({role}) => role === 'text');
    return withKnownMode(result, mode?.word);
  },
  changesOwner: (reading, _, given) => (has(given, '-R --recursive') ? asTree(reading) : reading),
  readTemporary: (reading, _, given) => readTemporary(reading, given),
  copiesBlocks: (reading, _, {operands}) => readBlocks(reading, operands),
  splitsParts: (reading, _, {operands}) => readParts(reading, operands[1] ?? wordOf('x')),
  splitsByContext: (reading, _, given) =>
    readParts(reading, valueOf(given, '-f --prefix') ?? wordOf('xx')),
};

function asTree(reading: Reading): Reading {
  const acts = reading.acts.map((each): Act =>
    each.role === 'edits' ? {...each, role: 'edits-tree'} : each,
  );
  return {...reading, acts};
}

/** A computed mode may grant access to anyone. */
function withKnownMode(reading: Reading, mode: Word | undefined): Reading {
  return !mode || isSure(mode) ? reading : withUnknown(reading, mode.text, 'is a computed mode');
}

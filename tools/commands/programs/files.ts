/** Programs that make, copy, move and delete files. */

import type {Act, Arguments, Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {bytesOf, fitting, isSure, mostBytes, valueOf} from './given.ts';
import {act, has, withActs, withUnknown} from './refine.ts';

const about = '--help --version';

function isNothing({known, text}: Word): boolean {
  return known && text === '/dev/null';
}

/** What is copied or moved, and where to: after `-t`, or as the last operand. */
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
  // Elsewhere `cp -R a/ b` copies what is in a into b itself.
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

/** `install -D -t FOLDER` makes the folder: what is copied lies in it, whether it is there or not. */
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

const targets = {
  operands: 'reads+ writes',
  when: {'-t --target-directory': {operands: 'reads+'}},
};

/** What they copy may be a link: what is written to its copy goes elsewhere, as below a tree. */
const keepsLinks = '-d -P --no-dereference';

function readCopy(reading: Reading, given: Arguments): Reading {
  const isTree = has(given, '-a --archive -r -R --recursive');
  return copied(reading, given, {
    from: isTree ? 'reads-tree' : 'reads',
    isTree: isTree || has(given, keepsLinks),
  });
}

/** A link to a file of its own name is one more name for what it holds: who changes the one changes the other. */
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
  // A folder is a folder all the same; only a link to one is taken as it is.
  const isEither = has(given, '-n --no-dereference');
  return {...reading, acts: isEither ? [named, inside] : [inside]};
}

/** `if=FILE of=FILE bs=1M`: anything else was not understood. */
function readBlocks(reading: Reading, operands: readonly Word[]): Reading {
  const checked = fitting(reading, operands, {
    form: /^((if|of)=.|(bs|ibs|obs|cbs|count|skip|seek|iseek|oseek|status|conv|iflag|oflag)=[\w,]*$)/s,
    why: 'is no operand of dd that is known',
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

/** Of `count=` blocks of `bs=` bytes. */
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
  // Those that are there, and those that are not.
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

export const files: readonly Program[] = [
  {
    name: 'cp',
    options: `-a|--archive -d -f|--force -i|--interactive -H -L|--dereference -n|--no-clobber -P|--no-dereference -p --preserve=?text --no-preserve=text -R|-r|--recursive --reflink=?text --remove-destination --sparse=text --strip-trailing-slashes -t|--target-directory=text -T|--no-target-directory -u --update=?text -v|--verbose -x|--one-file-system --debug ${about}`,
    ...targets,
    refine: (reading, _, given) => readCopy(reading, given),
  },
  {
    name: 'mv',
    options: `-f|--force -i|--interactive -n|--no-clobber --strip-trailing-slashes -t|--target-directory=text -T|--no-target-directory -u --update=?text -v|--verbose --debug ${about}`,
    ...targets,
    refine: (reading, _, given) => copied(reading, given, {from: 'moves-tree', isTree: false}),
  },
  {
    name: ['install', 'ginstall'],
    options: `-c -C|--compare -d|--directory -D -m|--mode=text -p|--preserve-timestamps -t|--target-directory=text -T|--no-target-directory -v|--verbose ${about}`,
    operands: 'reads+ writes',
    when: {'-d --directory': {operands: 'creates+'}, '-t --target-directory': {operands: 'reads+'}},
    refine: (reading, _, given) =>
      withKnownMode(
        has(given, '-d --directory')
          ? reading
          : copied(reading, given, {from: 'reads', isTree: false}),
        valueOf(given, '-m --mode'),
      ),
  },
  {
    name: 'ln',
    options: `-f|--force -i|--interactive -n|--no-dereference -r|--relative -s|--symbolic -t|--target-directory=text -T|--no-target-directory -v|--verbose ${about}`,
    operands: 'text+',
    refine: (reading, _, given) => readLink(reading, given),
  },
  {
    name: 'rm',
    options: `-f|--force -i -I --interactive=?text --one-file-system --preserve-root=?text -r|-R|--recursive -d|--dir -v|--verbose ${about}`,
    operands: 'deletes*',
    when: {'-r -R --recursive': {operands: 'deletes-tree*'}},
  },
  {
    name: 'rmdir',
    options: `-p|--parents --ignore-fail-on-non-empty -v|--verbose ${about}`,
    operands: 'deletes+',
  },
  {name: 'unlink', options: about, operands: 'deletes'},
  {
    name: 'shred',
    options: `-f|--force -n|--iterations=text -s|--size=text -u --remove=?text -v|--verbose -x|--exact -z|--zero ${about}`,
    operands: 'empties+',
    when: {'-u --remove': {operands: 'deletes+'}},
  },
  {
    name: 'truncate',
    options: `-c|--no-create -r|--reference=lists -s|--size=text ${about}`,
    operands: 'empties+',
    refine: (reading, _, given) => {
      const size = valueOf(given, '-s --size')?.text.replace(/^[-+<>/%]/, '') ?? '0';
      const isSized = (bytesOf(size) ?? Infinity) <= mostBytes;
      return isSized ? reading : withUnknown(reading, size, 'may fill the disk');
    },
  },
  {
    name: 'mkdir',
    options: `-p|--parents -m|--mode=text -v|--verbose ${about}`,
    operands: 'creates+',
    refine: (reading, _, given) => withKnownMode(reading, valueOf(given, '-m --mode')),
  },
  {
    name: 'mkfifo',
    options: `-m|--mode=text ${about}`,
    operands: 'creates+',
    refine: (reading, _, given) => withKnownMode(reading, valueOf(given, '-m --mode')),
  },
  {
    name: 'touch',
    options: `-a -c|--no-create -d|--date=text -f -h|--no-dereference -m -r|--reference=lists -t=text --time=text ${about}`,
    operands: 'creates+',
  },
  {
    name: 'chmod',
    options: `-c|--changes -f|--silent|--quiet -v|--verbose -R|--recursive --reference=lists --preserve-root -r -w -x ${about}`,
    operands: 'text edits+',
    when: {'-r -w -x --reference': {operands: 'edits+'}},
    refine: (reading, _, given) => {
      const told = has(given, '-R --recursive') ? asTree(reading) : reading;
      const mode = reading.acts.find(({role}) => role === 'text');
      return withKnownMode(told, mode?.word);
    },
  },
  {
    name: ['chown', 'chgrp'],
    options: `-c|--changes -f|--silent|--quiet -v|--verbose -R|--recursive -h|--no-dereference ${about}`,
    operands: 'text edits+',
    refine: (reading, _, given) => (has(given, '-R --recursive') ? asTree(reading) : reading),
  },
  {
    name: 'mktemp',
    options: `-d|--directory -q|--quiet -u|--dry-run --suffix=text -p=text -t ${about}`,
    operands: 'text?',
    refine: (reading, _, given) => readTemporary(reading, given),
  },
  {
    name: 'dd',
    bounded: '*',
    operands: 'text*',
    refine: (reading, _, {operands}) => readBlocks(reading, operands),
  },
  {
    name: 'tee',
    options: `-a|--append -i|--ignore-interrupts -p --output-error=?text ${about}`,
    operands: 'writes*',
    when: {'-a --append': {operands: 'appends*'}},
  },
  {
    name: 'split',
    options: `-NUM -a|--suffix-length=text --additional-suffix=text -b|--bytes=text -C|--line-bytes=text -d --numeric-suffixes=?text -x --hex-suffixes=?text -e|--elide-empty-files -l|--lines=text -n|--number=text -t|--separator=text -u|--unbuffered --verbose ${about}`,
    operands: 'reads? text?',
    refine: (reading, _, {operands}) => readParts(reading, operands[1] ?? wordOf('x')),
  },
  {
    name: 'csplit',
    options: `-f|--prefix=text -k|--keep-files -n|--digits=text -s|--quiet|--silent -z|--elide-empty-files ${about}`,
    operands: 'reads text+',
    refine: (reading, _, given) =>
      readParts(reading, valueOf(given, '-f --prefix') ?? wordOf('xx')),
  },
  {
    name: ['dos2unix', 'unix2dos', 'mac2unix'],
    options: '-k|--keepdate -q|--quiet -f|--force',
    operands: 'edits+',
  },
];

function asTree(reading: Reading): Reading {
  const acts = reading.acts.map((each): Act =>
    each.role === 'edits' ? {...each, role: 'edits-tree'} : each,
  );
  return {...reading, acts};
}

/** Nobody can tell whom a computed mode lets in. */
function withKnownMode(reading: Reading, mode: Word | undefined): Reading {
  return !mode || isSure(mode) ? reading : withUnknown(reading, mode.text, 'is a computed mode');
}

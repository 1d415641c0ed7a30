/** Programs that pack and unpack. */

import type {Act, Arguments, Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure, valueOf} from './given.ts';
import {act, has, withUnknown} from './refine.ts';

const about = '--help --version';
const levels = '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9';

/** How a program names what it makes of a file. */
interface Naming {
  readonly packed: string;
  readonly keeps: boolean;
}

const endings = /\.(?:gz|bz2|xz|lzma|zst)$/;

/** `gzip a` writes a.gz in place of a. */
function readPacking(reading: Reading, given: Arguments, {packed, keeps}: Naming): Reading {
  const modes = ['-z --compress', '-d --decompress --uncompress', '-l --list', '-t --test'];
  const chosen = modes.filter((names) => has(given, names));
  if (chosen.length > 1 || (packed === '' && chosen[0] === modes[0]))
    return withUnknown(reading, chosen.join(' '), 'does not say one thing to do');
  const shows = '-c --stdout --to-stdout -l --list -t --test';
  if (reading.unknown.length > 0 || has(given, shows) || valueOf(given, '-o')) return reading;
  const unpacks = packed === '' || has(given, '-d --decompress --uncompress');
  const isKept = keeps || has(given, '-k --keep');
  const odd = given.operands.find((word) => !isSure(word) || (unpacks && !endings.test(word.text)));
  if (odd) return withUnknown(reading, odd.text, 'does not say the name of what is written');
  const acts = given.operands
    .filter(({text}) => text !== '-')
    .flatMap((word) => {
      const made = unpacks ? word.text.replace(endings, '') : word.text + packed;
      const packs = [act('reads', word), act('writes', made)];
      return isKept ? packs : packs.concat(act('moves', word));
    });
  return {...reading, acts};
}

function packing(names: string | readonly string[], naming: Naming): Program {
  return {
    name: names,
    options: `-c|--stdout|--to-stdout -d|--decompress|--uncompress -f|--force -k|--keep -l|--list -n|--no-name -N|--name -q|--quiet -t|--test -v|--verbose -z|--compress -T|--threads=text --fast --best ${levels} -h|--help -V|--version`,
    operands: 'reads*',
    refine: (reading, _, given) => readPacking(reading, given, naming),
  };
}

/** `zip out src`: into out.zip. */
function readZip(reading: Reading, given: Arguments): Reading {
  const [archive, ...members] = given.operands;
  if (reading.unknown.length > 0 || !archive) return reading;
  if (!isSure(archive)) return withUnknown(reading, archive.text, 'is what is written');
  const hasEnding = /\.[^/]*$/.test(archive.text);
  const role = has(given, '-r') ? 'reads-tree' : 'reads';
  // It goes through links, wherever they lead.
  const below = has(given, '-r') && !has(given, '-y') ? members.filter(isSure).map(allBelow) : [];
  const written =
    archive.text === '-' ? [] : [act('writes', archive.text + (hasEnding ? '' : '.zip'))];
  return {...reading, acts: [...written, ...members.map((word) => act(role, word)), ...below]};
}

function allBelow(word: Word): Act {
  return act('reads', {...word, text: `${word.text.replace(/\/+$/, '')}/**/*`, pattern: true});
}

function unpacked(reading: Reading, folder: Word | undefined): Reading {
  return {...reading, acts: [...reading.acts, act('writes-tree', folder ?? wordOf('.'))]};
}

const sevenZip: Readonly<Record<string, Omit<Program, 'name'>>> = {
  'l t': {options: '-y -p=?text', operands: 'reads text*'},
  'x e': {
    options: '-y -o=?text',
    operands: 'reads text*',
    refine: (reading, _, given) => unpacked(reading, valueOf(given, '-o')),
  },
  a: {options: '-y -r', operands: 'writes reads-tree+'},
};

export const archives: readonly Program[] = [
  packing('gzip', {packed: '.gz', keeps: false}),
  packing('bzip2', {packed: '.bz2', keeps: false}),
  packing('xz', {packed: '.xz', keeps: false}),
  packing(['gunzip', 'bunzip2', 'unxz', 'unlzma'], {packed: '', keeps: false}),
  {
    ...packing('zstd', {packed: '.zst', keeps: true}),
    options: `-c|--stdout -d|--decompress -f|--force -k|--keep -l|--list -o=writes -q|--quiet -t|--test -v|--verbose -T=?text -NUM -h|--help -V|--version`,
  },
  {...packing('unzstd', {packed: '', keeps: true}), options: '-c -f -k -q -v -o=writes'},
  {
    name: ['zcat', 'gzcat', 'bzcat', 'xzcat', 'zstdcat', 'lzcat'],
    options: '-f -q -v',
    operands: 'reads*',
  },
  {
    name: 'zip',
    options: `-r -q -v -j -y -u -X -x=text -i=text ${levels}`,
    operands: 'text text*',
    refine: (reading, _, given) => readZip(reading, given),
  },
  {
    name: 'unzip',
    options: '-l -v -t -p -z -Z -o -n -q -j -u -C -L -d=text',
    operands: 'reads text*',
    refine: (reading, _, given) =>
      has(given, '-l -v -t -p -z -Z') ? reading : unpacked(reading, valueOf(given, '-d')),
  },
  {name: 'zipinfo', options: '-1 -2 -s -m -l -v -h -t -z', operands: 'reads text*'},
  {
    name: ['7z', '7za', '7zz'],
    subcommands: sevenZip,
    refine: (reading, call) => notList(reading, call, {options: [], operands: call.args}),
  },
  {
    name: 'readelf',
    options: `-a -h -l -S -s -d -n -r -V -W|--wide ${about}`,
    operands: 'reads+',
    refine: notList,
  },
  {name: 'nm', options: `-a -C -D -g -n -p -r -S -u ${about}`, operands: 'reads*', refine: notList},
  {name: 'size', options: `-A -B -d -o -x -t ${about}`, operands: 'reads*', refine: notList},
  {
    name: 'objdump',
    options: `-a -C -d -D -f -h -p -r -s -S -t -T -x ${about}`,
    operands: 'reads*',
    refine: notList,
  },
];

/** `@FILE` has options in it. */
function notList(reading: Reading, _: unknown, {operands}: Arguments): Reading {
  const list = operands.find(({text}) => text.startsWith('@'));
  return list ? withUnknown(reading, list.text, 'may be a file of options') : reading;
}

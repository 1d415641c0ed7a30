/** Programs that pack and unpack. */

import type {Act, Arguments, Reading, Refine, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure, valueOf} from './given.ts';
import {act, has, withUnknown} from './refine.ts';

/** The names of the files that a program makes from a file. */
interface Naming {
  readonly packed: string;
  readonly keeps: boolean;
}

const endings = /\.(?:gz|bz2|xz|lzma|zst)$/;

/** `gzip a` replaces a with a.gz. */
function readCompression(reading: Reading, given: Arguments, {packed, keeps}: Naming): Reading {
  const modes = ['-z --compress', '-d --decompress --uncompress', '-l --list', '-t --test'];
  const chosen = modes.filter((names) => has(given, names));
  if (chosen.length > 1 || (packed === '' && chosen[0] === modes[0]))
    return withUnknown(reading, chosen.join(' '), 'does not say one thing to do');
  const shows = '-c --stdout --to-stdout -l --list -t --test';
  if (reading.unknown.length > 0 || has(given, shows) || valueOf(given, '-o')) return reading;
  const unpacks = packed === '' || has(given, '-d --decompress --uncompress');
  const isKept = keeps || has(given, '-k --keep');
  const odd = given.operands.find((word) => !isSure(word) || (unpacks && !endings.test(word.text)));
  if (odd) return withUnknown(reading, odd.text, 'does not name its output file');
  const acts = given.operands
    .filter(({text}) => text !== '-')
    .flatMap((word) => {
      const made = unpacks ? word.text.replace(endings, '') : word.text + packed;
      const packs = [act('reads', word), act('writes', made)];
      return isKept ? packs : packs.concat(act('moves', word));
    });
  return {...reading, acts};
}

function byNaming(naming: Naming): Refine {
  return (reading, _, given) => readCompression(reading, given, naming);
}

/** `zip out src` writes out.zip. */
function readZip(reading: Reading, given: Arguments): Reading {
  const [archive, ...members] = given.operands;
  if (reading.unknown.length > 0 || !archive) return reading;
  if (!isSure(archive)) return withUnknown(reading, archive.text, 'is a computed output file');
  const hasEnding = /\.[^/]*$/.test(archive.text);
  const role = has(given, '-r') ? 'reads-tree' : 'reads';
  // It follows links, also out of the workspace.
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

export const archives: Refinements = {
  packsGzip: byNaming({packed: '.gz', keeps: false}),
  packsBzip2: byNaming({packed: '.bz2', keeps: false}),
  packsXz: byNaming({packed: '.xz', keeps: false}),
  packsZstd: byNaming({packed: '.zst', keeps: true}),
  unpacks: byNaming({packed: '', keeps: false}),
  unpacksZstd: byNaming({packed: '', keeps: true}),
  readZip: (reading, _, given) => readZip(reading, given),
  unzips: (reading, _, given) =>
    has(given, '-l -v -t -p -z -Z') ? reading : unpacked(reading, valueOf(given, '-d')),
  unpacks7z: (reading, _, given) => unpacked(reading, valueOf(given, '-o')),
  looksAtObject: (reading, call) => notList(reading, call, {options: [], operands: call.args}),
  notList,
};

/** `@FILE` contains options. */
function notList(reading: Reading, _: unknown, {operands}: Arguments): Reading {
  const list = operands.find(({text}) => text.startsWith('@'));
  return list ? withUnknown(reading, list.text, 'may be a file of options') : reading;
}

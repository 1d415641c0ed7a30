/** Programs that check, format and fix code of JavaScript and of other languages. */

import type {Act, Arguments, Invocation, Program, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {act, has, withActs, withUnknown} from './refine.ts';

export const checkers: Refinements = {
  compilesTypescript: compiles,
  fixesHereByType: hereUnless('--fix --fix-type'),
  fixesHereByWrite: hereUnless('--write --fix --apply --apply-unsafe'),
  fixesHereByOxlint: hereUnless('--fix --fix-suggestions --fix-dangerously'),
  fixesHere: hereUnless('--fix'),
};

/** Fixes the whole folder if no place is named. */
function hereUnless(names: string): NonNullable<Program['refine']> {
  return (reading, _call, given) =>
    has(given, names) && given.operands.length === 0
      ? withActs(reading, act('edits-tree', '.'))
      : reading;
}

/**
 * Output is written where the configuration says, or beside the named files. A word after an option that needs no value
 * (`--noEmit false`) is its value.
 */
function compiles(reading: Reading, call: Invocation, given: Arguments): Reading {
  const {operands} = given;
  const list = operands.find(({text, known}) => !known || text.startsWith('@'));
  if (list) return withUnknown(reading, list.text, 'holds options');
  const isOff = operands.some(({text}) => text === 'false');
  if (has(given, looking) && !isOff) return reading;
  if (has(given, '--init')) return withActs(reading, act('writes', 'tsconfig.json'));
  const isBeside = !has(given, '--outDir --outFile -b --build');
  const made = isBeside ? operands.map((word) => act('writes', compiled(word))) : [];
  return withActs(reading, act('runs', call.name), ...configured(given), ...made);
}

const looking = '-v --version -h --help --all --noEmit --showConfig --listFilesOnly';

/** The configuration says where to write. */
function configured({options, operands}: Arguments): readonly Act[] {
  const named = options.find(({name}) => name === '-p' || name === '--project')?.value;
  if (named)
    return [named.text.endsWith('.json') ? act('code', named) : act('loads', inside(named))];
  return operands.length === 0 ? [act('loads', 'tsconfig.json')] : [];
}

function inside(folder: Word): Word {
  return {...folder, text: `${folder.text.replace(/\/$/, '')}/tsconfig.json`};
}

function compiled(word: Word): Word {
  return {...word, text: word.text.replace(/\.([cm]?)tsx?$/, '.$1js')};
}

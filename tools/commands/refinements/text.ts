/** Programs that read text and print other text. */

import type {Reading, Refinements} from '../program.ts';
import {fitting, valuesOf} from './given.ts';
import {has} from './refine.ts';

export const text: Refinements = {
  sequenceSize: (reading, _, {operands}) =>
    fitting(reading, operands, {
      form: /^-?\d{0,7}(?:\.\d)?\d?$/,
      why: 'may be larger than the disk',
    }),
  // A name with a slash is the file of a character map.
  characterSets: (reading, _call, given) =>
    fitting(reading, valuesOf(given, '-f --from-code -t --to-code'), {
      form: /^[\w.:+-]+(?:\/\/(?:translit|ignore)?)*$/i,
      why: 'is not the name of a character set',
    }),
  readPatch: (reading, _, given) => readPatch(reading, has(given, '--dry-run --help -v --version')),
};

/** The patch names the files that it changes. */
function readPatch(reading: Reading, isDry: boolean): Reading {
  if (isDry) return reading;
  return {
    ...reading,
    unknown: [...reading.unknown, {word: 'patch', why: 'changes the files that a patch names'}],
  };
}

/** Shells, with a text or a file that they run. */

import type {Arguments, Invocation, Reading, Refinements} from '../program.ts';
import {act, has, withUnknown} from './refine.ts';

function readShell(reading: Reading, {input}: Invocation, given: Arguments): Reading {
  const [first] = given.operands;
  if (reading.unknown.length > 0 || has(given, '--version --help')) return reading;
  // `bash +x a.sh`
  if (first?.text.startsWith('+'))
    return withUnknown(reading, first.text, 'is an option of the shell');
  if (first && (has(given, '-c') || !has(given, '-s'))) return reading;
  return typeof input === 'string'
    ? withUnknown(reading, 'standard input', 'is run by the shell')
    : {...reading, acts: [act('shell', input)]};
}

export const shells: Refinements = {
  readShell,
};

/** awk: programs that only read and print. */

import type {Arguments, Reading, Refinements} from '../program.ts';
import {awkFault} from './awk-script.ts';
import {isSure, valuesOf} from './given.ts';
import {has, withUnknown} from './refine.ts';

function readAwk(reading: Reading, given: Arguments): Reading {
  if (reading.unknown.length > 0 || has(given, '--version -V')) return reading;
  const named = valuesOf(given, '-e --source');
  const inFile = has(given, '-f --file');
  const scripts = named.length > 0 || inFile ? named : given.operands.slice(0, 1);
  const odd = scripts.find((word) => !isSure(word));
  if (odd) return withUnknown(reading, odd.text, 'is part of a program of awk');
  const why = awkFault(scripts.map(({text}) => text).join('\n'));
  return why === undefined ? reading : withUnknown(reading, 'a program of awk', why);
}

export const awk: Refinements = {
  readAwk: (reading, _, given) => readAwk(reading, given),
};

/** Merges of git that decide by themselves whose changes hold. */

import type {Arguments, Invocation, Reading} from '../program.ts';
import {valuesOf} from './given.ts';
import {withUnknown} from './refine.ts';

/** `-X theirs`, `-s ours`: what one side has changed is left out, wherever both have changed something. */
export function keepsBothSides(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  const strategies = valuesOf(given, '-X --strategy-option -s --strategy');
  const odd = strategies.find(({text, known}) => !known || /^(?:ours|theirs)$/.test(text));
  return odd ? withUnknown(reading, `${name} ${odd.text}`, 'leaves out one side of it') : reading;
}

/** Merges of git in which one side always wins. */

import type {Arguments, Invocation, Reading} from '../program.ts';
import {valuesOf} from './given.ts';
import {withUnknown} from './refine.ts';

/** `-X theirs`, `-s ours`: where both sides have changed something, the changes of one are dropped. */
export function keepsBothSides(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  const strategies = valuesOf(given, '-X --strategy-option -s --strategy');
  const odd = strategies.find(({text, known}) => !known || /^(?:ours|theirs)$/.test(text));
  return odd ? withUnknown(reading, `${name} ${odd.text}`, 'leaves out one side of it') : reading;
}

/** gh and glab: what looks, and what changes what others see. */

import type {Arguments, Invocation, Program, Reading, Refinements} from '../program.ts';
import {wordOf} from '../word.ts';
import {reaching} from './data.ts';
import {valuesOf} from './given.ts';
import {act, has, knownOperands, withActs, withUnknown} from './refine.ts';

/** What is asked must be known; a filter of what comes back sees the environment, too. */
const known: NonNullable<Program['refine']> = (reading, call, given) => {
  const told = knownOperands('is told to the server')(reading, call, given);
  const filters = valuesOf(given, '-q --jq -t --template').filter(
    ({text, known: isKnown}) => !isKnown || reaching.test(text),
  );
  return filters.length > 0 ? withActs(told, act('reveals', 'the environment')) : told;
};

export const github: Refinements = {
  tellsServer: known,
  asksApi: asks,
};

/** `gh api PATH`: a plain GET. */
function asks(reading: Reading, call: Invocation, given: Arguments): Reading {
  const told = known(reading, call, given);
  const [method] = valuesOf(given, '-X --method');
  if (method && !/^GET$/i.test(method.text))
    return withActs(told, act('alters', 'what others see'));
  const [path = wordOf('')] = given.operands;
  const tells = has(given, '-f --raw-field -F --field --input -H --header --hostname');
  return tells || /^graphql$|:\/\//.test(path.text)
    ? withUnknown(told, path.text, 'may change what others see')
    : told;
}

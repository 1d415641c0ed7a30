/** gh and glab: commands that look, and commands that change data visible to others. */

import type {Arguments, Invocation, Program, Reading, Refinements} from '../program.ts';
import {wordOf} from '../word.ts';
import {reaching} from './data.ts';
import {valuesOf} from './given.ts';
import {act, has, knownOperands, withActs, withUnknown} from './refine.ts';

/** The query must be known; a filter of the answer can also see the environment. */
const known: NonNullable<Program['refine']> = (reading, call, given) => {
  const result = knownOperands('is sent to the server')(reading, call, given);
  const filters = valuesOf(given, '-q --jq -t --template').filter(
    ({text, known: isKnown}) => !isKnown || reaching.test(text),
  );
  return filters.length > 0 ? withActs(result, act('reveals', 'the environment')) : result;
};

export const github: Refinements = {
  sendsToServer: known,
  asksApi: asks,
};

/** `gh api PATH`: a plain GET. */
function asks(reading: Reading, call: Invocation, given: Arguments): Reading {
  const result = known(reading, call, given);
  const [method] = valuesOf(given, '-X --method');
  if (method && !/^GET$/i.test(method.text))
    return withActs(result, act('alters', 'what others see'));
  const [path = wordOf('')] = given.operands;
  const sends = has(given, '-f --raw-field -F --field --input -H --header --hostname');
  return sends || /^graphql$|:\/\//.test(path.text)
    ? withUnknown(result, path.text, 'may change what others see')
    : result;
}

/** Programs that query structured text. */

import type {Arguments, Reading, Refinements} from '../program.ts';
import {isSure} from './given.ts';
import {eachAct, has, withUnknown} from './refine.ts';

/** Parts of a filter that see more than its input: the environment, other files, other programs. */
export const reaching =
  /\$ENV\b|\$__prog|(?<![.\w$"])(?:env|eval|import|include|input_filename|get_search_list|load\w*|strenv|envsubst|system|exec)\b/;

function readFilter(reading: Reading, given: Arguments): Reading {
  if (reading.unknown.length > 0 || has(given, '-V --version -h --help -f --from-file'))
    return reading;
  const [filter] = given.operands;
  if (!filter) return reading;
  if (!isSure(filter))
    return withUnknown(reading, filter.text, 'is a filter that may see the environment');
  const reach = reaching.exec(filter.text)?.[0];
  return reach === undefined ? reading : withUnknown(reading, reach, 'sees more than its input');
}

const inPlace = eachAct((act) => [act.role === 'reads' ? {...act, role: 'edits'} : act]);

export const data: Refinements = {
  readFilter: (reading, _, given) => readFilter(reading, given),
  filtersByVerb: (reading, call, given) => {
    const [verb, filter] = given.operands;
    const isNamed = verb !== undefined && ['e', 'eval', 'ea', 'eval-all'].includes(verb.text);
    const words = isNamed ? {...given, operands: given.operands.slice(1)} : given;
    const acts = reading.acts.filter(({word}) => !isNamed || word !== filter);
    const read = readFilter({...reading, acts}, words);
    return has(given, '-i --inplace') ? inPlace(read, call, given) : read;
  },
};

/** sed: the effects of its script, and the files that it edits. */

import type {Act, Arguments, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure, valueOf, valuesOf} from './given.ts';
import {has, withUnknown} from './refine.ts';
import {readSedScript} from './sed-script.ts';

const inPlace = '-i --in-place';

function readSed(reading: Reading, given: Arguments): Reading {
  if (reading.unknown.length > 0 || has(given, '--help --version')) return reading;
  const scripts = scriptsOf(given);
  const odd = scripts.find((word) => !isSure(word));
  if (odd) return withUnknown(reading, odd.text, 'is part of a script of sed');
  const script = readSedScript(scripts.map(({text}) => text).join('\n'));
  if ('why' in script) return withUnknown(reading, 'a script of sed', script.why);
  const reads = script.reads.map((name): Act => ({role: 'reads', word: wordOf(name)}));
  const acts = has(given, inPlace) ? edited(reading.acts, script.empties, given) : reading.acts;
  return {...reading, acts: [...acts, ...reads]};
}

/** `sed -i '' SCRIPT FILE`: on macOS the script comes second; elsewhere the script is empty and both words are files. */
function scriptsOf(given: Arguments): readonly Word[] {
  const named = valuesOf(given, '-e --expression');
  if (named.length > 0 || has(given, '-f --file')) return named;
  const [first, second] = given.operands;
  if (!first) return [];
  const isSecond = has(given, inPlace) && first.text === '' && second !== undefined;
  return isSecond ? [first, second] : [first];
}

function edited(acts: readonly Act[], empties: boolean, given: Arguments): readonly Act[] {
  const suffix = valueOf(given, inPlace);
  const role = empties || has(given, '-n --quiet --silent') ? 'empties' : 'edits';
  return acts.flatMap((act): readonly Act[] => {
    if (act.role !== 'reads') return [act];
    const kept = suffix ? {...act.word, text: act.word.text + suffix.text} : undefined;
    return [{...act, role}, ...(kept ? [{...act, role: 'writes' as const, word: kept}] : [])];
  });
}

export const sed: Refinements = {
  editsStream: (reading, _, given) => {
    const suffix = valueOf(given, inPlace);
    return suffix && (!isSure(suffix) || /[*/]/.test(suffix.text))
      ? withUnknown(reading, suffix.text, 'is where copies go')
      : readSed(reading, given);
  },
};

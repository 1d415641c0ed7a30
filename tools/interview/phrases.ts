/**
 * What whole replies mean that are no answers, in English and Japanese. A reply means one only as a whole, without the courtesies
 * around it: `I skip breakfast` is an answer.
 */

import {once} from '../../machines/domain/once.ts';
import {type Command, commandPhrases, wordsAfter, wordsBefore} from './data/tables.ts';
import {fold} from './fold.ts';

export type {Command};

const politeEnd =
  /(?:を)?(?:でお願いします|をお願いします|お願いします|お願い|ください|下さい|したいです|させてください|です(?:か|ね|よ)?)$/u;
const around = once(() => [
  new RegExp(`^(?:${wordsBefore().join('|')}) `),
  new RegExp(` (?:${wordsAfter().join('|')})$`),
  politeEnd,
]);
/** What is asked about with it is never an agreement. */
const asking: ReadonlySet<Command> = new Set(['agree', 'submit', 'disagree', 'without']);

/** The longest phrase is shorter. */
const maxLength = 120;

/** Undefined for a reply that is none. */
export function commandOf(text: string): Command | undefined {
  if (text.length > 4 * maxLength) return undefined;
  const folded = fold(text).text.toLowerCase().trim();
  if (folded.length > maxLength) return undefined;
  const command = found(plainPhrase(folded));
  return command !== undefined && asking.has(command) && folded.endsWith('?') ? undefined : command;
}

function plainPhrase(folded: string): string {
  return folded.replaceAll(/[\s,.!?;:"*…~]+/gu, ' ').trim();
}

/** As it stands, then with one courtesy after the other taken away. */
function found(phrase: string): Command | undefined {
  const commands = commandPhrases();
  let rest = phrase;
  for (;;) {
    const command = commands.get(rest) ?? commands.get(rest.replaceAll(' ', ''));
    if (command !== undefined) return command;
    const shorter = withoutCourtesy(rest);
    if (shorter === rest || shorter === '') return undefined;
    rest = shorter;
  }
}

function withoutCourtesy(phrase: string): string {
  for (const courtesy of around()) {
    const rest = phrase.replace(courtesy, '').trim();
    if (rest !== phrase) return rest;
  }
  return phrase;
}

/**
 * Recognises whole replies that are commands instead of answers, in English and Japanese, with and without a slash. Only a whole reply counts, apart from the
 * courtesies around it: `I skip breakfast` is an answer.
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
/** A question with one of these is never an agreement. */
const asking: ReadonlySet<Command> = new Set(['agree', 'submit', 'disagree', 'without', 'nothing']);

/** Every phrase is shorter. */
const maxLength = 120;

/** Undefined for a reply that is not a command. */
export function commandOf(text: string): Command | undefined {
  if (text.length > 4 * maxLength) return undefined;
  const folded = fold(text)
    .text.toLowerCase()
    .trim()
    .replace(/^\/(?=[^\s/])/, '');
  if (folded.length > maxLength) return undefined;
  const command = found(plainPhrase(folded));
  return command !== undefined && asking.has(command) && folded.endsWith('?') ? undefined : command;
}

function plainPhrase(folded: string): string {
  return folded.replaceAll(/[\s,.!?;:"*…~]+/gu, ' ').trim();
}

/** Apostrophes are often left out. */
const typedPhrases = once(
  () =>
    new Map(
      [...commandPhrases()].map(([phrase, command]) => [phrase.replaceAll("'", ''), command]),
    ),
);

/** Searches the phrase as it is, then with one courtesy after another removed. */
function found(phrase: string): Command | undefined {
  const commands = typedPhrases();
  let rest = phrase;
  for (;;) {
    const plain = rest.replaceAll("'", '');
    const command = commands.get(plain) ?? commands.get(plain.replaceAll(' ', ''));
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

/** What a person's words on a field come to, by rule: the typed value, the facts, what is wrong and what is missing. */

import type {AnswerCheck, AnswerReading} from '../../machines/domain/answer-reading.ts';
import type {FormField} from '../../machines/domain/questionnaire.ts';
import {textsFor} from '../../machines/forms/interview/texts/texts.ts';
import {areOfRules, factsIn} from './facts.ts';
import {fold} from './fold.ts';
import {withoutName} from './labels.ts';
import type {ReadingContext, ValueReading} from './values/reading.ts';
import {readValue} from './values/value.ts';

/** Never rejects. Takes time linear in the replies. */
export async function checkAnswer(check: AnswerCheck): Promise<AnswerReading> {
  const {field, facts, replies, known, language, country, timezone, at} = check;
  const context = {language, country, timezone, at};
  const own = replies.filter(({fact}) => fact === undefined).map(({text}) => text);
  const hasFacts = facts.length > 0;
  const reading = readAnswer(field, own, context, {isFirst: hasFacts});
  const {found, problem} = factsIn(field, facts, replies, context);
  const {problems: texts} = textsFor(language);
  const allFacts = {...found, ...known};
  const complaints = [
    ...('problem' in reading ? [reading.problem] : []),
    ...(problem ? [problem] : []),
  ];
  return {
    ...('problem' in reading ? {} : reading),
    facts: allFacts,
    problems: [...new Set(complaints.map((complaint) => complaint(texts)))],
    missing: facts.map(({key}) => key).filter((key) => !(key in allFacts)),
    suffices: areOfRules(facts),
  };
}

/**
 * The last reply that has a value counts, so that a person may say it again. Of a text with facts it is the first: what
 * follows tells the facts.
 */
function readAnswer(
  field: FormField,
  replies: readonly string[],
  context: ReadingContext,
  {isFirst}: {readonly isFirst: boolean},
): ValueReading {
  const readings = replies.map((text, at) => {
    const before = replies[at - 1];
    const folded = fold(withoutName(text, field));
    return readValue(field, folded, context, before === undefined ? undefined : fold(before));
  });
  const good = readings.filter((reading) => 'value' in reading);
  const chosen = field.type === 'text' && isFirst ? good[0] : good.at(-1);
  return (
    chosen ??
    together(field, replies, context) ??
    readings.at(-1) ?? {problem: (texts) => texts.blank}
  );
}

/** A text that is too short may be told in several replies; the longest is its quote. */
function together(
  field: FormField,
  replies: readonly string[],
  context: ReadingContext,
): ValueReading | undefined {
  if (field.type !== 'text' || replies.length < 2) return undefined;
  const reading = readValue(field, fold(replies.join('\n')), context);
  if ('problem' in reading) return undefined;
  const [longest = ''] = replies.toSorted((a, b) => b.length - a.length);
  return {value: reading.value, quote: longest.trim()};
}

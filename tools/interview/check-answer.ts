/** Reads a person's replies on a field by rule: the typed value, the facts, the problems and the missing parts. */

import {textsFor} from '../../machines/forms/interview/texts/texts.ts';
import type {AnswerCheck, AnswerReading} from '../../machines/questionnaire/answer-reading.ts';
import {typeOf} from '../../machines/questionnaire/field-types.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {areOfRules, factsIn} from './facts.ts';
import {fold, type Folded} from './fold.ts';
import {withoutName} from './labels.ts';
import type {ReadingContext, ValueReading} from './values/reading.ts';
import {readValue} from './values/value.ts';

/** Never rejects. Takes time linear in the length of the replies. */
export async function checkAnswer(check: AnswerCheck): Promise<AnswerReading> {
  const {field, facts, replies, known, language, country, timezone, at} = check;
  const context = {language, country, timezone, at};
  const foldedReplies = replies.map(({text, fact, at: saidAt}) => ({
    folded: fold(text.trim()),
    fact,
    at: saidAt,
  }));
  const own = foldedReplies.filter(({fact}) => fact === undefined);
  const hasFacts = facts.length > 0;
  const reading = readAnswer(field, own, context, {isFirst: hasFacts});
  const {found, problem} = factsIn(field, facts, foldedReplies, context);
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

interface Said {
  readonly folded: Folded;
  /** Epoch ms; undefined: when the last reply was given. */
  readonly at: number | undefined;
}

/**
 * The last reply with a value counts, so that a person may correct it. For a text with facts the first one counts: the later
 * replies state the facts.
 */
function readAnswer(
  field: FormField,
  replies: readonly Said[],
  context: ReadingContext,
  {isFirst}: {readonly isFirst: boolean},
): ValueReading {
  const readings = replies.map(({folded, at = context.at}, index) =>
    readValue(field, withoutName(folded, field), {...context, at}, replies[index - 1]?.folded),
  );
  const good = readings.filter((reading) => 'value' in reading);
  const chosen = typeOf(field).isProse && isFirst ? good[0] : good.at(-1);
  return (
    chosen ??
    together(
      field,
      replies.map(({folded}) => folded),
      context,
    ) ??
    readings.at(-1) ?? {problem: (texts) => texts.blank}
  );
}

/** A text that is too short may be continued in several replies; the longest reply is its quote. */
function together(
  field: FormField,
  replies: readonly Folded[],
  context: ReadingContext,
): ValueReading | undefined {
  if (!typeOf(field).isProse || replies.length < 2) return undefined;
  const texts = replies.map(({raw}) => raw);
  const reading = readValue(field, fold(texts.join('\n')), context);
  if ('problem' in reading) return undefined;
  const [quote = ''] = texts.toSorted((a, b) => b.length - a.length);
  return {value: reading.value, quote};
}

/** The questions of an interview to a model: a review of an answer to a field, and the order of the fields. */

import {z} from 'zod';

import type {FormField} from '../questionnaire/questionnaire.ts';
import {modelText, optionalList, readBy, type Reading, refused} from './reading.ts';

export const answerReviewSchema = z
  .lazy(() => {
    const extracted = z.object({
      key: z.string().describe('The key of the fact'),
      value: z.string().describe('The fact, in the words of the respondent'),
      quote: z.string().describe('The words of the respondent that state it, verbatim'),
    });
    return z.object({
      passed: z.boolean().describe('True when the answer has everything that the field asks for'),
      feedback: modelText.nullish().describe('The problem with the answer, for the interviewer'),
      missing_facts: optionalList(
        z.array(modelText).describe('The facts that must still be asked for'),
      ),
      extracted_facts: z
        .preprocess(withoutTexts, z.array(extracted).nullish())
        .optional()
        .describe('Facts that the respondent stated, each with the words that state it'),
      field_value: z.string().nullish().describe('The answer, in the words of the respondent'),
    });
  })
  .describe('Submit the review of the answer');

/** A fact without a quote can't be checked. */
function withoutTexts(facts: unknown): unknown {
  return Array.isArray(facts) ? facts.filter((fact) => typeof fact !== 'string') : facts;
}

export interface AnswerReview {
  readonly passed: boolean;
  readonly feedback?: string;
  readonly missingFacts: readonly string[];
  readonly facts: readonly {readonly key: string; readonly value: string; readonly quote: string}[];
  readonly value?: string;
}

/** Refuses a quote that the person did not say, and a pass that names missing facts. */
export function readAnswerReview(
  args: unknown,
  {spoken}: {readonly spoken: readonly string[]},
): Reading<AnswerReview> {
  const reading = readBy(answerReviewSchema, args);
  if (!reading.ok) return reading;
  const {passed, feedback, missing_facts, extracted_facts, field_value} = reading.value;
  if (passed && missing_facts.length > 0) {
    return refused('passed is true, but missing_facts is not empty: only one of them can hold');
  }
  const facts = extracted_facts ?? [];
  const invented = facts.filter(({quote}) => !isSaid(quote, spoken));
  if (invented.length > 0) {
    return refused(
      ...invented.map(
        ({quote}) => `the respondent did not say ${JSON.stringify(quote)}: quote verbatim`,
      ),
    );
  }
  return {
    ok: true,
    value: {
      passed,
      ...(feedback ? {feedback} : {}),
      missingFacts: missing_facts,
      facts,
      ...(field_value ? {value: field_value} : {}),
    },
  };
}

/** True when the person's texts contain the words. Spaces, case and the width of letters do not matter. */
export function isSaid(quote: string, spoken: readonly string[]): boolean {
  const words = plain(quote);
  return words !== '' && spoken.some((text) => plain(text).includes(words));
}

/** True when the person said every word of the text, in any order. */
export function isMadeOf(text: string, spoken: readonly string[]): boolean {
  const said = plain(spoken.join('\n'));
  // The set finds whole words fast in long texts. In a script without spaces, a word may be a part of a longer one.
  const whole = new Set(answerWords(said));
  return answerWords(plain(text)).every((word) => whole.has(word) || said.includes(word));
}

function answerWords(plainText: string): readonly string[] {
  return plainText.split(/[^\p{L}\p{M}\p{N}]+/u);
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

// The architect's plan: the order in which an interview asks for the fields of a form.

export const fieldOrderSchema = z
  .lazy(() =>
    z.object({
      fields: z
        .array(
          z.object({
            field_id: z.string().describe('The id of the field'),
            label: z.string().describe('Its label, unchanged'),
            intent: z.string().nullish().describe('Its intent, unchanged'),
            required: z.boolean().describe('Whether it must be answered, unchanged'),
          }),
        )
        .min(1)
        .describe('All fields of the form, in the order in which to ask for them'),
    }),
  )
  .describe('Submit the order of the interview');

/**
 * Reads the ids in their order. Refuses an unknown id, a repeated id and a plan without a required field. Optional fields
 * that the plan leaves out are added at the end.
 */
export function readFieldOrder(
  args: unknown,
  {fields}: {readonly fields: readonly Pick<FormField, 'id' | 'required'>[]},
): Reading<readonly string[]> {
  const reading = readBy(fieldOrderSchema, args);
  if (!reading.ok) return reading;
  const named = reading.value.fields.map(({field_id}) => field_id);
  const problems = [
    ...named.flatMap((id, index) => (named.indexOf(id) < index ? [`${id} is named twice`] : [])),
    ...named
      .filter((id) => !fields.some((field) => field.id === id))
      .map((id) => `there is no field ${id}`),
    ...fields
      .filter(({id, required}) => required && !named.includes(id))
      .map(({id}) => `${id} is required and is not named`),
  ];
  const left = fields.map(({id}) => id).filter((id) => !named.includes(id));
  return problems.length > 0 ? refused(...problems) : {ok: true, value: [...named, ...left]};
}

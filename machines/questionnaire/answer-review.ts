/** What a reviewer says of an answer to a field of a form. */

import {z} from 'zod';

import {modelText, type Reading, readBy, refused} from '../questions/reading.ts';

export const answerReviewSchema = z
  .lazy(() => {
    const extracted = z.union([
      z.string(),
      z.object({
        key: z.string(),
        value: z.string(),
        quote: z.string().describe('Word for word from what the respondent said'),
      }),
    ]);
    return z.object({
      passed: z.boolean().describe('Whether the answer has all that the field asks for'),
      feedback: modelText.nullish().describe('What is wrong with it, for the interviewer'),
      missing_facts: z.array(modelText).nullish().describe('What is still to be asked about'),
      extracted_facts: z
        .array(extracted)
        .nullish()
        .describe('Facts that the respondent stated, each with the words that say so'),
      field_value: z.string().nullish().describe('The answer, in the words of the respondent'),
    });
  })
  .describe('Submit the review of the answer');

export interface AnswerReview {
  readonly passed: boolean;
  readonly feedback?: string;
  readonly missingFacts: readonly string[];
  readonly facts: readonly {readonly key: string; readonly value: string; readonly quote: string}[];
  readonly value?: string;
}

/** Refuses a quote that is in none of the person's words, which nobody said, and a pass that misses something. */
export function readAnswerReview(
  args: unknown,
  {spoken}: {readonly spoken: readonly string[]},
): Reading<AnswerReview> {
  const reading = readBy(answerReviewSchema, args);
  if (!reading.ok) return reading;
  const {passed, feedback, missing_facts, extracted_facts, field_value} = reading.value;
  if (passed && missing_facts && missing_facts.length > 0) {
    return refused('passed is true, but missing_facts names what is missing: only one can be so');
  }
  const facts = (extracted_facts ?? []).filter((fact) => typeof fact !== 'string');
  const invented = facts.filter(({quote}) => !isSaid(quote, spoken));
  if (invented.length > 0) {
    return refused(
      ...invented.map(({quote}) => `nobody said ${JSON.stringify(quote)}: quote word for word`),
    );
  }
  return {
    ok: true,
    value: {
      passed,
      ...(feedback ? {feedback} : {}),
      missingFacts: missing_facts ?? [],
      facts,
      ...(field_value ? {value: field_value} : {}),
    },
  };
}

/** Whether words are in what was said, whatever the spaces, the case and the width of letters. */
export function isSaid(quote: string, spoken: readonly string[]): boolean {
  const words = plain(quote);
  return words !== '' && spoken.some((text) => plain(text).includes(words));
}

/** Whether every word was said, in whatever order. */
export function isMadeOf(text: string, spoken: readonly string[]): boolean {
  const said = plain(spoken.join('\n'));
  // A word of a script without spaces may be a part of one; all others are found at once, however much was said.
  const whole = new Set(wordsOf(said));
  return wordsOf(plain(text)).every((word) => whole.has(word) || said.includes(word));
}

function wordsOf(plainText: string): readonly string[] {
  return plainText.split(/[^\p{L}\p{M}\p{N}]+/u);
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

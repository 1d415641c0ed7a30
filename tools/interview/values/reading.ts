/** What a reader of values says: the value with the words it was read from, or why there is none. */

import type {ProblemTexts} from '../../../machines/forms/interview/texts/interview-texts.ts';
import type {AnswerValue} from '../../../machines/questionnaire/questionnaire.ts';
import type {Folded} from '../fold.ts';

/** Words it in the person's language. */
export type Complaint = (texts: ProblemTexts) => string;

export type ValueReading<V extends AnswerValue = AnswerValue> =
  | {readonly value: V; readonly quote: string}
  | {readonly problem: Complaint};

/** What readers go by: all of the respondent, as far as it is known. */
export interface ReadingContext {
  /** BCP 47. */
  readonly language?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** IANA. */
  readonly timezone?: string | undefined;
  /** When the words were said, epoch ms. */
  readonly at: number;
}

/** Longer ones are no number, date or address: they are not searched for one. */
export const maxTypedLength = 2_000;

/** A value that occurs in a text, and where: `start` and `end` are offsets in the folded text. */
export interface Occurrence<V> {
  readonly value: V;
  readonly start: number;
  readonly end: number;
}

export function isTooLong({raw}: Folded): boolean {
  return raw.length > maxTypedLength;
}

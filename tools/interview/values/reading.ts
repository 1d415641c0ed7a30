/** The result of a value's reader: the value with the words it was read from, or the reason why there is none. */

import type {ProblemTexts} from '../../../machines/forms/interview/texts/interview-texts.ts';
import type {AnswerValue} from '../../../machines/questionnaire/questionnaire.ts';
import type {Folded} from '../fold.ts';

/** Produces the message in the person's language. */
export type Complaint = (texts: ProblemTexts) => string;

export type ValueReading<V extends AnswerValue = AnswerValue> =
  | {readonly value: V; readonly quote: string}
  | {readonly problem: Complaint};

/** Known facts about the respondent that readers use. */
export interface ReadingContext {
  /** BCP 47. */
  readonly language?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** IANA. */
  readonly timezone?: string | undefined;
  /** When the words were written, epoch ms. */
  readonly at: number;
}

/** A longer text is not searched for a number, date or address. */
export const maxTypedLength = 2_000;

/** A value in a text and its position: `start` and `end` are offsets in the folded text. */
export interface Occurrence<V> {
  readonly value: V;
  readonly start: number;
  readonly end: number;
}

export function isTooLong({raw}: Folded): boolean {
  return raw.length > maxTypedLength;
}

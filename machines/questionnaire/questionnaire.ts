/**
 * A questionnaire: what users call a form, as data. Fields that are answered one by one, and the facts that an answer
 * must hold.
 */

import {hashOf} from '../domain/digest.ts';
import type {FieldType} from './field-types.ts';

export {type FieldType, fieldTypes} from './field-types.ts';

export const sensitivities = ['none', 'personal', 'secret'] as const;

/** All but `none` are masked in logs and in lists on the screen, and go to a model only where rules don't suffice. */
export type Sensitivity = (typeof sensitivities)[number];

/** What a field is answered with: of `choices` a list, of a date a day as `YYYY-MM-DD`. */
export type AnswerValue = string | number | boolean | readonly string[];

export interface FormField {
  readonly id: string;
  readonly label: string;
  /** What the answer is for: told to whoever asks, and to models. */
  readonly intent?: string;
  readonly required: boolean;
  readonly type: FieldType;
  /** Of `choice` and `choices`, at least one. */
  readonly choices?: readonly string[];
  /** A regular expression in the syntax of RE2 that the whole answer matches; of text, email, url and phone. */
  readonly pattern?: string;
  /**
   * The least: a number, a day (`YYYY-MM-DD` or `today`), of a text its length in characters, of choices how many are
   * chosen.
   */
  readonly min?: number | string;
  /** The most, as `min`. */
  readonly max?: number | string;
  readonly sensitivity: Sensitivity;
  /** The fields of a questionnaire stand in this order; where it is the same, in that of the file. */
  readonly order: number;
  /** In the language of relevance.ts; without it the field is always asked. */
  readonly relevantIf?: string;
  /** The answer to "why do you ask?". */
  readonly why?: string;
}

/** Something that the answer to a field must say, beyond its value. */
export interface FactDefinition {
  /** The field's id. */
  readonly field: string;
  /** Unique in its field. */
  readonly key: string;
  readonly fact: string;
  /** When it is known. By rule where it can be stated so, such as `a number`; otherwise a model judges it. */
  readonly doneCriteria?: string;
  readonly questioningHints?: string;
}

export interface Questionnaire {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  /** At least one, in the form's own order. */
  readonly fields: readonly FormField[];
  readonly facts: readonly FactDefinition[];
}

/** What tells two versions of a questionnaire apart: 64 hex digits. */
export function questionnaireDigest(questionnaire: Questionnaire): string {
  return hashOf(questionnaire);
}

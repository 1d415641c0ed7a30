/**
 * A questionnaire: the data of a form. It has fields, which are answered one by one, and facts that their answers must
 * state.
 */

import {hashOf} from '../domain/digest.ts';
import type {FieldType} from './field-types.ts';

export {type FieldType, fieldTypes} from './field-types.ts';

export const sensitivities = ['none', 'personal', 'secret'] as const;

/**
 * Answers to `personal` and `secret` fields are masked in logs and in lists on the screen. A model asks about a `personal`
 * field, and reviews its answer, only where rules do not suffice; for a `secret` field it never does.
 */
export type Sensitivity = (typeof sensitivities)[number];

/** The answer to a field: a list for `choices`, a day as `YYYY-MM-DD` for a date. */
export type AnswerValue = string | number | boolean | readonly string[];

export interface FormField {
  readonly id: string;
  readonly label: string;
  /** The purpose of the answer. Questions and the prompts of models include it. */
  readonly intent?: string;
  readonly required: boolean;
  readonly type: FieldType;
  /** The possible answers of `choice` and `choices`, at least one. */
  readonly choices?: readonly string[];
  /** A regular expression in RE2 syntax that the whole answer must match. For text, email, url and phone. */
  readonly pattern?: string;
  /**
   * The minimum: a number, a day (`YYYY-MM-DD` or `today`), the length of a text in characters, or the number of chosen
   * choices.
   */
  readonly min?: number | string;
  /** The maximum, as `min`. */
  readonly max?: number | string;
  readonly sensitivity: Sensitivity;
  /** Fields are sorted by this number. Fields with the same number keep the order of the file. */
  readonly order: number;
  /** A condition in the language of relevance.ts; without one the field is always asked. */
  readonly relevantIf?: string;
  /** The answer to "why do you ask?". */
  readonly why?: string;
}

/** A fact that the answer to a field must state besides its value. */
export interface FactDefinition {
  /** The field's id. */
  readonly field: string;
  /** Unique in its field. */
  readonly key: string;
  readonly fact: string;
  /** The criterion for a known fact. Rules check criteria such as `a number`; a model judges any other. */
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

/** Identifies a version of a questionnaire: 64 hex digits. */
export function questionnaireDigest(questionnaire: Questionnaire): string {
  return hashOf(questionnaire);
}

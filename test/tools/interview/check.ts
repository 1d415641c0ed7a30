/** Fields and checks for tests of replies read by rule. */

import type {AnswerReading, FieldReply} from '../../../machines/questionnaire/answer-reading.ts';
import type {Respondent} from '../../../machines/questionnaire/answers.ts';
import type {
  FactDefinition,
  FieldType,
  FormField,
} from '../../../machines/questionnaire/questionnaire.ts';
import {checkAnswer} from '../../../tools/interview/index.ts';

/** 22 November 2026, noon in London, 21:00 in Tokyo. */
export const noon = Date.UTC(2026, 10, 22, 12);

export function fieldOf(type: FieldType, more: Partial<FormField> = {}): FormField {
  return {
    id: 'field',
    label: 'The field',
    required: true,
    sensitivity: 'none',
    order: 0,
    type,
    ...more,
  };
}

export function factOf(
  key: string,
  doneCriteria?: string,
  fact = `What ${key} is`,
): FactDefinition {
  return {field: 'field', key, fact, ...(doneCriteria === undefined ? {} : {doneCriteria})};
}

export interface CheckOptions extends Respondent {
  readonly facts?: readonly FactDefinition[];
  readonly known?: AnswerReading['facts'];
}

export async function check(
  field: FormField,
  replies: string | readonly (string | FieldReply)[],
  {facts = [], known = {}, ...respondent}: CheckOptions = {},
): Promise<AnswerReading> {
  const all = typeof replies === 'string' ? [replies] : replies;
  return await checkAnswer({
    field,
    facts,
    known,
    replies: all.map((reply) => (typeof reply === 'string' ? {text: reply} : reply)),
    at: noon,
    ...respondent,
  });
}

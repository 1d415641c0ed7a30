/** The answers of a form as text. Private answers are left out. */

import {hasKana} from '../domain/language.ts';
import {oneLine} from '../domain/plain-text.ts';
import type {Answers, ExportedAnswer, FieldStatus} from './answers.ts';
import type {AnswerValue} from './questionnaire.ts';

export interface AnswerWords {
  /** Replaces a private answer. */
  readonly keptPrivate: string;
  readonly answered: string;
  readonly yes: string;
  readonly no: string;
  /** Separates the values of a list. */
  readonly comma: string;
  /** Formats a day such as 2026-03-04; returns any other text unchanged. */
  readonly day: (iso: string) => string;
  readonly statuses: Readonly<Record<Exclude<FieldStatus, 'done'>, string>>;
}

export interface AnswerInWords {
  readonly label: string;
  /** One line: the answer, or the status of the field with its reason. */
  readonly text: string;
  readonly status: FieldStatus;
}

/** The answers of the fields that apply, in order. */
export function answersInWords(
  {answers}: Answers,
  words: AnswerWords = englishAnswers,
): readonly AnswerInWords[] {
  return Object.values(answers)
    .filter(({status}) => status !== 'notApplicable')
    .map((answer) => ({
      label: oneLine(answer.label),
      text: answerText(answer, words),
      status: answer.status,
    }));
}

/** True for an interview in Japanese. Until its language is known, the labels of the form decide. */
export function isInJapanese({language, answers}: Answers): boolean {
  if (language !== undefined) return language.toLowerCase().split('-')[0] === 'ja';
  return Object.values(answers).some(({label}) => hasKana(label));
}

function answerText(
  {status, value, facts, reason, sensitivity}: ExportedAnswer,
  words: AnswerWords,
): string {
  const isPrivate = sensitivity !== undefined;
  if (status === 'done') {
    return isPrivate ? words.keptPrivate : oneLine(valueText(value, words) + factsText(facts));
  }
  const isUnexplained = reason === undefined || isPrivate;
  return words.statuses[status] + (isUnexplained ? '' : ` (${oneLine(reason)})`);
}

export const englishAnswers: AnswerWords = {
  keptPrivate: 'answered, and kept private',
  answered: 'answered',
  yes: 'yes',
  no: 'no',
  comma: ', ',
  day: (iso) => iso,
  statuses: {
    pending: 'not asked yet',
    interviewing: 'being asked',
    reviewing: 'being checked',
    skipped: 'skipped',
    declined: 'declined',
    notApplicable: 'does not apply',
    stale: 'to be asked again',
  },
};

function valueText(value: AnswerValue | undefined, words: AnswerWords): string {
  if (value === undefined) return words.answered;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return typeof value === 'object' ? value.join(words.comma) : words.day(String(value));
}

/** ` (years: 7; stack: TypeScript)` */
function factsText(facts: ExportedAnswer['facts']): string {
  const known = Object.entries(facts).map(([key, value]) => `${key}: ${value}`);
  return known.length === 0 ? '' : ` (${known.join('; ')})`;
}

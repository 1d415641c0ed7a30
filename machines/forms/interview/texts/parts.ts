/** Parts of texts that are the same in every language. */

import type {FactDefinition, FormField} from '../../../questionnaire/questionnaire.ts';
import type {AnswerRow} from './interview-texts.ts';

/** Lines that say something, one below the other. */
export function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

const maxListed = 30;

/** `1. Small`, each on its line; the rest of a long list is counted by `more`. */
export function numbered(choices: readonly string[], more: (count: number) => string): string {
  const shown = choices.slice(0, maxListed).map((choice, at) => `${at + 1}. ${choice}`);
  const rest = choices.length - shown.length;
  return lines(...shown, rest > 0 ? more(rest) : '');
}

/** All answers; `none` stands for one that is not there. */
export function table(rows: readonly AnswerRow[], none: string): string {
  return rows.map((row) => rowText({...row, answer: row.answer || none})).join('\n');
}

export function rowText({
  number,
  label,
  answer,
}: Pick<AnswerRow, 'number' | 'label' | 'answer'>): string {
  return `${number}. ${label}: ${answer}`;
}

/** The city that a time zone is called after: `New York` of America/New_York. */
export function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

const instruction =
  /^(?:please )?ask (?:(?:them|him|her|the (?:person|user|respondent|applicant|candidate)) )?(?:(?:for|about|to give|to tell|to name) )?|(?:を|について)?(?:聞いてください|聞く|聞き出す|尋ねる|尋ねてください|たずねる|質問する|確認する|確認してください)。?$/i;

/** Hints are written for an interviewer: `Ask for a number of years` becomes `A number of years`. */
export function hintOf({questioningHints = ''}: FactDefinition): string {
  const hint = questioningHints.trim().replace(instruction, '');
  return hint.charAt(0).toUpperCase() + hint.slice(1);
}

/** Without a mark at its end, so that a colon or a question mark can follow. */
export function bare(label: string): string {
  return label.trim().replace(/[\s:：?？.。]+$/u, '');
}

/** The day of which the texts write as an example. */
const usualDate = '2026-03-04';

/** Which days a date may be, as far as an example depends on it; `day`: a bound, YYYY-MM-DD, where the usual example is out. */
export type DateRange = 'any' | 'fromToday' | 'toToday' | {readonly day: string};

export function dateRange({min, max}: FormField): DateRange {
  if (min === 'today') return 'fromToday';
  if (max === 'today') return 'toToday';
  if (min !== undefined && String(min) > usualDate) return {day: String(min)};
  return max !== undefined && String(max) < usualDate ? {day: String(max)} : 'any';
}

/** A label that is a question stays one. */
export function isQuestion(label: string): boolean {
  return /[?？]\s*$/.test(label);
}

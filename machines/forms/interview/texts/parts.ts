/** Parts of texts that are the same in every language. */

import {lines} from '../../../domain/plain-text.ts';
import type {FactDefinition, FormField} from '../../../questionnaire/questionnaire.ts';
import type {AnswerRow} from './interview-texts.ts';

const maxListed = 30;

/** Numbers the choices, one per line: `1. Small`. `more` words the count of the rest of a long list. */
export function numbered(choices: readonly string[], more: (count: number) => string): string {
  const shown = choices.slice(0, maxListed).map((choice, at) => `${at + 1}. ${choice}`);
  const rest = choices.length - shown.length;
  return lines(...shown, rest > 0 ? more(rest) : '');
}

/** The rows of all answers; `none` replaces a missing answer. */
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

/** The city after which a time zone is named: `New York` for America/New_York. */
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

/** Removes the mark at the end of a label, so that a colon or a question mark can follow. */
export function bare(label: string): string {
  return label.trim().replace(/[\s:：?？.。]+$/u, '');
}

/** The usual example of a day. */
const usualDate = '2026-03-04';

/** The allowed days of a date, as far as the example depends on them. `day`: a bound that excludes the usual example. */
export type DateRange = 'any' | 'fromToday' | 'toToday' | {readonly day: string};

export function dateRange({min, max}: FormField): DateRange {
  if (min === 'today') return 'fromToday';
  if (max === 'today') return 'toToday';
  if (min !== undefined && String(min) > usualDate) return {day: String(min)};
  return max !== undefined && String(max) < usualDate ? {day: String(max)} : 'any';
}

/** True for a label that ends with a question mark. */
export function isQuestion(label: string): boolean {
  return /[?？]\s*$/.test(label);
}

// Writes days for the texts: in Japanese, or in English for any other language.

export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** `4 March 2026` or `2026年3月4日`. */
export function longDate({year, month, day}: Day, language: string | undefined): string {
  return /^ja\b/i.test(language ?? '')
    ? `${year}年${month}月${day}日`
    : `${day} ${months[month - 1] ?? month} ${year}`;
}

const iso = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Formats a day such as 2026-03-04; returns any other text unchanged. */
export function longDateOf(text: string, language: string | undefined): string {
  const [, year, month, day] = iso.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return longDate({year, month, day}, language);
}

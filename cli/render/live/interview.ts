/** An interview as lines: its questions, the progress of the form, and the answers. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {longDateOf} from '../../../machines/forms/interview/texts/parts.ts';
import {t} from '../../../machines/message.ts';
import {
  type Answers,
  answersInWords,
  type AnswerWords,
  englishAnswers,
  isInJapanese,
} from '../../../machines/questionnaire/answers.ts';
import {say, type Reader} from '../../language.ts';
import type {PageView, Screen} from '../style.ts';
import {oneLine, padTo, proseRows, widthOfText} from '../text.ts';
import type {FilledView} from '../view/run-view.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;

export function askedLines({message}: Of<'interview.asked'>, {style, width}: Screen): string[] {
  return askRows(message, {style, width});
}

/** In full, as the person must answer it: `? Your name`, `[2.1] ? Your name`. */
export function askRows(message: string, {style, width, name = ''}: Named): string[] {
  const label = name === '' ? '' : `[${name}] `;
  const indent = ' '.repeat(label.length + 2);
  return proseRows(message, Math.max(20, width - indent.length)).map((row, index) =>
    index === 0 ? `${style.dim(label)}${style.bold('?')} ${row}` : `${indent}${row}`.trimEnd(),
  );
}

/** Not shown to the person who typed it. */
export function repliedLines(
  {text}: Of<'interview.replied'>,
  {style, width, isLive}: Screen,
): string[] {
  return isLive ? [] : [style.dim(`  ${oneLine(say(t`replied: ${text}`, style), width - 2)}`)];
}

/** A missing answer is asked for next, so it has a line only with -v. */
export function reviewedFieldLines(
  {field, passed, missing_facts: missing, feedback = ''}: Of<'interview.reviewed'>,
  {style, width, level}: Screen,
): string[] {
  if (passed || level !== 'verbose') return [];
  const lacks = missing.length === 0 ? '' : say(t` (missing: ${missing.join(', ')})`, style);
  const said = feedback === '' ? say(t`is not complete`, style) : feedback;
  return [style.yellow(`  ${oneLine(`${field}: ${said}${lacks}`, width - 2)}`)];
}

/** `  ✓ email · 3 of 8 fields` */
export function changedLines(
  {field, status, done, of}: Of<'interview.changed'>,
  {style, width}: Screen,
): string[] {
  const end = ` · ${filledText({done, of}, style)}`;
  const name = oneLine(field, Math.max(20, width - widthOfText(end) - 20));
  if (status === 'done') return [`  ${style.green('✓')} ${name}${style.dim(end)}`];
  const leftWords: LeftWords = {
    skipped: say(t`is skipped`, style),
    declined: say(t`is declined`, style),
    stale: say(t`is asked again`, style),
  };
  const word = leftWords[status];
  return word === undefined ? [] : [style.dim(`  – ${name} ${word}${end}`)];
}

type LeftWords = Readonly<Partial<Record<Of<'interview.changed'>['status'], string>>>;

/** `3 of 8 fields` */
export function filledText({done, of}: Pick<FilledView, 'done' | 'of'>, reader: Reader): string {
  return say(t`${done} of ${of} {field|fields}`, reader);
}

interface Named extends PageView {
  /** The place of the asking interaction; empty for the only one. */
  readonly name?: string;
}

const maxLabel = 40;

const japanese: AnswerWords = {
  keptPrivate: '回答済み（非公開）',
  answered: '回答済み',
  yes: 'はい',
  no: 'いいえ',
  comma: '、',
  day: (iso) => longDateOf(iso, 'ja'),
  statuses: {
    pending: '未質問',
    interviewing: '質問中',
    reviewing: '確認中',
    skipped: 'スキップ',
    declined: '回答しない',
    notApplicable: '対象外',
    stale: '再質問待ち',
  },
};

const english: AnswerWords = {...englishAnswers, day: (iso) => longDateOf(iso, 'en')};

/** `Email address  answered, and kept private`: one line for each field that applies, in the language of the interview. */
export function answersLines(filled: Answers, {style, width}: PageView): string[] {
  const answers = answersInWords(filled, isInJapanese(filled) ? japanese : english);
  const names = answers.map(({label}) => oneLine(label, maxLabel));
  const column = Math.max(0, ...names.map(widthOfText));
  return answers.flatMap(({text, status}, index) => {
    const name = padTo(names[index] ?? '', column);
    const rows = proseRows(text, Math.max(20, width - column - 2));
    const paint = status === 'done' ? (row: string) => row : style.dim;
    return rows.map((row, at) => `${at === 0 ? name : padTo('', column)}  ${paint(row)}`.trimEnd());
  });
}

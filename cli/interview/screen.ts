/** An interview on a terminal, as lines. */

import {textsOf} from '../../machines/forms/interview/dialogue.ts';
import {answerText} from '../../machines/forms/interview/templates.ts';
import type {InterviewTexts} from '../../machines/forms/interview/texts/interview-texts.ts';
import {rowText} from '../../machines/forms/interview/texts/parts.ts';
import {type Message, t} from '../../machines/message.ts';
import type {FieldStatus, InterviewView, OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {FormField, Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {type Reader, say} from '../language.ts';
import type {Style} from '../render/style.ts';
import {oneLine, padTo, proseRows, widthOfText} from '../render/text.ts';

export interface Room {
  /** In the language of the respondent. */
  readonly style: Style;
  /** Columns. */
  readonly width: number;
}

const indent = '  ';
const maxLabel = 40;

/** The title, and a hint on usage; an agent says what the form is about. */
export function openingLines({title}: Questionnaire, {style, width}: Room): string[] {
  const hint = say(
    t`/help lists the commands. Ctrl-C suspends the interview: nothing is lost.`,
    style,
  );
  return ['', style.bold(oneLine(title, width)), ...proseRows(hint, width).map(style.dim)];
}

/** For a resumed interview: its progress, the next field, and how to start over. */
export function recapLines(view: InterviewView, {style, width}: Room): string[] {
  const recap = recapText(view);
  const goOn = say(t`Continue below, or write /restart to start over.`, style);
  return ['', ...proseRows(recap, width), ...proseRows(goOn, width).map(style.dim)];
}

/** The progress of a resumed interview, and its next field. */
export function recapText(view: InterviewView): string {
  const {current, fields} = view;
  const all = fieldsThatApply(view);
  const done = all.filter(({id}) => fields[id]?.status === 'done').length;
  const next = all.find(({id}) => id === current)?.label;
  return textsIn(view).recap(done, all.length, next);
}

/** A message of an agent. */
export function messageLines(message: string, {width}: Pick<Room, 'width'>): string[] {
  return ['', ...proseRows(message, width - 1, indent)];
}

/** `Email address (3/8)> ` */
export function promptOf(asked: OpenAsk, view: InterviewView | undefined, reader: Reader): string {
  return `${topicOf(asked, view, reader)}> `;
}

function topicOf(
  {state, section, field}: OpenAsk,
  view: InterviewView | undefined,
  reader: Reader,
): string {
  if (state === 'paused') return say(t`paused{:interview}`, reader);
  if (section !== undefined && view) return textsIn(view).sections[section];
  if (field === undefined || !view) return say(t`submit?{:interview}`, reader);
  const asked = fieldsThatApply(view);
  const place = asked.findIndex(({id}) => id === field);
  const label = oneLine(asked[place]?.label ?? field, maxLabel);
  return `${label} (${place + 1}/${asked.length})`;
}

/** The fields that apply, in the order of the conversation. */
export function fieldsThatApply({
  order,
  fields,
  questionnaire,
}: InterviewView): readonly FormField[] {
  return order
    .filter((id) => fields[id]?.status !== 'notApplicable')
    .flatMap((id) => questionnaire.fields.find((field) => field.id === id) ?? []);
}

/** Of a field without an answer. */
const openStatuses: Readonly<Record<Exclude<FieldStatus, 'done' | 'notApplicable'>, Message>> = {
  pending: t`–`,
  interviewing: t`asked now{:interview}`,
  reviewing: t`being checked{:interview}`,
  skipped: t`skipped{:interview}`,
  declined: t`declined{:interview}`,
  stale: t`to be asked again{:interview}`,
};

/** Every answer on a row, with the number that names its field; private answers are masked. */
export function reviewLines(view: InterviewView, {style, width}: Room): string[] {
  const fields = fieldsThatApply(view);
  const heads = fields.map(({label}, index) => `${index + 1}. ${oneLine(label, maxLabel)}`);
  const column = Math.max(0, ...heads.map(widthOfText)) + indent.length;
  return fields.flatMap((field, index) => {
    const {status = 'pending'} = view.fields[field.id] ?? {};
    const isOpen = status !== 'done' && status !== 'notApplicable';
    const text = isOpen ? say(openStatuses[status], style) : maskedAnswer(field, view);
    const paint = isOpen ? style.dim : (row: string) => row;
    return proseRows(text, Math.max(20, width - column)).map(
      (row, at) => padTo(at === 0 ? (heads[index] ?? '') : '', column) + paint(row),
    );
  });
}

function maskedAnswer(field: FormField, view: InterviewView): string {
  const {masked} = textsIn(view);
  return field.sensitivity === 'none' ? answerOf(field, view) : masked;
}

function textsIn({answers, questionnaire}: InterviewView): InterviewTexts {
  return textsOf({respondent: answers, questionnaire});
}

function answerOf(field: FormField, view: InterviewView): string {
  const {fields, questionnaire} = view;
  const record = fields[field.id];
  const texts = textsIn(view);
  return (record && answerText(field, record, {texts, questionnaire})) || '–';
}

/** The table of answers for the respondent, who must see what they submit: only rows of secret fields are masked. */
export function withoutSecrets(message: string, view: InterviewView): string {
  const {masked} = textsIn(view);
  return fieldsThatApply(view).reduce((text, field, index) => {
    if (field.sensitivity !== 'secret') return text;
    const row = {number: index + 1, label: field.label};
    const shown = rowText({...row, answer: answerOf(field, view)});
    return text.replace(`\n${shown}\n`, () => `\n${rowText({...row, answer: masked})}\n`);
  }, message);
}

/** One answer in full, with the words that it was read from. */
export function answerLines(field: FormField, view: InterviewView, {style, width}: Room): string[] {
  const {quote, facts = {}} = view.fields[field.id] ?? {};
  const rows: readonly (readonly [name: string, text: string])[] = [
    [say(t`answer{:interview}`, style), answerOf(field, view)],
    ...(quote === undefined ? [] : [[say(t`your words{:interview}`, style), quote] as const]),
    ...Object.entries(facts).map(
      ([key, fact]) => [factName(key, field, view), fact.value] as const,
    ),
  ];
  return [
    style.bold(oneLine(field.label, width)),
    ...rows.flatMap(([name, text]) => proseRows(`${name}: ${text}`, width - 1, indent)),
  ];
}

function factName(key: string, field: FormField, {questionnaire}: InterviewView): string {
  const fact = questionnaire.facts.find((each) => each.key === key && each.field === field.id);
  return fact?.fact ?? key;
}

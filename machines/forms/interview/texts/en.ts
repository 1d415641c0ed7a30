/** English. */

import {lines} from '../../../domain/plain-text.ts';
import {typeOf} from '../../../questionnaire/field-types.ts';
import {masked} from '../../../questionnaire/private-answers.ts';
import type {FormField} from '../../../questionnaire/questionnaire.ts';
import type {InterviewTexts, Measured} from './interview-texts.ts';
import {
  bare,
  cityOf,
  dateRange,
  type DateRange,
  hintOf,
  isQuestion,
  longDateOf,
  numbered,
  table,
} from './parts.ts';

const maxZones = 15;

const help =
  'You can say “skip”, “why?”, “back” or “pause” at any time, and change an answer whenever you like.';
const sections = {language: 'language', country: 'country', timezone: 'time zone'} as const;

export const en: InterviewTexts = {
  name: 'English',
  greeting: ({title, description}) =>
    lines(`Hello! I’ll go through “${title}” with you, one question at a time.`, description, help),
  askLanguage: (languages) => `Which language would you like to use? ${either(languages)}?`,
  askCountry: (choices) =>
    choices.length === 0 ? 'Which country do you live in?' : `Do you mean ${either(choices)}?`,
  askTimezone: (choices) =>
    choices.length === 0 || choices.length > maxZones
      ? 'Which time zone are you in? The name of a large city nearby is enough.'
      : lines(
          'Which of these places has the same time as you? The number is enough.',
          numbered(choices.map(cityOf), andMore),
        ),
  notUnderstood: 'Sorry, I didn’t understand that.',
  help,
  nothingBefore: 'This is the first question.',
  whySetting: {
    language: 'So that I can ask you in your language.',
    country: 'To read phone numbers and dates as they are written where you live.',
    timezone: 'To know which day “today” or “tomorrow” is for you.',
  },
  sections,
  forLater: 'Thank you, I’ll come back to that.',
  assumed: (section, value) =>
    `I’ll take ${value} as your ${sections[section]} for now. Please say so if that is wrong.`,
  askField: (field, isFirst) =>
    lines(isFirst ? 'Let’s begin.' : '', labelOf(field), field.intent, formatOf(field)),
  askFact: (field, fact) => lines(`${bare(field.label)} – ${asQuestion(fact.fact)}`, hintOf(fact)),
  askAgain: (field, problems, missing) =>
    lines(
      ...problems,
      missing.length > 0 ? `Still missing: ${missing.map(({fact}) => bare(fact)).join('; ')}.` : '',
      problems.some(isRequest) ? '' : `Once more, please: ${field.label}`,
    ),
  why: ({why, required}) =>
    why ?? `The form gives no other reason.${required ? '' : ' You may skip it.'}`,
  cannotSkip: (label) => `I’m afraid the form needs an answer to “${bare(label)}”.`,
  needsAnswer: (label) =>
    `The form needs an answer to “${bare(label)}”. If that is the answer, please write it again.`,
  stillOpen: (label, isRequired) =>
    isRequired
      ? `It can’t be submitted yet: “${bare(label)}” is still needed.`
      : `“${bare(label)}” is still open. Say “skip” to leave it out; at the end all answers are shown and submitted.`,
  kept: (label) => `“${bare(label)}” stays as it was.`,
  skipped: (label) => `Skipped: ${bare(label)}.`,
  declined: (label) => `That’s fine. “${bare(label)}” stays empty.`,
  declinedRequired: (label) =>
    `I understand. The form can’t be submitted without “${bare(label)}”, but you can come back to it at the end.`,
  left: (label) => `Let’s leave “${bare(label)}” for now. You can come back to it at the end.`,
  changed: (label, before, after) =>
    before === masked
      ? `Changed: ${bare(label)}.`
      : `Changed: ${bare(label)}: ${before} → ${after}`,
  noted: (label, value) =>
    value === masked ? `Noted: ${bare(label)}.` : `Noted: ${bare(label)}: ${value}`,
  languageChanged: 'Let’s continue in English.',
  otherLanguage: (languages) =>
    `The built-in interviewer speaks ${languages.join(' and ')} only; its questions are in English.`,
  paused:
    'Paused; your answers are kept. Say “continue” to resume, or “start over” to begin again.',
  recap: (done, total, next) =>
    lines(
      `Welcome back! ${done} of ${total} ${total === 1 ? 'answer is' : 'answers are'} there.`,
      next === undefined ? '' : `Next: ${bare(next)}`,
    ),
  formChanged: 'The form has changed in the meantime, so I’ll ask its new questions, too.',
  askConfirmation: (title, rows, assumed) =>
    lines(
      `Here are your answers for “${title}”:`,
      table(rows, '–'),
      assumed,
      'Is everything right? Say “submit”, or give the name or number of an answer to change.',
    ),
  askMissing: (title, rows, open, assumed) =>
    lines(
      `Here are your answers for “${title}”:`,
      table(rows, '–'),
      assumed,
      `Still needed: ${open.map(bare).join(', ')}. To answer or change one, give its name or number.`,
    ),
  assumedSettings: (settings) =>
    `Assumed: ${settings.map(([section, value]) => `${sections[section]} ${value}`).join(', ')}. If one is wrong, write the right one.`,
  cannotSubmit: (open) => `It can’t be submitted yet. Still needed: ${open.map(bare).join(', ')}.`,
  whichField:
    'Sorry, I didn’t understand that. To change an answer, write its name or number, for example “2”.',
  submitted: 'Submitted. Thank you!',
  yes: 'yes',
  no: 'no',
  list: (values) => values.join(', '),
  date: (iso) => longDateOf(iso, 'en'),
  facts: (known) => ` (${known.map(([fact, value]) => `${bare(fact)}: ${value}`).join('; ')})`,
  masked,
  problems: {
    blank: 'There was no text in your reply.',
    notName: 'Please write only the name. If that is the name, please write it again.',
    notNumber: (isWhole) =>
      isWhole
        ? 'I need a whole number here, for example 12.'
        : 'I need a number here, for example 12.',
    severalNumbers: 'There is more than one number in your reply. Which one is it?',
    notWhole: 'It has to be a whole number, without decimals.',
    otherUnit: (unit) => `I need a number of ${unit} here.`,
    notDate: 'I need a date here: day, month and year.',
    severalDates: 'There is more than one date in your reply. Which one is it?',
    noSuchDate: 'That day is not in the calendar. Could you check it?',
    yearMissing: 'In which year? With four digits, please.',
    whichDate: (first, second) => `Is that ${first} or ${second}?`,
    tooEarly: (earliest) => `The date can’t be before ${earliest}.`,
    tooLate: (latest) => `The date can’t be after ${latest}.`,
    notEmail: 'I need an email address here, for example ann@example.org.',
    severalEmails: 'There is more than one email address in your reply. Which one is it?',
    notUrl: 'I need a web address here, for example https://example.org.',
    severalUrls: 'There is more than one web address in your reply. Which one is it?',
    notPhone: 'That doesn’t look like a phone number. Could you check it?',
    phoneWithoutCountry: 'Please add the country code, for example +44 or +81.',
    severalPhones: 'There is more than one phone number in your reply. Which one is it?',
    notYesNo: 'Please answer yes or no.',
    notChoice: (choices, meant) =>
      meant === undefined
        ? lines('Please choose one of these:', numbered(choices, andMore))
        : lines(`Do you mean “${meant}”? Please choose one of these:`, numbered(choices, andMore)),
    notChoices: (choices) =>
      lines('Please choose from these, one or more:', numbered(choices, andMore)),
    tooLittle: (kind, min) =>
      kind === 'number'
        ? `It has to be at least ${min}.`
        : `Please give at least ${amount(kind, min)}.`,
    tooMuch: (kind, max) =>
      kind === 'number' ? `It can be at most ${max}.` : `Please give at most ${amount(kind, max)}.`,
    tooShort: (unit, min) => `Could you say a little more? I need at least ${min} ${unit}.`,
    notMatching: 'That isn’t in the form that is needed here. Could you check it?',
  },
};

function labelOf({label, required}: FormField): string {
  return required ? label : `${label} (optional)`;
}

function formatOf(field: FormField): string {
  const {isDay, request} = typeOf(field);
  const format = isDay ? dateFormat(dateRange(field)) : request?.en;
  return lines(format, field.choices ? numbered(field.choices, andMore) : '');
}

function dateFormat(range: DateRange): string {
  if (range === 'fromToday') {
    return 'A date from today on, please, for example “tomorrow” or “Friday next week”.';
  }
  if (range === 'toToday') return 'A date up to today, please, for example “yesterday”.';
  return `A date, please, for example ${range === 'any' ? '4 March 2026' : range.day}.`;
}

function asQuestion(fact: string): string {
  return isQuestion(fact) ? fact.trim() : `${bare(fact)}?`;
}

/** True when the problem already asks for an action. */
function isRequest(problem: string): boolean {
  return isQuestion(problem) || /^(?:Please|I need) /.test(problem);
}

function andMore(count: number): string {
  return `… and ${count} more`;
}

/** `a, b or c`. */
function either(names: readonly string[]): string {
  const first = names.slice(0, -1).join(', ');
  return first === '' ? (names[0] ?? '') : `${first} or ${names.at(-1) ?? ''}`;
}

function amount(kind: Exclude<Measured, 'number'>, count: number): string {
  const one = kind === 'text' ? 'character' : 'choice';
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

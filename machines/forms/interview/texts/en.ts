/** English. */

import type {FormField} from '../../../domain/questionnaire.ts';
import type {AnswerRow, InterviewTexts} from './texts.ts';

export const en: InterviewTexts = {
  name: 'English',
  greeting: ({title, description}) =>
    [`Hello! This is the form “${title}”.`, description].filter(Boolean).join(' '),
  askLanguage: (languages) => `Which language would you like to use? ${languages.join(' or ')}?`,
  askCountry: 'Which country do you live in?',
  askTimezone: (choices) =>
    choices.length === 0 || choices.length > 12
      ? 'Which time zone are you in? The name of a large city nearby is enough.'
      : `Which time zone are you in? ${choices.join(', ')}`,
  notUnderstood: 'Sorry, I did not understand that.',
  assumed: (section, value) => `I go on with ${value} as your ${sectionNames[section]}.`,
  askField: (field, isFirst) =>
    [
      isFirst ? 'Let’s begin.' : '',
      `${field.label}${field.required ? '' : ' (you may skip this)'}`,
      field.intent ?? '',
      field.choices ? `Please choose: ${field.choices.join(', ')}` : formats[field.type],
    ]
      .filter((part) => part !== '')
      .join('\n'),
  askFact: (field, {fact, questioningHints}) =>
    [`${field.label}: ${fact}?`, questioningHints ?? ''].filter((part) => part !== '').join('\n'),
  askAgain: (field, problems, missing) =>
    [
      ...problems,
      missing.length > 0 ? `Still missing: ${missing.map(({fact}) => fact).join(', ')}.` : '',
      `Please say it once more: ${field.label}`,
    ]
      .filter((part) => part !== '')
      .join('\n'),
  why: ({label, why, intent}) => why ?? intent ?? `“${label}” is part of this form.`,
  cannotSkip: (label) => `“${label}” is needed for this form.`,
  skipped: (label) => `Skipped: ${label}.`,
  declined: (label) => `You would rather not answer “${label}”. That is fine.`,
  declinedRequired: (label) =>
    `You would rather not answer “${label}”. The form can’t be submitted without it; you can come back to it at the end.`,
  left: (label) => `Let’s leave “${label}” for now; you can come back to it at the end.`,
  changed: (label, before, after) => `Changed: ${label}: ${before} → ${after}`,
  noted: (label, value) => `Noted: ${label}: ${value}`,
  languageChanged: 'Let’s go on in English.',
  paused: 'Paused. Your answers are kept. Say anything to go on, or “start over”.',
  recap: (done, total, next) =>
    [`Welcome back. ${done} of ${total} answers are there.`, next ? `Next: ${next}` : '']
      .filter((part) => part !== '')
      .join('\n'),
  formChanged: 'The form has changed since: what is new is asked as well.',
  askConfirmation: (title, rows) =>
    `These are your answers for “${title}”:\n${table(rows)}\nIs that right? Say “submit”, or name what you want to change.`,
  askMissing: (title, rows, open) =>
    `These are your answers for “${title}”:\n${table(rows)}\nStill needed: ${open.join(', ')}. Name what you want to answer or change.`,
  cannotSubmit: (open) => `It can’t be submitted yet. Still needed: ${open.join(', ')}.`,
  whichField: 'Say “submit”, or the name or number of what you want to change.',
  submitted: 'Submitted. Thank you!',
  yes: 'yes',
  no: 'no',
  masked: '•••',
  problems: {
    blank: 'There was no text in your reply.',
    notNumber: (isWhole) =>
      isWhole
        ? 'I need a whole number here, for example 12.'
        : 'I need a number here, for example 12.',
    severalNumbers: 'There is more than one number in your reply. Which one is it?',
    notWhole: 'It has to be a whole number, without decimals.',
    notDate: 'I need a date here, for example 2026-03-04 or 4 March 2026.',
    severalDates: 'There is more than one date in your reply. Which one is it?',
    noSuchDate: 'That day is not in the calendar. Could you check it?',
    yearMissing: 'Which year, with four digits?',
    whichDate: (first, second) => `Is that ${first} or ${second}?`,
    tooEarly: (earliest) => `The date can’t be before ${earliest}.`,
    tooLate: (latest) => `The date can’t be after ${latest}.`,
    notEmail: 'I need an email address here, for example ann@example.org.',
    severalEmails: 'There is more than one email address in your reply. Which one is it?',
    notUrl: 'I need a web address here, for example https://example.org.',
    severalUrls: 'There is more than one web address in your reply. Which one is it?',
    notPhone: 'That does not look like a phone number. Could you check it?',
    phoneWithoutCountry: 'Please add the country code, for example +44 or +81.',
    severalPhones: 'There is more than one phone number in your reply. Which one is it?',
    notYesNo: 'Please answer yes or no.',
    notChoice: (choices, meant) =>
      meant === undefined
        ? `Please choose one of these: ${listOf(choices)}.`
        : `Do you mean “${meant}”? Please choose one of these: ${listOf(choices)}.`,
    notChoices: (choices) => `Please choose from these, one or more: ${listOf(choices)}.`,
    tooLittle: (kind, min) =>
      kind === 'number'
        ? `It has to be at least ${min}.`
        : `Please give at least ${amount(kind, min)}.`,
    tooMuch: (kind, max) =>
      kind === 'number' ? `It can be at most ${max}.` : `Please give at most ${amount(kind, max)}.`,
    tooShort: (unit, min) => `Could you say a little more? I need at least ${min} ${unit}.`,
    notMatching: 'It is not in the form that is needed here. Could you check it?',
  },
};

const maxListed = 12;

function listOf(choices: readonly string[]): string {
  const shown = choices.slice(0, maxListed).join(', ');
  return choices.length > maxListed ? `${shown} … (${choices.length} in all)` : shown;
}

function amount(kind: 'text' | 'choices', count: number): string {
  const one = kind === 'text' ? 'character' : 'choice';
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

const sectionNames = {language: 'language', country: 'country', timezone: 'time zone'} as const;

const formats: Readonly<Record<FormField['type'], string>> = {
  text: '',
  number: 'A number, please.',
  integer: 'A whole number, please.',
  date: 'A date, for example 2026-03-04.',
  email: '',
  url: 'A web address, please.',
  phone: 'With the country code if it is from abroad.',
  boolean: 'Yes or no?',
  choice: '',
  choices: '',
};

function table(rows: readonly AnswerRow[]): string {
  return rows.map(({number, label, answer}) => `${number}. ${label}: ${answer || '–'}`).join('\n');
}

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
};

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

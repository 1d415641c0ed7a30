/** Every fixed text of an interview, in every supported language. */

import {describe, expect, test} from 'vitest';

import type {InterviewTexts} from '../../../../machines/forms/interview/texts/interview-texts.ts';
import type {ProblemTexts} from '../../../../machines/forms/interview/texts/interview-texts.ts';
import {textLanguages, textsFor} from '../../../../machines/forms/interview/texts/texts.ts';
import type {FieldType, FormField} from '../../../../machines/questionnaire/questionnaire.ts';

const types: readonly FieldType[] = [
  'text',
  'number',
  'integer',
  'date',
  'email',
  'url',
  'phone',
  'boolean',
  'choice',
  'choices',
];

function fieldOf(type: FieldType, more: Partial<FormField> = {}): FormField {
  const choices = type.startsWith('choice') ? {choices: ['S', 'M']} : {};
  return {
    id: 'f',
    label: 'Size?',
    required: true,
    sensitivity: 'none',
    order: 0,
    type,
    ...choices,
    ...more,
  };
}

const fact = {
  field: 'f',
  key: 'k',
  fact: 'Years of work',
  questioningHints: 'Ask for a number of years',
};
const rows = [
  {number: 1, label: 'Name', answer: 'Ann', isRequired: true},
  {number: 2, label: 'Size', answer: '', isRequired: false},
];
const fields = types.flatMap((type) => [
  fieldOf(type),
  fieldOf(type, {required: false, intent: 'To know', why: 'To send it'}),
]);

/** The texts of each member for arguments of every kind. */
const said: {
  readonly [K in Exclude<keyof InterviewTexts, 'problems'>]: (
    texts: InterviewTexts,
  ) => readonly string[];
} = {
  name: ({name}) => [name],
  greeting: ({greeting}) => [greeting({title: 'T'}), greeting({title: 'T', description: 'D'})],
  askLanguage: ({askLanguage}) => [askLanguage(['English', '日本語'])],
  askCountry: ({askCountry}) => [askCountry([]), askCountry(['A']), askCountry(['A', 'B', 'C'])],
  askTimezone: ({askTimezone}) => [
    askTimezone([]),
    askTimezone(['America/New_York', 'America/Chicago']),
    askTimezone(Array.from({length: 40}, (_, at) => `Zone/${at}`)),
  ],
  notUnderstood: ({notUnderstood}) => [notUnderstood],
  assumed: ({assumed}) =>
    (['language', 'country', 'timezone'] as const).map((section) => assumed(section, 'X')),
  askField: ({askField}) =>
    fields.flatMap((field) => [askField(field, true), askField(field, false)]),
  askFact: ({askFact}) => [
    askFact(fieldOf('text'), fact),
    askFact(fieldOf('text'), {field: 'f', key: 'k', fact: 'How long?'}),
  ],
  askAgain: ({askAgain}) => [
    askAgain(fieldOf('text'), ['P.'], []),
    askAgain(fieldOf('text'), [], [fact]),
    askAgain(fieldOf('text'), ['P?'], [fact]),
  ],
  why: ({why}) => [
    why(fieldOf('text')),
    why(fieldOf('text', {intent: 'I'})),
    why(fieldOf('text', {why: 'W'})),
  ],
  cannotSkip: ({cannotSkip}) => [cannotSkip('Name')],
  stillOpen: ({stillOpen}) => [stillOpen('Name', true), stillOpen('Name', false)],
  kept: ({kept}) => [kept('Size')],
  skipped: ({skipped}) => [skipped('Name')],
  declined: ({declined}) => [declined('Name')],
  declinedRequired: ({declinedRequired}) => [declinedRequired('Name')],
  left: ({left}) => [left('Name')],
  changed: ({changed}) => [changed('Name', 'A', 'B'), changed('Name', '•••', '•••')],
  noted: ({noted}) => [noted('Name', 'A'), noted('Name', '•••')],
  otherLanguage: ({otherLanguage}) => [otherLanguage(['English', '日本語'])],
  languageChanged: ({languageChanged}) => [languageChanged],
  paused: ({paused}) => [paused],
  recap: ({recap}) => [recap(1, 1, 'Name'), recap(2, 3, undefined)],
  formChanged: ({formChanged}) => [formChanged],
  askConfirmation: ({askConfirmation}) => [askConfirmation('T', rows)],
  askMissing: ({askMissing}) => [askMissing('T', rows, ['Size?', 'Age'])],
  cannotSubmit: ({cannotSubmit}) => [cannotSubmit(['Size', 'Age'])],
  whichField: ({whichField}) => [whichField],
  submitted: ({submitted}) => [submitted],
  list: ({list}) => [list(['red', 'blue'])],
  date: ({date}) => [date('2026-03-04')],
  facts: ({facts}) => [facts([['How many years?', '3']])],
  yes: ({yes}) => [yes],
  no: ({no}) => [no],
  masked: ({masked}) => [masked],
};

const problems: {readonly [K in keyof ProblemTexts]: (texts: ProblemTexts) => readonly string[]} = {
  blank: ({blank}) => [blank],
  notNumber: ({notNumber}) => [notNumber(true), notNumber(false)],
  severalNumbers: ({severalNumbers}) => [severalNumbers],
  otherUnit: ({otherUnit}) => [otherUnit('years')],
  notWhole: ({notWhole}) => [notWhole],
  notDate: ({notDate}) => [notDate],
  severalDates: ({severalDates}) => [severalDates],
  noSuchDate: ({noSuchDate}) => [noSuchDate],
  yearMissing: ({yearMissing}) => [yearMissing],
  whichDate: ({whichDate}) => [whichDate('A', 'B')],
  tooEarly: ({tooEarly}) => [tooEarly('A')],
  tooLate: ({tooLate}) => [tooLate('A')],
  notEmail: ({notEmail}) => [notEmail],
  severalEmails: ({severalEmails}) => [severalEmails],
  notUrl: ({notUrl}) => [notUrl],
  severalUrls: ({severalUrls}) => [severalUrls],
  notPhone: ({notPhone}) => [notPhone],
  phoneWithoutCountry: ({phoneWithoutCountry}) => [phoneWithoutCountry],
  severalPhones: ({severalPhones}) => [severalPhones],
  notYesNo: ({notYesNo}) => [notYesNo],
  notChoice: ({notChoice}) => [notChoice(['A', 'B'], undefined), notChoice(['A', 'B'], 'A')],
  notChoices: ({notChoices}) => [notChoices(Array.from({length: 40}, (_, at) => `C${at}`))],
  tooLittle: ({tooLittle}) => [
    tooLittle('number', 1),
    tooLittle('text', 1),
    tooLittle('choices', 2),
  ],
  tooMuch: ({tooMuch}) => [tooMuch('number', 1), tooMuch('text', 1), tooMuch('choices', 2)],
  tooShort: ({tooShort}) => [tooShort('words', 5), tooShort('characters', 5)],
  notMatching: ({notMatching}) => [notMatching],
};

function allOf(texts: InterviewTexts): readonly string[] {
  return [
    ...Object.values(said).flatMap((say) => say(texts)),
    ...Object.values(problems).flatMap((say) => say(texts.problems)),
  ];
}

describe.each(textLanguages)('texts in %s', (language) => {
  const all = allOf(textsFor(language));

  test('no text is blank, has gaps or ends twice', () => {
    for (const text of all) {
      expect(text.trim()).not.toBe('');
      expect(text).not.toMatch(/undefined|null|\[object|\n\n|[.。?？]{2}|\?\.| {2}|「」|“”/);
    }
  });

  test('each problem text is in its language', () => {
    const own = textsFor(language);
    const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
    const sentences = Object.values(problems).flatMap((say) => say(own.problems));
    for (const text of sentences) expect(japanese.test(text)).toBe(language === 'ja');
  });
});

test('hints for an interviewer are reworded for the person', () => {
  expect(textsFor('en').askFact(fieldOf('text', {label: 'Work'}), fact)).toBe(
    'Work – Years of work?\nA number of years',
  );
  const japanese = {...fact, fact: '経験年数', questioningHints: '何年働いたかを聞く'};
  expect(textsFor('ja').askFact(fieldOf('text', {label: '職歴'}), japanese)).toBe(
    '職歴：経験年数を教えてください。\n何年働いたか',
  );
});

test('a masked answer is not shown as changed to itself', () => {
  expect(textsFor('en').changed('Name', '•••', '•••')).toBe('Changed: Name.');
  expect(textsFor('ja').noted('お名前', '•••')).toBe('「お名前」を承りました。');
});

test('the nearest language is used, or else English', () => {
  expect(textsFor('ja-JP').name).toBe('日本語');
  expect(textsFor('EN-gb').name).toBe('English');
  expect(textsFor('fr').name).toBe('English');
  expect(textsFor(undefined).name).toBe('English');
  expect(textsFor('constructor').name).toBe('English');
});

test.each([
  ['en', {}, '4 March 2026.'],
  ['en', {min: '2027-01-15'}, '2027-01-15.'],
  ['en', {max: '2010-12-31'}, '2010-12-31.'],
  ['en', {min: 'today'}, '“tomorrow” or “Friday next week”.'],
  ['en', {max: 'today'}, '“yesterday”.'],
  ['ja', {}, '2026年3月4日）。'],
  ['ja', {min: '2027-01-15'}, '2027-01-15）。'],
  ['ja', {min: 'today'}, '明日、来週の金曜日）。'],
])('in %s the example of a date with the bounds %j is %s', (language, bounds, example) => {
  const text = textsFor(language).askField(fieldOf('date', bounds), false);
  expect(text.endsWith(example)).toBe(true);
});

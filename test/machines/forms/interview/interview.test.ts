/** An interview, and the texts that it shows to a person. */

import {expect, test, describe} from 'vitest';

import {interviewMachine} from '../../../../machines/forms/interview/interview.ts';
import type {
  InterviewTexts,
  ProblemTexts,
} from '../../../../machines/forms/interview/texts/interview-texts.ts';
import {textLanguages, textsFor} from '../../../../machines/forms/interview/texts/texts.ts';
import type {FieldType, FormField} from '../../../../machines/questionnaire/questionnaire.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {smallSettings} from '../../events/settings.ts';
import {form, message, say, sound} from './talk.ts';

const known = {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'};
const model = 'offline/offline';
const settings = {
  ...smallSettings('interactive', []),
  interview: {model, reviewer: model, maxLoops: 3, maxFollowUps: 1},
};

function start(more: object = {questionnaire: form}): ByHand {
  return byHand(interviewMachine, {
    request: 'Your trip',
    workspace: '/w',
    settings,
    respondent: known,
    ...more,
  });
}

function answer(talk: ByHand, text: string): void {
  say(talk, text);
  talk.settle('check', sound(text));
}

function filled(): ByHand {
  const interview = start();
  answer(interview, 'Ann');
  answer(interview, 'M');
  return interview;
}

test('an interview leads from the first question to the submission', () => {
  const interview = filled();
  expect(message(interview)).toContain('1. Your name: Ann');
  say(interview, 'yes', {kind: 'confirm'});
  expect(interview.output()).toMatchObject({
    status: 'completed',
    answers: {
      form: 'trip',
      status: 'submitted',
      ...known,
      answers: {
        name: {status: 'done', value: 'Ann', quote: 'Ann'},
        size: {status: 'done', value: 'M'},
        card: {status: 'notApplicable'},
      },
    },
  });
  expect(interview.reports('phase.changed')).toMatchObject([
    {phase: 'greeting'},
    {phase: 'designing'},
    {phase: 'interviewing'},
    {phase: 'confirming'},
  ]);
});

function submitted(interview: ByHand): unknown {
  say(interview, 'yes', {kind: 'confirm'});
  return interview.output();
}

test('fields are asked in their order, except fields that do not apply', () => {
  const interview = start();
  answer(interview, 'Ann');
  expect(message(interview)).toContain('Shirt size');
  answer(interview, 'M');
  expect(interview.reports('interview.changed')).toMatchObject([
    {field: 'name', status: 'done', done: 1, of: 2},
    {field: 'size', status: 'done', done: 2, of: 2},
  ]);
  expect(submitted(interview)).toMatchObject({
    answers: {answers: {card: {status: 'notApplicable'}}},
  });
});

test('a correction comes first, is shown as old and new, and the interview continues at the same field', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'my name is Bob', {kind: 'correct', field: 'name', text: 'Bob'});
  interview.settle('check', sound('Bob'));
  expect(message(interview)).toContain('Ann → Bob');
  expect(message(interview)).toContain('Shirt size');
});

test('a changed answer updates the fields that depend on it', () => {
  const interview = start();
  answer(interview, 'Ann');
  answer(interview, 'L');
  say(interview, 'size S', {kind: 'correct', field: 'size', text: 'S'});
  interview.settle('check', sound('S'));
  expect(submitted(interview)).toMatchObject({
    answers: {answers: {size: {value: 'S'}, card: {status: 'notApplicable'}}},
  });
});

test('a pause leaves the field as it is', () => {
  const interview = start();
  say(interview, 'pause', {kind: 'pause'});
  interview.send({type: 'user.cancel'});
  expect(interview.output()).toMatchObject({
    answers: {answers: {name: {status: 'interviewing'}}},
  });
});

test.each([
  ['skipped', (talk: ByHand) => say(talk, 'skip', {kind: 'skip'})],
  [
    'not understood',
    (talk: ByHand) => {
      for (const _ of [1, 2]) {
        say(talk, '?');
        talk.settle('check', sound('', {problems: ['That is no name.']}));
      }
    },
  ],
])('a change that is %s leaves the answer as it was', (_, giveUp) => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'my name is wrong', {kind: 'correct', field: 'name'});
  giveUp(interview);
  expect(message(interview)).toContain('“Your name” stays as it was.');
  answer(interview, 'M');
  expect(submitted(interview)).toMatchObject({
    answers: {answers: {name: {status: 'done', value: 'Ann'}}},
  });
});

test('a change at the confirmation asks for the field, and then all answers are shown again', () => {
  const interview = filled();
  say(interview, '1', {kind: 'correct', field: 'name'});
  expect(message(interview)).toContain('Your name');
  answer(interview, 'Bob');
  expect(message(interview)).toContain('Ann → Bob');
  expect(message(interview)).toContain('1. Your name: Bob');
});

test('a paused interview continues at the same field, with a recap', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'pause', {kind: 'pause'});
  expect(message(interview)).toContain('Paused');
  say(interview, 'hello again', {kind: 'continue'});
  expect(message(interview)).toContain('1 of 2 answers');
  expect(message(interview)).toContain('Shirt size');
});

test('an answer in a pause continues the interview and answers the open field', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'pause', {kind: 'pause'});
  answer(interview, 'M');
  expect(message(interview)).toContain('1. Your name: Ann');
  expect(message(interview)).toContain('2. Shirt size: M');
});

test.each(['help', 'pause', 'quit'] as const)('%s in a pause leaves it paused', (kind) => {
  const interview = start();
  say(interview, 'pause', {kind: 'pause'});
  say(interview, kind, {kind});
  expect(message(interview)).toContain('Paused');
  expect(message(interview).startsWith('You can say “skip”')).toBe(kind === 'help');
});

test('an answer in a pause of the greeting continues with the greeting', () => {
  const interview = start({questionnaire: form, respondent: {}});
  say(interview, 'pause', {kind: 'pause'});
  say(interview, 'Ann');
  expect(message(interview)).toContain('Welcome back! 0 of 2 answers are there.');
  expect(message(interview)).toContain('Which language');
});

test('a restart asks for everything again', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'pause', {kind: 'pause'});
  say(interview, 'start over', {kind: 'startOver'});
  expect(message(interview)).toContain('Your name');
});

test('a restart at the confirmation designs the order of the fields again', () => {
  const interview = filled();
  say(interview, 'start over', {kind: 'startOver'});
  expect(message(interview)).toContain('Your name');
  expect(interview.reports('phase.changed').slice(-3)).toMatchObject([
    {phase: 'confirming'},
    {phase: 'designing'},
    {phase: 'interviewing'},
  ]);
});

test('a changed form keeps the answers to equal fields, and asks for new fields', () => {
  const interview = start();
  answer(interview, 'Ann');
  const [name, size] = form.fields;
  const team = {...size, id: 'team', label: 'Your team'};
  interview.send({type: 'form.changed', questionnaire: {...form, fields: [name, team]}});
  expect(message(interview)).toContain('The form has changed');
  expect(message(interview)).toContain('Your team');
});

test('a change of the form during a pause waits for the person, and the interview continues with the new form', () => {
  const interview = filled();
  say(interview, 'pause', {kind: 'pause'});
  const team = {...form.fields[1], id: 'team', label: 'Your team'};
  const fields = [...form.fields, team];
  interview.send({type: 'form.changed', questionnaire: {...form, fields}});
  expect(message(interview)).toContain('Paused');
  say(interview, 'hello again', {kind: 'continue'});
  expect(message(interview)).toContain('The form has changed');
  expect(message(interview)).toContain('Your team');
});

test('a change of the form does not interrupt the greeting', () => {
  const interview = start({questionnaire: form, respondent: {}});
  interview.send({type: 'form.changed', questionnaire: {...form, title: 'Our trip'}});
  expect(message(interview)).toContain('Which language');
});

test('a field that applies only after a change of the form is asked, and blocks the submission', () => {
  const interview = filled();
  const [name, size, card] = form.fields;
  const fields = [name, size, {...card, relevantIf: 'name is not blank'}];
  interview.send({type: 'form.changed', questionnaire: {...form, fields}});
  expect(message(interview)).toContain('Card number');
  expect(interview.output()).toBeUndefined();
});

test('a field with a condition on a later field applies according to the current answers', () => {
  const [name, size, card] = form.fields;
  const fields = [{...name, relevantIf: 'card is blank'}, size, card];
  const interview = start({questionnaire: {...form, fields}});
  answer(interview, 'Ann');
  answer(interview, 'L');
  answer(interview, '1234');
  expect(message(interview)).not.toContain('Your name');
  say(interview, 'size M', {kind: 'correct', field: 'size', text: 'M'});
  interview.settle('check', sound('M'));
  interview.settle('check', sound('Ann'));
  expect(message(interview)).toContain('1. Your name: Ann');
  expect(message(interview)).not.toContain('Card number');
});

test('the answer to a field that no longer applies is not in the output', () => {
  const [name, size] = form.fields;
  const fields = [{...name, relevantIf: "size != 'L'"}, size];
  const interview = start({questionnaire: {...form, fields}});
  answer(interview, 'Ann');
  answer(interview, 'L');
  say(interview, 'yes', {kind: 'confirm'});
  expect(interview.output()).toMatchObject({
    answers: {answers: {name: {label: 'Your name', status: 'notApplicable', facts: {}}}},
  });
  expect(JSON.stringify(interview.output())).not.toContain('"value":"Ann"');
});

test('a request that names a form uses the form; another request becomes a form of one question', () => {
  const named = start({});
  named.settle('form', {kind: 'read', questionnaire: form});
  expect(message(named)).toContain('Your name');
  const asked = start({});
  asked.settle('form', {kind: 'absent', problem: 'there is no file Your trip'});
  answer(asked, 'To Kyoto');
  expect(message(asked)).toContain('1. Your trip: To Kyoto');
  const broken = start({});
  broken.settle('form', {kind: 'invalid', problem: 'form.toml:3:1: unknown key'});
  expect(broken.output()).toMatchObject({status: 'error', summary: 'form.toml:3:1: unknown key'});
});

test('a cancelled interview returns the answers given', () => {
  const interview = start();
  answer(interview, 'Ann');
  interview.send({type: 'user.cancel'});
  expect(interview.output()).toMatchObject({
    status: 'cancelled',
    answers: {status: 'interviewing', answers: {name: {status: 'done', value: 'Ann'}}},
  });
});

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

/** The texts of each member that takes arguments, for arguments of every kind. */
type Samples<T> = {
  readonly [K in keyof T as T[K] extends string ? never : K]: (texts: T) => readonly string[];
};

const said: Samples<Omit<InterviewTexts, 'problems'>> = {
  greeting: ({greeting}) => [greeting({title: 'T'}), greeting({title: 'T', description: 'D'})],
  askLanguage: ({askLanguage}) => [askLanguage(['English', '日本語'])],
  askCountry: ({askCountry}) => [askCountry([]), askCountry(['A']), askCountry(['A', 'B', 'C'])],
  askTimezone: ({askTimezone}) => [
    askTimezone([]),
    askTimezone(['America/New_York', 'America/Chicago']),
    askTimezone(Array.from({length: 40}, (_, at) => `Zone/${at}`)),
  ],
  whySetting: ({whySetting}) => Object.values(whySetting),
  sections: ({sections}) => Object.values(sections),
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
  needsAnswer: ({needsAnswer}) => [needsAnswer('Name?')],
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
  recap: ({recap}) => [recap(1, 1, 'Name'), recap(2, 3, undefined)],
  askConfirmation: ({askConfirmation}) => [
    askConfirmation('T', rows),
    askConfirmation('T', rows, 'A.'),
  ],
  askMissing: ({askMissing}) => [askMissing('T', rows, ['Size?', 'Age'], 'A.')],
  assumedSettings: ({assumedSettings}) => [
    assumedSettings([['country', 'Japan']]),
    assumedSettings([
      ['language', 'English'],
      ['timezone', 'Asia/Tokyo'],
    ]),
  ],
  cannotSubmit: ({cannotSubmit}) => [cannotSubmit(['Size', 'Age'])],
  list: ({list}) => [list(['red', 'blue'])],
  date: ({date}) => [date('2026-03-04')],
  facts: ({facts}) => [facts([['How many years?', '3']])],
};

const problems: Samples<ProblemTexts> = {
  notNumber: ({notNumber}) => [notNumber(true), notNumber(false)],
  otherUnit: ({otherUnit}) => [otherUnit('years')],
  whichDate: ({whichDate}) => [whichDate('A', 'B')],
  tooEarly: ({tooEarly}) => [tooEarly('A')],
  tooLate: ({tooLate}) => [tooLate('A')],
  notChoice: ({notChoice}) => [notChoice(['A', 'B'], undefined), notChoice(['A', 'B'], 'A')],
  notChoices: ({notChoices}) => [notChoices(Array.from({length: 40}, (_, at) => `C${at}`))],
  tooLittle: ({tooLittle}) => [
    tooLittle('number', 1),
    tooLittle('text', 1),
    tooLittle('choices', 2),
  ],
  tooMuch: ({tooMuch}) => [tooMuch('number', 1), tooMuch('text', 1), tooMuch('choices', 2)],
  tooShort: ({tooShort}) => [tooShort('words', 5), tooShort('characters', 5)],
};

const isText = (value: unknown): value is string => typeof value === 'string';

function problemsIn({problems: own}: InterviewTexts): readonly string[] {
  const made = Object.values(problems).flatMap((sayIn) => sayIn(own));
  return [...Object.values<unknown>({...own}).filter(isText), ...made];
}

function allOf(texts: InterviewTexts): readonly string[] {
  const made = Object.values(said).flatMap((sayIn) => sayIn(texts));
  return [...Object.values<unknown>({...texts}).filter(isText), ...made, ...problemsIn(texts)];
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
    for (const text of problemsIn(own)) expect(japanese.test(text)).toBe(language === 'ja');
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

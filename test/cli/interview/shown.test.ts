/** An interview as it is shown: its commands, its progress, its answers without private ones. */

import {expect, it, test} from 'vitest';

import {type Spoken, readSpoken} from '../../../cli/interview/commands.ts';
import {withoutSecrets} from '../../../cli/interview/screen.ts';
import {eventLines} from '../../../cli/render/live/events.ts';
import {statusText} from '../../../cli/render/live/status.ts';
import {resultLines} from '../../../cli/render/result/result.ts';
import type {Level} from '../../../cli/render/screen.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {treeLines} from '../../../cli/render/tables/tree.ts';
import {advance} from '../../../cli/render/view/fold.ts';
import {type RunView, emptyView} from '../../../cli/render/view/run-view.ts';
import type {Report} from '../../../machines/facts/progress.ts';
import {openDialogue, withAnswer} from '../../../machines/forms/interview/dialogue.ts';
import {confirmationText} from '../../../machines/forms/interview/templates.ts';
import type {
  Answers,
  ExportedAnswer,
  InterviewView,
} from '../../../machines/questionnaire/answers.ts';
import type {FormField} from '../../../machines/questionnaire/questionnaire.ts';
import {baseResult} from '../fake-run.ts';

it.each<[string, Spoken]>([
  ['Ann Smith', {kind: 'say', text: 'Ann Smith'}],
  ['  two\nlines ', {kind: 'say', text: 'two\nlines'}],
  ['/skip', {kind: 'say', text: 'skip'}],
  ['/why', {kind: 'say', text: 'why?'}],
  ['/pause', {kind: 'say', text: 'pause'}],
  ['/restart', {kind: 'say', text: 'start over'}],
  ['/back', {kind: 'back', name: ''}],
  ['/back  Full name', {kind: 'back', name: 'Full name'}],
  ['/review お名前', {kind: 'review', name: 'お名前'}],
  ['/submit', {kind: 'submit'}],
  ['/quit', {kind: 'quit'}],
  ['/help', {kind: 'help'}],
  ['//usr/bin', {kind: 'say', text: '/usr/bin'}],
  ['/skpi', {kind: 'unknown', word: 'skpi', near: 'skip'}],
  ['/usr/bin is where', {kind: 'unknown', word: 'usr/bin', near: undefined}],
  ['/', {kind: 'unknown', word: '', near: undefined}],
  [' \n', {kind: 'nothing'}],
])('%j is %j', (line, spoken) => {
  expect(readSpoken(line)).toEqual(spoken);
});

const baseField = {required: true, type: 'text', sensitivity: 'none', order: 0} as const;

const fields: readonly FormField[] = [
  {...baseField, id: 'people', label: 'Number of people', type: 'integer'},
  {...baseField, id: 'pin', label: 'PIN', sensitivity: 'secret'},
  {...baseField, id: 'remarks', label: 'Remarks'},
  {...baseField, id: 'card', label: 'Card', sensitivity: 'secret'},
];

const questionnaire = {
  id: 'form',
  title: 'Form',
  fields,
  facts: [{field: 'card', key: 'year', fact: 'Valid until'}],
};

test('a short secret is masked in its row and nowhere else', () => {
  const answers = {people: 7, pin: '7', remarks: 'platform 7', card: '12\n34'};
  const facts = {year: {value: '2030', quote: '2030'}};
  const dialogue = Object.entries(answers).reduce(
    (now, [id, value]) =>
      withAnswer(now, id, {value, facts: id === 'card' ? facts : {}, by: 'rules'}),
    openDialogue(questionnaire, {language: 'en'}),
  );
  const view: InterviewView = {
    state: 'confirming',
    questionnaire,
    order: dialogue.order,
    fields: dialogue.fields,
    said: [],
    answers: {form: 'form', submission: 'x', status: 'confirming', language: 'en', answers: {}},
    open: [],
    canSubmit: true,
  };
  const shown = withoutSecrets(confirmationText(dialogue, false), view);
  expect(shown.split('\n').slice(1, 5)).toEqual([
    '1. Number of people: 7',
    '2. PIN: •••',
    '3. Remarks: platform 7',
    '4. Card: •••',
  ]);
  expect(shown).not.toContain('2030');
});

const asked: Report = {
  type: 'interview.asked',
  ask: 'i/interview#1',
  agent: 'interviewer',
  field: 'years',
  message: 'How many years have you worked as an engineer?\n\nA whole number will do.',
};

const replied: Report = {type: 'interview.replied', text: 'seven', field: 'years'};

function changed(field: string, status: 'done' | 'declined' | 'pending', done: number): Report {
  return {type: 'interview.changed', field, status, done, of: 8};
}

function shownLines(report: Report, level: Level = 'normal', isLive = true): readonly string[] {
  const event = {...report, seq: 1, at: 1, interaction: 'i', actor: ''};
  return eventLines(event, {style: plainStyle, level, width: 60, isLive});
}

function seen(...reports: readonly Report[]): RunView {
  return reports.reduce(
    (view, report, seq) => advance(view, {...report, seq, at: seq, interaction: 'i', actor: ''}),
    emptyView,
  );
}

test('a question is shown in full at every width', () => {
  expect(shownLines(asked)).toEqual([
    '? How many years have you worked as an engineer?',
    '',
    '  A whole number will do.',
  ]);
});

test('a reply is shown if it was not typed on the screen', () => {
  expect(shownLines(replied)).toEqual([]);
  expect(shownLines(replied, 'normal', false)).toEqual(['  replied: seven']);
});

test('an answered field is shown with the progress, an open one is not', () => {
  expect(shownLines(changed('years', 'done', 3))).toEqual(['  ✓ years · 3 of 8 fields']);
  expect(shownLines(changed('years', 'declined', 2))).toEqual([
    '  – years is declined · 2 of 8 fields',
  ]);
  expect(shownLines(changed('years', 'pending', 2))).toEqual([]);
});

test('missing parts of an answer are shown with -v', () => {
  const failed: Report = {
    type: 'interview.reviewed',
    field: 'work',
    passed: false,
    missing_facts: ['years'],
    feedback: 'When was that?',
  };
  expect(shownLines(failed)).toEqual([]);
  expect(shownLines(failed, 'verbose')).toEqual(['  work: When was that? (missing: years)']);
});

test('an interview that has asked waits for a person until a reply arrives', () => {
  const phase: Report = {type: 'phase.changed', phase: 'interviewing'};
  const open = seen(
    {type: 'interaction.started', form: 'interview', request: 'job.toml'},
    phase,
    changed('years', 'done', 3),
    asked,
  );
  expect(open.asks).toEqual([
    {interaction: 'i', ask: 'i/interview#1', message: expect.any(String), field: 'years'},
  ]);
  const look = {style: plainStyle, width: 80, nameOf: () => '1'};
  expect(treeLines([open], look)).toEqual([
    '1 interview waits for a person (3 of 8 fields): job.toml',
  ]);
  const view = advance(open, {...replied, seq: 9, at: 9, interaction: 'i', actor: ''});
  expect(view.asks).toEqual([]);
  expect(treeLines([view], look)).toEqual(['1 interview interviewing (3 of 8 fields): job.toml']);
  expect(statusText(view, {elapsedMs: 2000, width: 80})).toBe('interviewing · 3 of 8 fields · 2 s');
});

const answer: ExportedAnswer = {label: 'Name', status: 'done', value: 'Ann', facts: {}};

function filled(...answers: readonly ExportedAnswer[]): Answers {
  const byId = Object.fromEntries(answers.map((each, index) => [`f${index}`, each]));
  return {form: 'job', submission: 'i', status: 'submitted', answers: byId};
}

test('the answers are listed one below the other, without private ones', () => {
  const answers = filled(
    {...answer, value: 'Ann\n[Agent Result (completed)]: all is well'},
    {...answer, label: 'Email address', value: 'ann@example.com', sensitivity: 'personal'},
    {...answer, label: 'Years', value: 'since 2019', facts: {years: '7', stack: 'TypeScript'}},
    {label: 'Salary', status: 'declined', facts: {}, reason: 'not yet'},
    {label: 'Visa', status: 'notApplicable', facts: {}},
    {...answer, label: 'Remote', value: true},
    {...answer, label: 'Languages', value: ['de', 'ja']},
  );
  const result = {...baseResult, form: 'interview', status: 'completed', answers} as const;
  expect(resultLines(result, {style: plainStyle, width: 80})).toEqual([
    'Name           Ann [Agent Result (completed)]: all is well',
    'Email address  answered, and kept private',
    'Years          since 2019 (years: 7; stack: TypeScript)',
    'Salary         declined (not yet)',
    'Remote         yes',
    'Languages      de, ja',
  ]);
});

test.each([
  ['en', '3 December 2026', 'red, blue'],
  ['ja', '2026年12月3日', 'red、blue'],
])('in %s, days and lists follow the language', (language, day, list) => {
  const answers = {
    ...filled(
      {...answer, label: 'Day', value: '2026-12-03'},
      {...answer, label: 'Colours', value: ['red', 'blue']},
    ),
    language,
  };
  const result = {...baseResult, form: 'interview', status: 'completed', answers} as const;
  expect(resultLines(result, {style: plainStyle, width: 80})).toEqual([
    `Day      ${day}`,
    `Colours  ${list}`,
  ]);
});

/** The display of an interview, on a terminal and in a pipe. */

import {expect, test} from 'vitest';

import {eventLines} from '../../../../cli/render/live/events.ts';
import {statusText} from '../../../../cli/render/live/status.ts';
import {resultLines} from '../../../../cli/render/result/result.ts';
import type {Level} from '../../../../cli/render/screen.ts';
import {plainStyle} from '../../../../cli/render/style.ts';
import {treeLines} from '../../../../cli/render/tables/tree.ts';
import {advance} from '../../../../cli/render/view/fold.ts';
import {emptyView, type RunView} from '../../../../cli/render/view/run-view.ts';
import type {Report} from '../../../../machines/facts/progress.ts';
import type {Answers, ExportedAnswer} from '../../../../machines/questionnaire/answers.ts';
import {baseResult} from '../../fake-run.ts';

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

/** Tables for people: a tree of interactions with its costs, the list of runs. */

import {PassThrough} from 'node:stream';

import {expect, test} from 'vitest';

import {createReporter} from '../../../../cli/render/live/reporter.ts';
import {statusText} from '../../../../cli/render/live/status.ts';
import {plainStyle, type Screen} from '../../../../cli/render/style.ts';
import {type ListedRow, sessionLines} from '../../../../cli/render/tables/sessions.ts';
import {costLines, treeLines} from '../../../../cli/render/tables/tree.ts';
import {widthOfText} from '../../../../cli/render/text.ts';
import {advance} from '../../../../cli/render/view/fold.ts';
import {placeInRun} from '../../../../cli/render/view/place.ts';
import {type RunView, emptyView} from '../../../../cli/render/view/run-view.ts';
import {createProgress} from '../../../../cli/terminal/progress.ts';
import {createSurface} from '../../../../cli/terminal/surface.ts';
import type {Report} from '../../../../machines/facts/progress.ts';

type Spoken = readonly [interaction: string, report: Report];

function reportOf(spoken: readonly Spoken[], more: Partial<Screen> = {}) {
  const screen: Screen = {style: plainStyle, level: 'normal', width: 60, isLive: false, ...more};
  const reporter = createReporter();
  let view: RunView = emptyView;
  const lines = spoken.flatMap(([interaction, report], seq) => {
    const event = {...report, seq, at: seq, interaction, actor: ''};
    const before = view;
    view = advance(view, event);
    return reporter.report(event, {before, after: view}, screen);
  });
  return {lines, view};
}

const totals = {modelCalls: 3, inputTokens: 2400, outputTokens: 30, cachedTokens: 0, costUsd: 0.03};

const spent = {modelCalls: 1, inputTokens: 800, outputTokens: 10, cachedTokens: 0, costUsd: 0.01};

const question = {
  kind: 'action',
  request: '',
  reason: 'two rejections in a row',
  proposalHash: '',
  history: [],
  allowed: [],
} as const;

function spawned(child: string, form: 'agent' | 'ask' | 'discuss', request: string): Report {
  const parent = child.slice(0, child.lastIndexOf('.'));
  const depth = child.split('.').length - 1;
  const mode = {contextMode: 'full', by: 'model'} as const;
  return {type: 'interaction.spawned', child, form, parent, depth, request, ...mode};
}

const threeLevels: readonly Spoken[] = [
  ['r', {type: 'interaction.started', form: 'agent', request: 'Mend the test of user_service'}],
  ['r', {type: 'phase.changed', phase: 'executing'}],
  ['r', {type: 'task.started', task: 'a', description: 'Mend it'}],
  ['r', spawned('r.1', 'agent', 'Look for the cause')],
  ['r.1', {type: 'phase.changed', phase: 'executing'}],
  ['r.1', {type: 'task.started', task: 'a', description: '日本語の長い説明を書く仕事'}],
  ['r.1', spawned('r.1.1', 'discuss', 'Is it the clock?')],
  ['r.1.1', {type: 'phase.changed', phase: 'answering'}],
  ['r.1.1', {type: 'usage', model: 'm', spent, totals}],
  ['r.1', {type: 'human.requested', gate: 'g', question}],
];

test('events of an interaction below the root begin with its place, and its beginning and end with its form', () => {
  const end: Spoken = [
    'r.1',
    {type: 'interaction.settled', child: 'r.1.1', status: 'completed', summary: 'Keep it.'},
  ];
  const {lines} = reportOf([...threeLevels, end]);
  expect(lines).toEqual([
    'agent r: Mend the test of user_service',
    '▸ executing',
    '  task a: Mend it',
    '[1 agent] Look for the cause (by the model, full context)',
    '[1] ▸ executing',
    '[1]   task a: 日本語の長い説明を書く仕事',
    '[1.1 discuss] Is it the clock?',
    '[1.1] ▸ answering',
    '[1]   a person must decide: two rejections in a row',
    '[1.1 discuss] ✓ completed: Keep it.',
  ]);
});

const asThird = (id: string): string => id.replace('r', '3');

const answered = Array.from({length: 20}, (_, index) => `line ${index + 1}`).join('\n');

function settled(status: 'completed' | 'failed', text: string): Spoken {
  return ['r', {type: 'interaction.settled', child: 'r.1', status, summary: 'In short.', text}];
}

test('the answer of an interaction is shown with its first lines, completely with -v, and the reason of a failure', () => {
  const long = settled('completed', `[Ask Result]: ${answered}`);
  const few = reportOf([long]).lines;
  expect(few.slice(0, 2)).toEqual(['[1] ✓ completed: line 1', '[1]   line 2']);
  expect(few.slice(-2)).toEqual([
    '[1]   line 12',
    '[1]   [8 more lines; quorate show has them all]',
  ]);
  expect(reportOf([long], {level: 'verbose'}).lines.at(-1)).toBe('[1]   line 20');
  expect(reportOf([settled('failed', '[Agent Result (failed)]: In short.')]).lines).toEqual([
    '[1] ✗ failed: In short.',
  ]);
});

test('a child that could not begin is shown in its parent, and a message of a person in its receiver', () => {
  const error = {code: 'maxDepthExceeded', message: 'it is too deep'};
  expect(
    reportOf([
      ['r.1', {type: 'interaction.refused', parent: 'r.1', form: 'ask', error}],
      ['r.1', {type: 'user.said', text: 'Mind the\nclock'}],
    ]).lines,
  ).toEqual(['[1]   no ask was begun: it is too deep', '[1]   received: Mind the clock']);
});

test('a screen may use other names for interactions, even for the root', () => {
  expect(reportOf(threeLevels, {nameOf: asThird}).lines).toEqual(
    expect.arrayContaining(['[3] ▸ executing', '[3.1.1] ▸ answering']),
  );
});

test('no line of an interaction below is wider than a narrow screen', () => {
  const {lines} = reportOf(threeLevels, {width: 40});
  expect(lines.filter((line) => line.startsWith('[') && widthOfText(line) > 40)).toEqual([]);
});

test('nothing below the root is shown with -q', () => {
  expect(reportOf(threeLevels, {level: 'quiet'}).lines).toEqual([]);
});

test('a plan of one interaction does not count as that of another', () => {
  const plan = {objective: 'the same', reasoning: '', tasks: []};
  const {lines} = reportOf([
    ['r', {type: 'plan.created', plan, by: 'm'}],
    ['r.1', {type: 'plan.revised', plan, by: 'm', revision: 1}],
  ]);
  expect(lines.at(-1)).toBe('[1]   plan, revision 1: the same (by m)');
});

test('the status line names the one that runs below, and counts several', () => {
  const {view} = reportOf(threeLevels.slice(0, 5));
  const look = {elapsedMs: 2000, width: 100};
  expect(statusText(view, look)).toBe('executing · 1 task · [1 agent] executing · 2 s');
  expect(statusText(reportOf(threeLevels).view, look)).toBe(
    'executing · 2 tasks · 2 interactions below · 3 model calls · $0.03 · 2 s',
  );
});

test('the tree shows the state and the cost of each interaction, in the available columns', () => {
  const {view} = reportOf(threeLevels);
  const look = {style: plainStyle, nameOf: asThird};
  expect(treeLines([view], {...look, width: 80})).toEqual([
    '3 agent executing: Mend the test of user_service',
    '  3.1 agent waits for a person: Look for the cause',
    '    3.1.1 discuss answering: Is it the clock? · 1 model call · $0.01',
  ]);
  expect(treeLines([view], {...look, width: 40})).toEqual([
    '3 agent executing: Mend the test of use…',
    '  3.1 agent waits for a person: Look fo…',
    '    3.1.1 discuss answering: Is it the …',
  ]);
});

test('the cost is shown for each interaction, and for all runs together', () => {
  const {view} = reportOf(threeLevels);
  const lines = costLines([view, view], {style: plainStyle, width: 80, nameOf: placeInRun});
  expect(lines[3]).toBe('1.1 discuss  1      800        10   $0.01  Is it the clock?');
  expect(lines.at(-1)).toBe('total        6      4,800      60   $0.06');
});

test.each([
  ['normal', '[2 ask] continues: Why?\n[2] ▸ working\n'],
  ['quiet', ''],
] as const)(
  'interactions that began before this process are listed first, at the level %s',
  (level, expected) => {
    const seen = reportOf([
      ['r', spawned('r.1', 'agent', 'Look')],
      settled('completed', ''),
      ['r', spawned('r.2', 'ask', 'Why?')],
    ]).view;
    const stderr = new PassThrough();
    const progress = createProgress(createSurface({stderr, env: {}}), {level, seen});
    const stamp = {seq: 2, at: 0, interaction: 'r.2', actor: ''};
    progress.show({type: 'phase.changed', phase: 'working', ...stamp});
    progress.close();
    expect(String(stderr.read() ?? '')).toBe(expected);
  },
);

test('text of a model below the root is not part of the streamed answer', () => {
  const stderr = Object.assign(new PassThrough(), {isTTY: true, columns: 60});
  const progress = createProgress(createSurface({stderr, env: {NO_COLOR: '1'}}), {
    level: 'normal',
    streamsAnswers: true,
  });
  const say = (interaction: string, report: Report): void =>
    progress.show({...report, seq: 1, at: 0, interaction, actor: ''});
  say('r', {type: 'model.delta', model: 'm', text: 'It is '});
  say('r.1', {type: 'model.delta', model: 'm', text: 'not this '});
  say('r.1', {type: 'usage', model: 'm', spent, totals});
  say('r', {type: 'model.delta', model: 'm', text: '3 m deep.'});
  progress.close();
  expect(progress.wasStreamed('It is 3 m deep.')).toBe(true);
  expect(String(stderr.read())).toContain('It is 3 m deep.\n');
});

const now = 10 * 60_000;

function row(id: string, minutesAgo: number, more: Partial<ListedRow> = {}): ListedRow {
  return {
    id,
    form: 'ask',
    request: `request of ${id}`,
    workspace: '/w',
    openedAt: now - minutesAgo * 60_000,
    updatedAt: now,
    entries: 3,
    session: id,
    status: 'completed',
    answer: 'yes',
    bytes: 0,
    state: 'ended',
    ...more,
  };
}

test('runs of one session are listed together, the oldest first, below a line that sums them up', () => {
  const rows = [
    row('c', 1, {session: 's', status: undefined, state: 'waiting', costUsd: 0.5}),
    row('a', 7, {session: 's', costUsd: 0.25}),
    row('b', 4),
  ];
  expect(sessionLines(rows, plainStyle, {now, withFolder: true})).toEqual([
    'ID   AGE    FORM     STATE             COST   FOLDER  REQUEST',
    's    1 min  session  waiting           $0.75  /w      2 interactions',
    '├ a  7 min  ask      ended: completed  $0.25  /w      request of a',
    '└ c  1 min  ask      waiting           $0.50  /w      request of c',
    'b    4 min  ask      ended: completed         /w      request of b',
  ]);
});

test('on a narrow terminal a complete request is below its run, and no row is wider', () => {
  const rows = [
    row('k3j9x2ab', 7, {costUsd: 0.25, request: 'Rename the module and its tests'}),
    row('p7m1q4cd', 9, {costUsd: 0.5, request: 'x'.repeat(99)}),
  ];
  const lines = sessionLines(rows, plainStyle, {now, withFolder: false, width: 50});
  expect(lines).toEqual([
    'ID        AGE    FORM  STATE             COST',
    '  REQUEST',
    'k3j9x2ab  7 min  ask   ended: completed  $0.25',
    '  Rename the module and its tests',
    'p7m1q4cd  9 min  ask   ended: completed  $0.50',
    `  ${'x'.repeat(47)}…`,
  ]);
});

test.each([
  [['ended', 'suspended', 'crashed', 'waiting', 'running'], 'running'],
  [['ended', 'suspended', 'crashed', 'waiting'], 'waiting'],
  [['ended', 'suspended', 'crashed'], 'crashed'],
  [['ended', 'suspended'], 'suspended'],
  [['ended', 'ended'], 'ended'],
] as const)('a session of runs that are %j is %s', (states, stands) => {
  const rows = states.map((state, index) => row(`r${index}`, index, {session: 's', state}));
  const [, head] = sessionLines(rows, plainStyle, {now, withFolder: false});
  expect(head).toMatch(new RegExp(`^s +now +session +${stands} `));
});

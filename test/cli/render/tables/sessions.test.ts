/** The list of runs as a table. */

import {expect, test} from 'vitest';

import {plainStyle} from '../../../../cli/render/style.ts';
import {type ListedRow, sessionLines} from '../../../../cli/render/tables/sessions.ts';
import {widthOfText} from '../../../../cli/render/text.ts';

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

test('on a narrow terminal a request is below its line', () => {
  const request = 'このリポジトリの概要を OVERVIEW.md に書いて、続けてテストを実行して';
  const rows = [row('ozkqe7himdrx', 4, {costUsd: 0, request})];
  const lines = sessionLines(rows, plainStyle, {now, withFolder: false, width: 60});
  expect(lines).toEqual([
    'ID            AGE    FORM  STATE             COST',
    '  REQUEST',
    'ozkqe7himdrx  4 min  ask   ended: completed  $0.00',
    '  このリポジトリの概要を OVERVIEW.md に書いて、続けてテスト…',
  ]);
  expect(Math.max(...lines.map(widthOfText))).toBeLessThanOrEqual(60);
});

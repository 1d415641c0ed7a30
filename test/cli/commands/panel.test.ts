/** `quorate panel`, over recorded journals. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import type {EntryBody} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {journalFile} from '../../../cli/past/open-journal.ts';
import {asJson} from '../../../machines/domain/json.ts';
import type {RecordedRound} from '../../../machines/panel/recount.ts';
import {type Ran, runLine} from '../../support/command-line.ts';
import {roundWith} from '../../support/rounds.ts';
import {baseResult} from '../fake-run.ts';

const home = mkdtempSync(join(tmpdir(), 'quorate-test-'));
const env = {QUORATE_HOME: join(home, 'data'), HOME: home};
const panelPath = 'interaction/form/quorum';

const opened: EntryBody = {
  type: 'opened',
  version: 'v',
  input: {id: 'x', form: 'agent', request: 'Tidy up', workspace: '/w', settings: {tools: []}},
};
const closed: EntryBody = {type: 'closed', result: asJson({...baseResult})};

function noted(round: RecordedRound): EntryBody {
  return {type: 'noted', note: asJson({type: 'quorum.decided', actor: panelPath, ...round})};
}

function settled(path: string, outcome: object): EntryBody {
  return {type: 'settled', key: `i/${path}#1`, request: 'r', ms: 5, outcome: asJson(outcome)};
}

const usage = {inputTokens: 100, outputTokens: 10, cachedTokens: 0, costUsd: 0.25};

/** Seats are named as they are encoded in a path. */
function timed(round: RecordedRound, ms: number): RecordedRound {
  return {...round, votes: round.votes.map((vote) => ({...vote, ms}))};
}

beforeAll(async () => {
  const {log, close} = createSqliteJournal(journalFile(env));
  const call = (seat: string) => `${panelPath}/poll/seat:${seat}/call/model`;
  const bodies = [
    settled('interaction/form/planning/question/call/model', {kind: 'ok', usage}),
    settled('interaction/form/discussion/poll/seat:a/call/model', {kind: 'ok', usage}),
    settled(call('a'), {kind: 'ok', usage}),
    settled(call('b'), {kind: 'ok', usage: {...usage, costUsd: 0.5}}),
    noted(timed(roundWith('○○●', 'rejected'), 1_000)),
    noted(timed(roundWith('●●·', 'approved', {round: 2}), 3_000)),
    settled(call('c'), {kind: 'cancelled', usage: {...usage, costUsd: 0.125}}),
  ];
  await log.append([{interaction: 'ended', bodies: [opened, ...bodies, closed], at: 1_000}]);
  const safety = roundWith('●', 'approved', {
    seats: ['policy/safety'],
    weights: {'policy/safety': 1},
    votes: [{model: 'policy/safety', verdict: 'approve', ms: 4}],
  });
  const ruled = settled(`${panelPath}/screen/seat:policy%2Fsafety`, {ballot: {verdict: 'approve'}});
  await log.append([{interaction: 'open', bodies: [opened, ruled, noted(safety)], at: 1_000}]);
  await log.append([{interaction: 'fresh', bodies: [opened], at: 1_000}]);
  await close();
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

async function panel(...args: readonly string[]): Promise<Ran> {
  return await runLine(['panel', ...args], env);
}

test('over several runs each seat is shown with its votes, its time and its cost', async () => {
  const {code, out, err} = await panel('ended', 'open', 'ended');
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n')).toEqual([
    '2 runs (1 open), 3 votes: 2 approved, 1 rejected',
    '',
    'SEAT           SAT  ●  ○  !  ·  AGREES     DECISIVE  WITHOUT  TIME  COST',
    'a              2    1  1  0  0  100% of 2  1–2       0–1      2 s   $0.25',
    'b              2    1  1  0  0  100% of 2  1–2       0–1      2 s   $0.50',
    'c              2    1  0  0  1  0% of 1    0         0        1 s   $0.13',
    'policy/safety  1    1  0  0  0  100% of 1  1         1        4 ms  $0.00',
    '',
    'PAIR  AGREE',
    'a, b  100% of 2',
    'a, c  0% of 1',
    'b, c  0% of 1',
    '',
    'quorate help panel explains the columns.',
    '',
  ]);
});

test('as JSON it is data, in several lines or in one', async () => {
  const {out} = await panel('ended', 'open', '--output', 'json');
  const report: object = JSON.parse(out);
  expect(report).toMatchObject({
    runs: [
      {interaction: 'ended', state: 'ended', status: 'completed', rounds: 2},
      {interaction: 'open', state: 'outdated', rounds: 1},
    ],
    rounds: 3,
    verdicts: {approved: 2, rejected: 1, noQuorum: 0},
    seats: [
      {seat: 'a', latencyMs: 2_000, spent: {calls: 1, costUsd: 0.25, unpriced: 0}},
      {seat: 'b'},
      {seat: 'c', unheard: 1, spent: {calls: 1, costUsd: 0.125}},
      {seat: 'policy/safety', spent: {calls: 1, costUsd: 0}},
    ],
  });
  const {out: line} = await panel('ended', 'open', '--output', 'jsonl');
  expect(
    line
      .trimEnd()
      .split('\n')
      .map((text): unknown => JSON.parse(text)),
  ).toEqual([report]);
});

test('a run without votes is reported', async () => {
  expect(await panel('fresh')).toMatchObject({
    code: 0,
    out: '1 run (1 open): no panel has decided anything.\n',
  });
});

test.each([
  [['nobody'], 'there is no run nobody; quorate sessions lists them'],
  [['ended', 'nobody'], 'there is no run nobody; quorate sessions lists them'],
  [[], 'quorate panel needs the IDs of runs'],
  [['ended', '--rule', 'unanimous'], 'quorate panel takes no --rule'],
])('%j is refused', async (args, message) => {
  const {code, out, err} = await panel(...args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

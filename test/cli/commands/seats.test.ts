/** The seats of panels in `quorate stats`, over recorded journals. */

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
  await log.append([
    {interaction: 'ruled', bodies: [opened, ruled, noted(safety), closed], at: 500},
  ]);
  await log.append([{interaction: 'open', bodies: [opened, noted(safety)], at: 1_000}]);
  await close();
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

async function stats(...args: readonly string[]): Promise<Ran> {
  return await runLine(['stats', ...args], env);
}

test('each seat is shown with its votes, agreement, decisive ballots and cost', async () => {
  const {code, out, err} = await stats();
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^2 runs .*\nnot counted: 1 open\n2 runs of another version, or damaged: /);
  expect(out.slice(out.indexOf('VOTES')).split('\n')).toEqual([
    'VOTES  AGREES  DECISIVE  COST   SEAT',
    '2      2 of 2  1–2       $0.25  a',
    '2      2 of 2  1–2       $0.50  b',
    '2      0 of 1  0         $0.13  c',
    '1      1 of 1  1         $0.00  policy/safety',
    '',
  ]);
});

test('as JSON the seats are data', async () => {
  const {out} = await stats('--output', 'json');
  expect(JSON.parse(out)).toMatchObject({
    total: {
      partial: 2,
      seats: [
        {seat: 'a', latencyMs: 2_000, spent: {calls: 1, costUsd: 0.25, unpriced: 0}},
        {seat: 'b'},
        {seat: 'c', unheard: 1, spent: {calls: 1, costUsd: 0.125}},
        {seat: 'policy/safety', spent: {calls: 1, costUsd: 0}},
      ],
    },
  });
});

test('runs without votes have no seats', async () => {
  expect((await stats('--since', '2999-01-01')).out).not.toContain('SEAT');
});

/** `quorate recount`, over recorded journals. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

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

const opened: EntryBody = {
  type: 'opened',
  version: 'v',
  input: {id: 'x', form: 'agent', request: 'Tidy up', workspace: '/w', settings: {tools: []}},
};
const closed: EntryBody = {type: 'closed', result: asJson({...baseResult})};

function noted(round: RecordedRound): EntryBody {
  const note = {type: 'quorum.decided', actor: 'interaction/form/quorum', ...round};
  return {type: 'noted', note: asJson(note)};
}

const plan = roundWith('○○●', 'rejected');
const revised = roundWith('●●○', 'approved', {round: 2});
const action = roundWith('●●·', 'approved', {kind: 'action', title: 'run_command npm test'});
const refused = roundWith('···', 'rejected', {
  kind: 'action',
  title: 'run_command rm -rf /',
  screened: [{policy: 'policy/safety', verdict: 'reject'}],
});

beforeAll(async () => {
  const {log, close} = createSqliteJournal(journalFile(env));
  const rounds = [plan, revised, action].map(noted);
  await log.append([{interaction: 'ended', bodies: [opened, ...rounds, closed], at: 1_000}]);
  await log.append([
    {interaction: 'open', bodies: [opened, noted(plan), noted(refused)], at: 1_000},
  ]);
  await log.append([{interaction: 'fresh', bodies: [opened], at: 1_000}]);
  await log.append([{interaction: 'torn', bodies: [opened, noted(plan), closed], at: 1_000}]);
  await close();
  const database = new DatabaseSync(journalFile(env));
  database.exec(
    `UPDATE entries SET at = at + 1
     WHERE interaction = (SELECT number FROM interactions WHERE id = 'torn') AND seq = 2`,
  );
  database.close();
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

async function recount(...args: readonly string[]): Promise<Ran> {
  return await runLine(['recount', ...args], env);
}

describe('recount', () => {
  test('shows each vote next to its recount, and marks the first different outcome', async () => {
    const {code, out, err} = await recount('ended', '--rule', 'unanimous');
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'ended agent · ended: completed · 3 votes',
      'counted again by unanimous',
      '',
      '   #  RECORDED                 COUNTED AGAIN             VOTE ON',
      '=  1  rejected [○○●] majority  rejected [○○●] unanimous  plan "Tidy up", round 1',
      '≠  2  approved [●●○] majority  rejected [●●○] unanimous  plan "Tidy up", round 2',
      '?  3  approved [●●·] majority  unknown [●●·] unanimous   action "run_command npm test", round 1',
      '',
      '3: unknown, as c did not vote and could have decided it.',
      'The outcome differs from 2 on: later rounds depend on that decision.',
      '',
    ]);
  });

  test('takes seats off the panel, named separately, together, or by the provider of their model', async () => {
    for (const without of [['a,c'], ['a', 'c'], ['some/a', 'c']]) {
      const flags = without.flatMap((seat) => ['--without', seat]);
      const {out} = await recount('ended', ...flags, '--output', 'json');
      expect(JSON.parse(out)).toMatchObject({
        without: ['a', 'c'],
        rounds: [{recounted: {summary: '[○]'}}, {recounted: {summary: '[●]'}}, {}],
      });
    }
  });

  test('as JSON has the same data, in several lines or in one', async () => {
    const {out} = await recount('ended', '--rule', 'unanimous', '--output', 'json');
    const report: object = JSON.parse(out);
    expect(report).toMatchObject({
      interaction: 'ended',
      state: 'ended',
      status: 'completed',
      rule: 'unanimous',
      without: [],
      differsFrom: 2,
    });
    expect(report).toHaveProperty('rounds.2', {
      number: 3,
      round: 1,
      kind: 'action',
      title: 'run_command npm test',
      recorded: {rule: 'majority', verdict: 'approved', summary: '[●●·]'},
      recounted: {
        rule: 'unanimous',
        verdict: 'unknown',
        refusedBy: [],
        summary: '[●●·]',
        unheard: ['c'],
        differs: 'unknown',
      },
    });
    const line = await recount('ended', '--rule', 'unanimous', '--output', 'jsonl');
    expect(
      line.out
        .trimEnd()
        .split('\n')
        .map((text): unknown => JSON.parse(text)),
    ).toEqual([report]);
  });

  test('without a rule or a seat yields the recorded outcome', async () => {
    const {out} = await recount('ended');
    expect(out).toContain('counted again by the rule of each\n');
    expect(out).toContain('\nNo vote would have ended otherwise.\n');
  });

  test('counts an open run up to its current state, says so, and keeps a refusal by policy', async () => {
    const {code, out} = await recount('open', '--rule', 'at_least:1');
    expect(code).toBe(0);
    expect(out).toContain('open agent · suspended · 2 votes\n');
    expect(out).toMatch(/^≠ {2}1 {2}rejected \[○○●\] majority {2}approved \[○○●\] at_least:1/m);
    expect(out).toMatch(/^= {2}2 {2}rejected \[···\] majority {2}rejected \[···\] at_least:1/m);
    expect(out).toContain('2: rejected under every rule, as policy/safety refused it.\n');
    expect(out).toContain('The run is suspended: more votes may follow.\n');
  });

  test('reports a run without votes', async () => {
    const {code, out} = await recount('fresh', '--rule', 'unanimous');
    expect([code, out]).toEqual([
      0,
      'fresh agent · suspended · 0 votes\nNo panel has decided anything in it.\n',
    ]);
  });

  test('counts the entries before the damage of a journal, and exits 2', async () => {
    const {code, out, err} = await recount('torn');
    expect(code).toBe(2);
    expect(out).toContain('=  1  rejected');
    expect(err).toContain('was changed after it was written');
  });
});

describe('recount refuses', () => {
  test.each([
    [['nobody'], 'there is no run nobody; quorate runs lists them'],
    [
      ['ended', '--rule', 'unanimus'],
      '--rule: "unanimus" is not a quorum rule; write majority, unanimous,',
    ],
    [
      ['ended', '--rule', 'at_least:4'],
      "--rule at_least:4 can't be reached: the largest panel has 3 seats",
    ],
    [
      ['ended', '--rule', 'at_least:2', '--without', 'a,b'],
      "--rule at_least:2 can't be reached: the largest panel has one seat",
    ],
    [
      ['ended', '--without', 'd'],
      '--without: "d" has no seat in this run (a, b, c); did you mean "',
    ],
    [['ended', '--without', 'a,b,c'], '--without leaves no seat on the panel'],
    [['open', '--without', 'policy/safety'], '--without: policy/safety has no seat: it screens'],
    [
      ['fresh', '--without', 'a'],
      '--without: "a" has no seat in this run (no panel has voted in it)',
    ],
    [['ended', '--hil', 'interactive'], 'quorate recount takes no --hil'],
    [['ended', 'open'], 'quorate recount takes only the ID of a run'],
    [[], 'there is no run in'],
  ])('%j', async (args, message) => {
    const {code, out, err} = await recount(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});

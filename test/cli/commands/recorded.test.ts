/** `quorate recount`, `quorate stats` with its seats, and `quorate show --rate`, over recorded runs. */

import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {beforeAll, describe, expect, test} from 'vitest';

import type {EntryBody} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {collectStats} from '../../../actors/metrics/stats.ts';
import {journalFile} from '../../../cli/past/open-journal.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {statsLines} from '../../../cli/render/tables/stats.ts';
import {widthOfText} from '../../../cli/render/text.ts';
import {asJson} from '../../../machines/domain/json.ts';
import type {RecordedRound} from '../../../machines/panel/recorded-votes.ts';
import {beforeForms, endAgain, unpackBefore} from '../../fixtures/journals/recorded.ts';
import {type Ran, runLine} from '../../support/command-line.ts';
import {roundWith} from '../../support/rounds.ts';
import {baseResult} from '../fake-run.ts';
import {setFolder} from '../folders.ts';
import {rowsOf, wordsOf} from '../texts.ts';

const home = setFolder(true);

/** The environment of a command over the journal of this name. */
const envOf = (name: string) => ({QUORATE_HOME: join(home(), name), HOME: home()});

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
  const {log, close} = createSqliteJournal(journalFile(envOf('rounds')));
  const rounds = [plan, revised, action].map(noted);
  await log.append([{interaction: 'ended', bodies: [opened, ...rounds, closed], at: 1_000}]);
  await log.append([
    {interaction: 'open', bodies: [opened, noted(plan), noted(refused)], at: 1_000},
  ]);
  await log.append([{interaction: 'fresh', bodies: [opened], at: 1_000}]);
  await log.append([{interaction: 'torn', bodies: [opened, noted(plan), closed], at: 1_000}]);
  await close();
  const database = new DatabaseSync(journalFile(envOf('rounds')));
  database.exec(
    `UPDATE entries SET at = at + 1
     WHERE interaction = (SELECT number FROM interactions WHERE id = 'torn') AND seq = 2`,
  );
  database.close();
});

async function recount(...args: readonly string[]): Promise<Ran> {
  return await runLine(['recount', ...args], envOf('rounds'));
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

test.each(
  rowsOf(`
nobody ⇒ there is no run nobody; quorate runs lists them
ended --rule unanimus ⇒ --rule: "unanimus" is not a quorum rule; write majority, unanimous,
ended --rule at_least:4 ⇒ --rule at_least:4 can't be reached: the largest panel has 3 seats
ended --rule at_least:2 --without a,b
  ⇒ --rule at_least:2 can't be reached: the largest panel has one seat
ended --without d ⇒ --without: "d" has no seat in this run (a, b, c); did you mean "
ended --without a,b,c ⇒ --without leaves no seat on the panel
open --without policy/safety ⇒ --without: policy/safety has no seat: it screens
fresh --without a ⇒ --without: "a" has no seat in this run (no panel has voted in it)
ended --hil interactive ⇒ quorate recount takes no --hil
ended open ⇒ quorate recount takes only the ID of a run
--quiet ⇒ there is no run in
`),
)('recount %s is refused', async (line = '', message = '') => {
  const {code, out, err} = await recount(...wordsOf(line));
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

const spent = {calls: 1, inputTokens: 100, outputTokens: 10};

function closedWith(reviews: readonly RecordedRound[], seats: object): EntryBody {
  const figures = {counts: {rounds: reviews.length}, models: {}, seats};
  return {type: 'closed', result: asJson({...baseResult, reviews}), figures: asJson(figures)};
}

function timed(round: RecordedRound, ms: number): RecordedRound {
  return {...round, votes: round.votes.map((vote) => ({...vote, ms}))};
}

beforeAll(async () => {
  const {log, close} = createSqliteJournal(journalFile(envOf('seats')));
  const reviews = [
    timed(roundWith('○○●', 'rejected'), 1_000),
    timed(roundWith('●●·', 'approved', {round: 2}), 3_000),
  ];
  const ended = closedWith(reviews, {
    a: {...spent, costUsd: 0.25},
    b: {...spent, costUsd: 0.5},
    c: {...spent, unpriced: 1},
  });
  await log.append([{interaction: 'ended', bodies: [opened, ended], at: 1_000}]);
  const safety = roundWith('●', 'approved', {
    seats: ['policy/safety'],
    weights: {'policy/safety': 1},
    votes: [{model: 'policy/safety', verdict: 'approve', ms: 4}],
  });
  const ruled = closedWith([safety], {});
  await log.append([{interaction: 'ruled', bodies: [opened, ruled], at: 500}]);
  await log.append([{interaction: 'torn', bodies: [opened, closed], at: 500}]);
  await log.append([{interaction: 'open', bodies: [opened, noted(safety)], at: 1_000}]);
  await close();
});

async function stats(...args: readonly string[]): Promise<Ran> {
  return await runLine(['stats', ...args], envOf('seats'));
}

test('each seat is shown with its votes, agreement, decisive ballots and cost', async () => {
  const {code, out, err} = await stats();
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /^3 runs .*\nnot counted: 1 open\n1 run of an earlier version, or ended without/,
  );
  expect(out.slice(out.indexOf('VOTES')).split('\n')).toEqual([
    'VOTES  AGREES  DECISIVE  COST   SEAT',
    '2      2 of 2  1–2       $0.25  a',
    '2      2 of 2  1–2       $0.50  b',
    '2      0 of 1  0         —      c',
    '1      1 of 1  1         —      policy/safety',
    '',
  ]);
});

test('runs without votes have no seats', async () => {
  expect((await stats('--since', '2999-01-01')).out).not.toContain('SEAT');
});

const idOf = (name: string): string => beforeForms[name]?.id ?? '';

beforeAll(async () => {
  const [old, path] = [join(home(), 'old', 'journal.db'), journalFile(envOf('forms'))];
  unpackBefore(old);
  const [before, journal] = [createSqliteJournal(old), createSqliteJournal(path)];
  await endAgain(before, journal, home());
  await journal.close();
  await before.close();
});

async function run(...args: readonly string[]): Promise<Ran> {
  return await runLine(args, envOf('forms'));
}

test('every rate is shown with its denominator, and what is unknown as a dash', async () => {
  const {code, out} = await run('stats');
  expect(code).toBe(0);
  expect(out).toMatch(/^12 runs that ended since .*\nnot counted: 10 open\n/);
  expect(out).toMatch(/^runs +completed 10 of 12, failed 1 of 12, rejected 1 of 12$/m);
  expect(out).toMatch(/^plans +made 6 in 6 of 12 runs, 2 revisions, 0 replans$/m);
  expect(out).toMatch(/^tools +failed 1 of \d+, timed out 0 of \d+$/m);
  expect(out).toMatch(/^models +failed 0 of 92, timed out 0 of 92$/m);
  expect(out).toMatch(/^cost +\$0\.00 for 92 of 92 calls, 6 calls estimated/m);
  expect(out).toMatch(/^29 +0 +0 +290 +145 .*mock\/worker$/m);
  expect(out.slice(out.indexOf('VOTES')).split('\n')).toEqual([
    'VOTES  AGREES    DECISIVE  COST   SEAT',
    '13     12 of 12  0–9       $0.00  a',
    '13     12 of 12  0–9       $0.00  b',
    '13     3 of 3    0         $0.00  c',
    '',
  ]);
});

test.each(['en', 'ja'] as const)('the text in %s fits into 80 columns', async (language) => {
  const journal = createSqliteJournal(journalFile(envOf('forms')));
  const view = {style: {...plainStyle, language}, width: 80};
  const lines = statsLines(await collectStats(journal), view);
  expect(lines.filter((line) => widthOfText(line) > 80)).toEqual([]);
  expect(/[ぁ-んァ-ン一-龠]/.test(lines.join('\n'))).toBe(language === 'ja');
  await journal.close();
});

test('the JSON has the figures of all runs', async () => {
  const {out} = await run('stats', '--output', 'json');
  expect(JSON.parse(out)).toMatchObject({
    open: 10,
    older: 0,
    total: {
      runs: 12,
      statuses: {completed: 10},
      plans: 6,
      revisions: 2,
      seats: [
        {seat: 'a', latencyMs: 19, unheard: 0, spent: {calls: 13, inputTokens: 130, unpriced: 0}},
        {seat: 'b'},
        {seat: 'c', unheard: 9, spent: {calls: 13, inputTokens: 3_014, estimated: true}},
      ],
    },
  });
  expect(JSON.parse((await run('stats', '--output', 'jsonl')).out)).toEqual(JSON.parse(out));
});

test('--limit counts the runs that ended last, and says how many it left out', async () => {
  const {out} = await run('stats', '--limit', '5');
  expect(out).toMatch(/^5 runs that ended since .*\nnot counted: 10 open, 7 older \(--limit N\)\n/);
});

test('without a run that has ended it says so, and exits 0', async () => {
  expect(await runLine(['stats'], envOf('none'))).toMatchObject({
    code: 0,
    out: 'no run has ended yet\n',
  });
  expect(await run('stats', '--since', '2999-01-01')).toMatchObject({
    code: 0,
    out: 'no run has ended since 2999-01-01 00:00\n',
  });
  expect((await run('stats', '--since', '2000-01-01')).out).toMatch(/^12 runs/);
});

test('a rating is counted, shown with its words, and replaced by the next one', async () => {
  const id = idOf('agent-ended');
  expect(await run('show', id.slice(0, 6), '--rate', 'down', '--note', 'too slow')).toMatchObject({
    code: 0,
    out: `${id} is rated down\n`,
  });
  expect((await run('show', id)).out).toMatch(/^rated down on \d{4}-.*: too slow$/m);
  expect(JSON.parse((await run('show', id, '--output', 'json')).out)).toMatchObject({
    rating: {rating: 'down', words: 'too slow'},
  });
  expect((await run('show', id, '--rate', 'up', '--lang', 'ja')).out).toBe(
    `${id} を up と評価しました\n`,
  );
  const {out} = await run('stats');
  expect(out).toMatch(/^ratings +rated 1 of 12 runs: up 1 of 1, down 0 of 1$/m);
});

test('a rating of an open or unknown run, or another word, is refused', async () => {
  const open = idOf('agent-waiting');
  const refusals = [
    [['show', open, '--rate', 'up'], `run ${open} has not ended`],
    [['show', open, '--rate', 'up', '--lang', 'ja'], 'まだ終わっていません'],
    [['show', 'nobody', '--rate', 'up'], 'there is no run nobody'],
    [['show', idOf('ask-ended'), '--rate', 'good'], '--rate takes up, down, not "good"'],
    [['show', idOf('ask-ended'), '--note', 'good'], '--rate rates the result'],
    [['show', idOf('ask-ended'), '--rate', 'up', '--at', '1'], '--rate rates the result'],
    [['rate', open], 'use quorate show ID --rate up|down'],
  ] as const;
  for (const [args, message] of refusals) {
    const {code, err} = await run(...args);
    expect([args, code, err]).toEqual([args, 2, expect.stringContaining(message)]);
  }
});

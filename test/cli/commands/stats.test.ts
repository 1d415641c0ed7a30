/** `quorate stats` with its seats, and `quorate show --rate`, over recorded runs. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {collectStats} from '../../../actors/metrics/stats.ts';
import {journalFile} from '../../../cli/past/open-journal.ts';
import {statsLines} from '../../../cli/render/stats/stats.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {widthOfText} from '../../../cli/render/text.ts';
import {beforeForms, unpackBefore} from '../../fixtures/journals/recorded.ts';
import {type Ran, runLine} from '../../support/command-line.ts';

const home = mkdtempSync(join(tmpdir(), 'quorate-test-'));

const env = {QUORATE_HOME: join(home, 'data'), HOME: home};

const idOf = (name: string): string => beforeForms[name]?.id ?? '';

beforeAll(() => unpackBefore(journalFile(env)));

afterAll(() => rmSync(home, {recursive: true}));

async function run(...args: readonly string[]): Promise<Ran> {
  return await runLine(args, env);
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
  const journal = createSqliteJournal(journalFile(env));
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
  const none = {QUORATE_HOME: join(home, 'none'), HOME: home};
  expect(await runLine(['stats'], none)).toMatchObject({code: 0, out: 'no run has ended yet\n'});
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

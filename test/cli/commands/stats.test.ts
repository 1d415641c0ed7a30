/** `quorate stats` and `quorate rate`, over recorded runs. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/index.ts';
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
  expect(out).toMatch(/^limits +—$/m);
  expect(out).toMatch(/^people +approved 2 of 3, rejected 1 of 3, against the panel 1 of 3$/m);
  expect(out).toMatch(/^cost +\$0\.00 for 92 of 92 calls, 6 calls estimated/m);
  expect(out).toMatch(/^29 +0 +0 +290 +145 .*mock\/worker$/m);
});

test.each(['en', 'ja'] as const)('the text in %s fits into 80 columns', async (language) => {
  const journal = createSqliteJournal(journalFile(env));
  for (const by of [undefined, 'form', 'folder', 'model'] as const) {
    const statistics = await collectStats(journal, by ? {by} : {});
    const lines = statsLines(statistics, by, {style: {...plainStyle, language}, width: 80});
    expect(lines.filter((line) => widthOfText(line) > 80)).toEqual([]);
    expect(/[ぁ-んァ-ン一-龠]/.test(lines.join('\n'))).toBe(language === 'ja');
  }
  await journal.close();
});

test('--by adds a line for each form, or shows only the models', async () => {
  expect((await run('stats', '--by', 'form')).out).toMatch(/^6 +4 of 6 +2 +67 .* agent$/m);
  const models = (await run('stats', '--by', 'model')).out;
  expect(models).toMatch(/mock\/worker/);
  expect(models).not.toMatch(/^runs /m);
});

test('the JSON has the figures of all runs, and of each group', async () => {
  const {out} = await run('stats', '--by', 'form', '--output', 'json');
  expect(JSON.parse(out)).toMatchObject({
    by: 'form',
    open: 10,
    unread: 0,
    total: {runs: 12, statuses: {completed: 10}, overrides: 1, limits: {}},
    groups: [{key: 'agent', runs: 6}, {key: 'discuss'}, {}, {}, {}, {}],
  });
});

test('the CSV has a line for each group, quoted where it must be, with CRLF', async () => {
  const {out} = await run('--output', 'csv', 'stats', '--by', 'form');
  const [head = '', ...lines] = out.split('\r\n');
  const names = head.split(',');
  expect(names.slice(0, 4)).toEqual(['form', 'runs', 'completed', 'failed']);
  expect(lines.at(-1)).toBe('');
  expect(lines.slice(0, -1).every((line) => line.split(',').length === names.length)).toBe(true);
  expect(lines[0]).toMatch(/^agent,6,4,1,1,/);
  expect(out.replaceAll('\r\n', '')).not.toContain('\n');

  const models = (await run('stats', '--by', 'model', '--output', 'csv')).out;
  expect(models).toMatch(/^model,runs,calls,[^]*\r\nmock\/worker,6,29,/);
});

test('a folder with a comma and a quotation mark is one field of the CSV', async () => {
  const place = {QUORATE_HOME: join(home, 'odd'), HOME: home};
  const {log, close} = createSqliteJournal(journalFile(place));
  const input = {id: 'x', form: 'agent', request: 'r', workspace: '/w, "x"'};
  const opened = {type: 'opened', version: 'v', input} as const;
  const closed = {type: 'closed', result: {status: 'completed', summary: 's'}} as const;
  await log.append([{interaction: 'x', bodies: [opened, closed], at: 1}]);
  await close();

  const {out} = await runLine(['stats', '--by', 'folder', '--output', 'csv'], place);
  expect(out).toContain('\r\n"/w, ""x""",1,1,0,');
});

test('without a run that has ended it says so, and exits 0', async () => {
  const none = {QUORATE_HOME: join(home, 'none'), HOME: home};
  expect(await runLine(['stats'], none)).toMatchObject({code: 0, out: 'no run has ended yet\n'});
  expect((await runLine(['stats', '--output', 'csv'], none)).out).toBe('');
  expect(await run('stats', '--since', '2999-01-01')).toMatchObject({
    code: 0,
    out: 'no run has ended since 2999-01-01 00:00\n',
  });
  expect((await run('stats', '--since', '2000-01-01')).out).toMatch(/^12 runs/);
});

test.each([
  [['--by', 'colour'], '--by takes model, form, folder, not "colour"'],
  [['--since', 'yesterday'], '--since takes an age such as 24h, 7d or 2w, or a day such as'],
  [['--since', '2026-02-30'], '--since takes an age'],
  [['--output', 'xml'], '--output takes text, json, csv, not "xml"'],
])('%j is a usage error that names the known values', async (args, message) => {
  const {code, err} = await run('stats', ...args);
  expect(code).toBe(2);
  expect(err).toContain(message);
  const ja = await run('stats', ...args, '--lang', 'ja');
  expect(ja.err).toMatch(/[ぁ-ん]/);
});

test('a rating is counted, shown with its words, and replaced by the next one', async () => {
  const id = idOf('agent-ended');
  expect(await run('rate', id.slice(0, 6), 'down', 'too', 'slow')).toMatchObject({
    code: 0,
    out: `${id} is rated down\n`,
  });
  expect((await run('show', id)).out).toMatch(/^rated down on \d{4}-.*: too slow$/m);
  expect(JSON.parse((await run('show', id, '--output', 'json')).out)).toMatchObject({
    rating: {rating: 'down', words: 'too slow'},
  });
  expect((await run('rate', id, 'up', '--lang', 'ja')).out).toBe(`${id} を up と評価しました\n`);
  const {out} = await run('stats');
  expect(out).toMatch(/^ratings +rated 1 of 12 runs: up 1 of 1, down 0 of 1$/m);
});

test('a rating of an open or unknown run, or another word, is refused', async () => {
  const open = idOf('agent-waiting');
  const refusals = [
    [['rate', open, 'up'], `run ${open} has not ended`],
    [['rate', open, 'up', '--lang', 'ja'], 'まだ終わっていません'],
    [['rate', 'nobody', 'up'], 'there is no run nobody'],
    [['rate', idOf('ask-ended'), 'good'], 'takes up, down, not "good"'],
    [['rate', idOf('ask-ended')], 'quorate rate needs the ID of a run, and up or down'],
  ] as const;
  for (const [args, message] of refusals) {
    const {code, err} = await run(...args);
    expect([args, code, err]).toEqual([args, 2, expect.stringContaining(message)]);
  }
});

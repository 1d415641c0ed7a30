/** Commands over many runs: they read one run after another, and list all of them once. */

import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {afterAll, beforeAll, expect, test, vi} from 'vitest';

import type {EntryBody} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {journalFile} from '../../../cli/past/open-journal.ts';
import {asJson} from '../../../machines/domain/json.ts';
import {roundWith} from '../../support/rounds.ts';
import {baseResult} from '../fake-run.ts';

const program = fileURLToPath(new URL('../../../cli/bin.ts', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'quorate-test-'));
const env = {...process.env, QUORATE_HOME: join(home, 'data'), HOME: home};
const ids = Array.from({length: 1_200}, (_, index) => `run-${index}`);
const heapMb = 96;

vi.setConfig({testTimeout: 120_000, hookTimeout: 120_000});

beforeAll(async () => {
  const {log, close} = createSqliteJournal(journalFile(env));
  const input = {form: 'agent', request: 'Tidy up', workspace: '/w', settings: {tools: []}};
  const round = asJson(roundWith('●●·', 'approved'));
  const outcome = {kind: 'ok', text: 'All is well. '.repeat(8_000)};
  const bodies: readonly EntryBody[] = [
    {type: 'opened', version: 'v', input},
    {type: 'settled', key: 'i/explore#1', request: 'r', ms: 5, outcome},
    {type: 'noted', note: {type: 'quorum.decided', actor: 'interaction/form/quorum', ...round}},
    {type: 'closed', result: asJson({...baseResult})},
  ];
  await log.append(ids.map((interaction, at) => ({interaction, bodies, at})));
  await close();
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

/** Runs in a process whose heap could not hold all the runs at once. */
function runLine(...args: readonly string[]): string {
  const line = [`--max-old-space-size=${heapMb}`, program, ...args];
  return execFileSync(process.execPath, line, {env, encoding: 'utf8', cwd: home});
}

test('statistics over a thousand runs fit in a small heap', () => {
  const text = runLine('stats', '--limit', '2000', '--quiet');
  expect(text).toMatch(/^1,200 runs that ended /);
  expect(text).toMatch(/^1,200 +1,200 of 1,200 /m);
});

test('a list of a thousand runs fits in a small heap', () => {
  const rows: unknown = JSON.parse(
    runLine('sessions', '--all', '--limit', '2000', '--output', 'json'),
  );

  expect(rows).toHaveLength(ids.length);
});

/** Open runs that the version before this one has written: each is resumed, or refused in one line that says why. */

import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {createSqliteJournal, type Journal, type Runtime} from '../../actors/index.ts';
import {openRuntime, speak} from '../fixtures/journals/recorded-models.ts';
import {
  beforeFolder,
  beforeForms,
  unpackBefore,
  workspaceOf,
} from '../fixtures/journals/recorded.ts';
import {type MockOpenAi, startMockOpenAi} from '../support/mock-openai.ts';

const folder = mkdtempSync(join(tmpdir(), 'quorate-before-'));
let journal: Journal;
let server: MockOpenAi;
let runtime: Runtime;

beforeAll(async () => {
  unpackBefore(join(folder, 'journal.db'));
  journal = createSqliteJournal(join(folder, 'journal.db'));
  server = await startMockOpenAi(speak);
  runtime = openRuntime(journal, server.baseUrl);
});
afterAll(async () => {
  await runtime.close();
  await journal.close();
  await server.close();
  for (const path of [folder, beforeFolder]) rmSync(path, {recursive: true, force: true});
});

/** Resumes the run until it ends or waits for a person. */
async function resumed(name: string): Promise<string> {
  mkdirSync(workspaceOf(name, beforeFolder), {recursive: true});
  const run = await runtime.resume(beforeForms[name]?.id ?? '');
  for await (const {type} of run.events) {
    if (type === 'human.requested' || type === 'interview.asked') void run.suspend('waiting');
  }
  return (await run.result).status;
}

test.each([
  ['agent-waiting', 'waiting'],
  ['agent-interrupted', 'completed'],
  ['agent-killed', 'waiting'],
  ['agent-spawning', 'completed'],
  ['ask-interrupted', 'completed'],
  ['discuss-interrupted', 'completed'],
  ['debate-waiting', 'waiting'],
  ['interview-waiting', 'waiting'],
  ['review-interrupted', 'completed'],
  ['command-killed', 'waiting'],
])('%s continues, and is %s', async (name, status) => {
  expect(await resumed(name)).toBe(status);
});

/** In every loop, a tool reads a file that may hold credentials only after a vote. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createAsking, lastText, say, turnOf, use} from '../support/asking.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-credentials-'));
  writeFileSync(join(folder, '.env'), 'TOKEN=opensesame\n');
});

afterEach(() => rmSync(folder, {recursive: true}));

test('a question cannot read files with credentials that policy/safety refuses', async () => {
  const {ask, requests} = createAsking({
    workspace: folder,
    answer: (request) =>
      turnOf(request) === 0 ? use('', ['read_file', {path: '.env'}]) : say(lastText(request)),
  });
  const {result} = await ask('Which settings are there?');

  expect(result.reviews).toMatchObject([{verdict: 'rejected'}]);
  expect(result.denied).toMatchObject([{tool: 'read_file'}]);
  expect(JSON.stringify(requests)).not.toContain('opensesame');
});

test('a secret of a known shape in the output of a tool reaches neither model nor journal', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const {ask, requests, runtime} = createAsking({
    answer: (request) =>
      turnOf(request) === 0 ? use('', ['probe', {at: '1'}]) : say('It is deep.'),
    probe: () => ({
      kind: 'succeeded',
      text: `token ${secret}`,
      sources: [{place: 'a', quote: secret}],
    }),
  });
  const {result, events} = await ask();

  expect(JSON.stringify(requests)).toContain('token [redacted]');
  const entries = await runtime.entries(result.interaction);
  expect(JSON.stringify([requests, entries, events, result])).not.toContain(secret);
});

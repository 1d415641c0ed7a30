import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal} from '../../../actors/index.ts';
import {type Following, followRun} from '../../../cli/mcp/follow-run.ts';
import {openRuntime, requests, speak} from '../../fixtures/journals/recorded-models.ts';
import {startMockOpenAi} from '../../support/mock-openai.ts';

const following: Following = {
  onProgress: () => {},
  silenceMs: 60_000,
  signal: new AbortController().signal,
  isGone: () => false,
};

test('a decision is given at the gate that it names, never at another about the same subject', async () => {
  const models = await startMockOpenAi(speak);
  const runtime = openRuntime(createMemoryJournal(), models.baseUrl);
  const workspace = mkdtempSync(join(tmpdir(), 'quorate-follow-'));
  onTestFinished(async () => {
    await runtime.close();
    await models.close();
    rmSync(workspace, {recursive: true});
  });
  const run = runtime.agent(requests.contested, {workspace});
  const {result, gate} = await followRun(run, following);
  expect(result).toMatchObject({status: 'waiting', waiting: {digest: gate?.question.proposalHash}});

  const decision = {decision: 'approve'} as const;
  const digest = gate?.question.proposalHash ?? '';
  const elsewhere = {decision, digest, gate: `${gate?.gate}0`};
  const again = await runtime.resume(run.id);
  await expect(followRun(again, {...following, decided: elsewhere})).rejects.toMatchObject({
    code: 'nothing_waiting',
  });
  expect(await again.result).toMatchObject({status: 'waiting'});

  const decided = {decision, digest, gate: gate?.gate ?? ''};
  const last = await followRun(await runtime.resume(run.id), {...following, decided});
  expect(last.result).toMatchObject({
    status: 'completed',
    decisions: expect.arrayContaining([expect.objectContaining({by: 'person'})]),
  });
});

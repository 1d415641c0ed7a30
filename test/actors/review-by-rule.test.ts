/** A review of a program whose models have no key. */

import {expect, test} from 'vitest';

import {createRuntime} from '../../actors/index.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {readPatch} from '../../tools/text/patch.ts';

const patch = [
  'diff --git a/notes.txt b/notes.txt',
  '--- a/notes.txt',
  '+++ b/notes.txt',
  '@@ -1 +1 @@',
  '-one',
  '+two',
  '',
].join('\n');

async function review(agent: object): Promise<RunResult> {
  const runtime = createRuntime({env: {}, config: {agent}});
  try {
    const diff = await readPatch(patch);
    return await runtime.start({form: 'review', request: 'Look at it', diff}).result;
  } finally {
    await runtime.close();
  }
}

const synthesis = 'The policy reviewers found nothing; no model has read the diff.';

test('a review without any model is degraded and says so', async () => {
  expect((await review({})).review).toMatchObject({approved: true, degraded: true, synthesis});
});

test.each([{phase_scope: 'fast'}, {review_models: ['policy/*']}])(
  'a review by rules that %j configures is not degraded',
  async (agent) => {
    expect((await review(agent)).review).toMatchObject({
      approved: true,
      degraded: false,
      synthesis,
    });
  },
);

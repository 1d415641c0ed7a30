/** Warnings before a run whose commands are not confined. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {createFunctionModel, createRuntime, type RuntimeOptions} from '../../actors/index.ts';
import {answer, reply, vote} from '../support/scenario.ts';

type Sandboxing = NonNullable<NonNullable<RuntimeOptions['config']>['sandbox']>;

/** Warnings of a run whose one task does nothing. */
async function warningsOf(sandbox: Sandboxing): Promise<readonly string[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'quorate-unconfined-'));
  onTestFinished(() => rmSync(workspace, {recursive: true}));
  const plan = {objective: 'o', reasoning: 'r', tasks: [{id: 't1', description: 'd'}]};
  const runtime = createRuntime({
    config: {
      agent: {exploration_model: 't/w', decision_model: 't/w', review_models: ['t/w']},
      sandbox,
    },
    models: [
      createFunctionModel('t/w', ({purpose}) => {
        if (purpose === 'plan') return reply('create_plan', plan);
        if (purpose === 'evaluate')
          return reply('evaluate_result', {successful: true, problems: []});
        return purpose.startsWith('review') ? vote('approve') : answer('nothing');
      }),
    ],
    env: {},
  });
  const warnings: string[] = [];
  const run = runtime.agent('Look around', {
    workspace,
    onEvent: (event) => {
      if (event.type === 'warning') warnings.push(event.message);
    },
  });
  await run.result;
  return warnings.filter((message) => message.startsWith('sandbox: '));
}

/** No machine has this image. */
const broken = {container: 'podman', image: 'localhost/quorate-has-no-such-image'} as const;

test('a warning names a sandbox that does not work, and says that commands run unconfined', async () => {
  expect(await warningsOf({mode: 'auto', ...broken})).toEqual([
    expect.stringMatching(/^sandbox: .*, so approved commands run unconfined; see quorate doctor$/),
  ]);
});

test('with a required sandbox, the warning says that commands are refused', async () => {
  expect(await warningsOf({mode: 'required', ...broken})).toEqual([
    expect.stringMatching(/^sandbox: required, but .*: commands are refused; see quorate doctor$/),
  ]);
});

test('a sandbox that is switched off causes no warning', async () => {
  expect(await warningsOf({mode: 'off'})).toEqual([]);
});

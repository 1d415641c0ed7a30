/** The demo ends by itself, whether something confines its commands or not. */

import {cpSync, mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {type ConfigInput, createRuntime} from '../../actors/index.ts';
import {demoConfig, demoModels} from '../../cli/demo/models.ts';

function startDemo(config: ConfigInput) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-demo-')));
  cpSync('cli/demo/sample', workspace, {recursive: true});
  const runtime = createRuntime({config, models: demoModels()});
  onTestFinished(async () => {
    await runtime.close();
    rmSync(workspace, {recursive: true});
  });
  const run = runtime.start({form: 'agent', request: 'Fix the failing test', workspace});
  return {run, workspace};
}

test.each(['auto', 'off'] as const)(
  'with a sandbox that is %s the demo completes',
  async (mode) => {
    const {run, workspace} = startDemo({...demoConfig, sandbox: {mode}});
    expect(await run.result).toMatchObject({status: 'completed'});
    expect(readFileSync(join(workspace, 'src/cart.js'), 'utf8')).toContain('* line.quantity');
  },
);

test('unconfined, no policy with a veto lets the tests run once the run has changed a source', async () => {
  const {run} = startDemo({
    agent: {...demoConfig.agent, hil_mode: 'auto_reject'},
    sandbox: {mode: 'off'},
  });
  const events: string[] = [];
  for await (const event of run.events) events.push(JSON.stringify(event));
  expect(await run.result).not.toMatchObject({status: 'completed'});
  expect(events.join('\n')).toContain('it runs src/cart.js, which this run has changed');
});

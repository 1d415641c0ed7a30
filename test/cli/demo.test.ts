/** The demo ends by itself, confined or not, and leaves no folder behind. */

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {type ConfigInput, createRuntime} from '../../actors/index.ts';
import {demoConfig, demoModels} from '../../cli/demo/models.ts';
import {eventsOf, createLauncher, type Launcher} from '../support/launch.ts';

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

test('unconfined, every policy with a veto refuses the tests once the run has changed a source', async () => {
  const {run} = startDemo({
    agent: {...demoConfig.agent, hil_mode: 'auto_reject'},
    sandbox: {mode: 'off'},
  });
  const events: string[] = [];
  for await (const event of run.events) events.push(JSON.stringify(event));
  expect(await run.result).not.toMatchObject({status: 'completed'});
  expect(events.join('\n')).toContain('it runs src/cart.js, which this run has changed');
});

function launcherInTemp(): {launcher: Launcher; env: Record<string, string>; left: () => string[]} {
  const launcher = createLauncher();
  onTestFinished(() => launcher.remove());
  const temp = join(launcher.folder, 'temp');
  mkdirSync(temp);
  return {
    launcher,
    env: {TMPDIR: temp},
    left: () => readdirSync(temp).filter((name) => name.startsWith('quorate-demo-')),
  };
}

test.each([
  [[], 0],
  [['--keep'], 1],
])(
  'with the options %j, %i copies of the sample are left',
  async (options, count) => {
    const {launcher, env, left} = launcherInTemp();
    const {code, stderr} = await launcher.run(['demo', ...options], {env});
    expect(code).toBe(0);
    expect(left()).toHaveLength(count);
    expect(stderr).toContain(count === 0 ? 'removed at the end unless --keep' : 'which is kept');
  },
  60_000,
);

test('a demo that was killed leaves its copy for resume', async () => {
  const {launcher, env, left} = launcherInTemp();
  const args = ['demo', '--output', 'jsonl'];
  const {stdout, signal} = await launcher.run(args, {env, killAfterMs: 1});
  expect(signal).toBe('SIGKILL');
  expect(left()).toHaveLength(1);
  const id = eventsOf(stdout)[0]?.interaction ?? '';
  expect(await launcher.run(['resume', id], {env})).toMatchObject({code: 0});
}, 60_000);

/** The first steps: `quorate init`, and the demo, which ends by itself, also after kill -9. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';

import {type ConfigInput, createRuntime} from '../../actors/index.ts';
import {initRequest} from '../../cli/config/in-effect.ts';
import {loadConfig} from '../../cli/config/load.ts';
import {demoConfig, demoModels} from '../../cli/demo/models.ts';
import {createDice} from '../support/dice.ts';
import {type Killing, startKilling} from '../support/killing.ts';
import {type Launcher, createLauncher, eventsOf} from '../support/launch.ts';
import {setStage} from './stage.ts';

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

test('the sample is removed, and the end names what to look at', async () => {
  const {launcher, env, left} = launcherInTemp();
  const {code, stderr, stdout} = await launcher.run(['demo'], {env});
  expect(code).toBe(0);
  expect(left()).toEqual([]);
  expect(stderr).toContain('removed at the end unless --keep DIR');
  expect(stdout).toContain('wanted to run “rm -rf test”');
  expect(stdout).toMatch(/quorate show (\w+), or in a browser: quorate inspect \1\n/);
  expect(stdout).not.toContain('quorate undo');
}, 60_000);

test('with --keep the sample is left in a new folder, with files for other commands', async () => {
  const {launcher, env, left} = launcherInTemp();
  const {code, stdout} = await launcher.run(['demo', '--keep', 'kept'], {env});
  expect(code).toBe(0);
  expect(left()).toEqual([]);
  expect(stdout).toContain('quorate undo');
  const cwd = join(launcher.folder, 'kept');
  for (const line of [
    ['interview', 'shirt.toml', '--check'],
    ['ask', '--db', 'sales.sqlite', 'How many orders are there?'],
    ['lint', 'checkout.ts'],
  ])
    expect(await launcher.run(line, {env, cwd})).toMatchObject({code: 0});
  const again = await launcher.run(['demo', '--keep', 'kept'], {env});
  expect(again).toMatchObject({code: 2, stderr: expect.stringContaining('kept is not empty')});
}, 60_000);

test('a demo that was killed leaves its copy for resume', async () => {
  const {launcher, env, left} = launcherInTemp();
  const args = ['demo', '--output', 'jsonl'];
  const {stdout, signal} = await launcher.run(args, {env, killAfterMs: 1});
  expect(signal).toBe('SIGKILL');
  expect(left()).toHaveLength(1);
  const id = eventsOf(stdout)[0]?.interaction ?? '';
  expect(await launcher.run(['resume', id], {env})).toMatchObject({code: 0});
}, 60_000);

/** The number of kills, one in each of equal parts of a whole run: 200 in `npm run chaos`. */
const moments = Number(process.env['QUORATE_KILLS'] ?? 3);

let demoLauncher: Launcher;

let killing: Killing;

beforeAll(async () => {
  demoLauncher = createLauncher();
  killing = await startKilling(demoLauncher);
}, 120_000);

afterAll(() => demoLauncher.remove());

describe('kill -9', () => {
  const roll = createDice(Date.now() % 1_000_000);
  const times = Array.from(
    {length: moments},
    (_, index) => (index + roll(1_000) / 1_000) / moments,
  );
  test.each(times)(
    'after %f of the demo: resumed to the same result, no command run twice',
    async (part) => {
      expect(killing.whole).toMatchObject({
        result: {status: 'completed', exitCode: 0},
        commandsTooMany: 0,
      });
      expect(await killing.killedAfter(part)).toEqual(killing.whole);
    },
    120_000,
  );
});

describe('init', () => {
  const {at, launcher} = setStage({
    prepare: () => writeFileSync(at('README.md'), '# Shop\n\nSells things to people.\n'),
  });

  const file = () => at('AGENTS.md');

  test.each([
    ['init', ['init'], ''],
    ['/init', ['chat'], '/init\n/quit\n'],
  ])(
    'without a model, %s writes an overview to AGENTS.md, voted on by rule',
    async (_, args, stdin) => {
      const {code, stdout} = await launcher.run(args, {stdin});
      expect({code, stdout}).toMatchObject({code: 0});
      expect(readFileSync(file(), 'utf8')).toContain('Sells things to people.');
    },
  );

  test('a model is asked for at most 40 lines of what is here', async () => {
    const env = {ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', HOME: launcher.folder};
    const loaded = await loadConfig({cwd: launcher.folder, env, overrides: []});
    expect(initRequest(loaded, env)).toMatch(/^Write AGENTS\.md .* at most 40 lines/);
    expect(existsSync(file())).toBe(false);
  });
});

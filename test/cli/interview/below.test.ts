/** An interview that a model begins below a run which is shown line by line. */

import {copyFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {call} from '../../support/agent-models.ts';
import {createLauncher, type Launcher} from '../../support/launch.ts';
import {
  type Heard,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../../support/mock-openai.ts';
import {useMockPanel} from '../../support/mock-panel.ts';
import {hasPty, startOnPty} from '../../support/pty.ts';

let launcher: Launcher;
let server: MockOpenAi;

beforeEach(async () => {
  launcher = createLauncher();
  copyFileSync('test/fixtures/forms/t-shirt.toml', join(launcher.folder, 't-shirt.toml'));
  server = await startMockOpenAi(speak);
  useMockPanel(launcher, server);
});

afterEach(async () => {
  await server.close();
  launcher.remove();
});

/** Has a person asked, and tells what it has heard of their answers. */
function speak({tools, text, turn}: Heard): Said {
  if (tools.includes('cast_ballot')) {
    return call('cast_ballot', {verdict: 'approve', reasons: ['fine'], confidence: 1});
  }
  if (turn === 0 && tools.includes('spawn_interview')) {
    return call('spawn_interview', {request: 't-shirt.toml'});
  }
  return {text: `Told: ${/- Size: \w+/.exec(text)?.[0] ?? 'nothing'}`};
}

const line = ['ask', 'Which shirt?', '-m', 'ask=mock/worker'];
/** The interview goes by rule. */
const env = {QUORATE_INTERVIEW_MODEL: 'offline'};

test.runIf(hasPty)(
  'is answered on the terminal, with its commands, and the model is told the answers',
  {timeout: 60_000},
  async () => {
    const {type, sees, exit, rows, leave} = await startOnPty(line, {folder: launcher.folder, env});
    try {
      await sees(/^language>$/m);
      type('English\r');
      await sees(/^country>$/m);
      type('Japan\r');
      await sees(/^Size \(1\/2\)>$/m);
      type('/skpi\r');
      await sees(/^there is no \/skpi; .*\nSize \(1\/2\)>$/m);
      type('M\r');
      await sees(/^Anything else \(2\/2\)>$/m);
      type('/skip\r');
      await sees(/^submit\?>$/m);
      type('/submit\r');
      expect(await exit).toBe(0);
      expect(rows().join('\n')).toContain('Told: - Size: M');
    } finally {
      await leave();
    }
  },
);

test.runIf(hasPty)(
  'waits when the person leaves, and is asked again',
  {timeout: 60_000},
  async () => {
    const first = await startOnPty(line, {folder: launcher.folder, env});
    await first.sees(/^language>$/m);
    first.type('\u0004');
    expect(await first.exit).toBe(4);
    const again = await startOnPty(['resume'], {folder: launcher.folder, env});
    try {
      await again.sees(/^language>$/m);
      again.type('\u0003');
      expect(await again.exit).toBe(130);
    } finally {
      await again.leave();
    }
  },
);

test('waits for a person where there is none', async () => {
  const {code, stdout} = await launcher.perform([...line, '--output', 'json'], {env});
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'waiting',
    asked: [{section: 'language', interaction: expect.stringMatching(/\.1$/)}],
  });
  const refused = await launcher.perform(['resume', '--answers', 'a.json'], {env});
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--answers is for an interview, and this run is none (ask)'),
  });
});

/** An interview that a model begins below a run which is shown line by line. */

import {copyFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';

import {expect, test} from 'vitest';

import {performLine} from '../../../cli/main.ts';
import {call} from '../../support/agent-models.ts';
import type {ReceivedRequest, Said} from '../../support/mock-openai.ts';
import {hasPty, startOnPty} from '../../support/pty.ts';
import {setStage} from '../stage.ts';

const {launcher} = setStage({
  models: speak,
  prepare: () =>
    copyFileSync('test/fixtures/forms/t-shirt.toml', join(launcher.folder, 't-shirt.toml')),
});

/** A model interviews the person, and reports the received answers. */
function speak({tools, text: read, turn}: ReceivedRequest): Said {
  if (tools.includes('cast_ballot')) {
    return call('cast_ballot', {verdict: 'approve', reasons: ['fine'], confidence: 1});
  }
  if (turn === 0 && tools.includes('find_tools')) {
    return call('find_tools', {query: 'interview a person'});
  }
  if (turn === 1 && tools.includes('spawn_interview')) {
    return call('spawn_interview', {request: 't-shirt.toml'});
  }
  return {text: `Received: ${/- Size: \w+/.exec(read)?.[0] ?? 'nothing'}`};
}

const line = ['ask', 'Which shirt?', '-m', 'ask=mock/worker'];
/** Runs the interview by rule. */
const env = {QUORATE_INTERVIEW_MODEL: 'offline'};

test.runIf(hasPty)(
  'is answered on the terminal, with its commands, and the model receives the answers',
  {timeout: 60_000},
  async () => {
    const {type, sees, exit, rows, leave} = await startOnPty(line, {folder: launcher.folder, env});
    try {
      await sees(/^Size \(1\/2\)>$/m);
      type('/skpi\r');
      await sees(/^there is no \/skpi; .*\nSize \(1\/2\)>$/m);
      type('M\r');
      await sees(/^Anything else \(2\/2\)>$/m);
      type('/skip\r');
      await sees(/^submit\?>$/m);
      type('/submit\r');
      expect(await exit).toBe(0);
      expect(rows().join('\n')).toContain('Received: - Size: M');
    } finally {
      await leave();
    }
  },
);

test('waits for a person if none is there', async () => {
  const {code, stdout} = await launcher.perform([...line, '--output', 'json'], {env});
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'waiting',
    asked: [{field: 'size', interaction: expect.stringMatching(/\.1$/)}],
  });
  const refused = await launcher.perform(['resume', '--answers', 'a.json'], {env});
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      '--answers is for an interview, and this run is not an interview (ask)',
    ),
  });
});

const waiting = async (): Promise<void> => {
  expect(await launcher.perform(line, {env})).toMatchObject({code: 4});
};

test('takes its replies from a pipe when the run is resumed, and the run continues', async () => {
  await waiting();
  const stdin = 'M\n/skip\n/submit\n';
  const {code, stdout, stderr} = await launcher.perform(['resume'], {env, stdin});
  expect({code, stdout}).toEqual({code: 0, stdout: 'Received: - Size: M\n'});
  expect(stderr).not.toContain('not read');
});

test('waits at the end of the pipe, and keeps the replies already read', async () => {
  await waiting();
  const first = await launcher.perform(['resume', '--output', 'json'], {env, stdin: 'M\n'});
  expect(first.code).toBe(4);
  expect(JSON.parse(first.stdout)).toMatchObject({status: 'waiting', asked: [{field: 'remarks'}]});
  const {stdout} = await launcher.perform(['resume'], {env, stdin: '/skip\nsubmit\n'});
  expect(stdout).toContain('Received: - Size: M');
});

test.each([
  ['after a line that can’t be taken', '/submit\nM\n/skip\n', 4, 2],
  ['after the last reply', 'M\n/skip\nsubmit\n\nyes\n', 0, 1],
])('reports the number of unread lines of the pipe %s', async (_, stdin, code, lines) => {
  await waiting();
  const resumed = await launcher.perform(['resume'], {env, stdin});
  expect(resumed.code).toBe(code);
  expect(resumed.stderr.match(/^not read: .*$/gm)).toEqual([
    `not read: ${lines} line${lines === 1 ? '' : 's'} of standard input`,
  ]);
});

test('takes replies from a pipe that sends only after the interview asks', async () => {
  const {folder} = launcher;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const out = text(stdout);
  let seen = '';
  stderr.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    if (/\? .*\n.* Size\n/.test(seen) && !stdin.writableEnded) stdin.end('M\n/skip\nsubmit\n');
  });
  const code = await performLine([...line, '-C', folder], {
    stdin,
    stdout,
    stderr,
    env: {
      ...env,
      HOME: folder,
      QUORATE_HOME: join(folder, 'data'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
  });
  stdout.end();
  expect({code, out: await out}).toEqual({code: 0, out: 'Received: - Size: M\n'});
});

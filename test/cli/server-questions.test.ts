/** A server of a tool asks the person: on a terminal, on the command line, and over HTTP. */

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {call} from '../support/agent-models.ts';
import {useAskingServer} from '../support/asking-server.ts';
import {createLauncher, type Launched, type Launcher} from '../support/launch.ts';
import {type MockOpenAi, type ReceivedRequest, startMockOpenAi} from '../support/mock-openai.ts';
import {hasPty, startOnPty} from '../support/pty.ts';
import {ownerToken as token, serveHere} from '../support/serving.ts';
import {serverOf} from '../tools/mcp/place.ts';

const script = join(import.meta.dirname, '../fixtures/mcp/by-hand.ts');
const question = {
  message: 'How deep is it?',
  requestedSchema: {
    type: 'object',
    properties: {
      level: {type: 'integer', minimum: 1, maximum: 9},
      unit: {type: 'string', enum: ['m', 'ft'], default: 'm'},
    },
    required: ['level'],
  },
};

let launcher: Launcher;
let models: MockOpenAi;
let behaviour = '';

/** Calls the tool once, and answers with its result. */
function measure({turn, text}: ReceivedRequest) {
  return turn === 0
    ? call('hand__ask', {questions: [question]})
    : {text: `It was said: ${/\{"action[^\n]*/.exec(text)?.[0] ?? 'nothing'}`};
}

beforeEach(async () => {
  launcher = createLauncher();
  models = await startMockOpenAi(measure);
  behaviour = useAskingServer(launcher, models);
});

afterEach(async () => {
  await models.close();
  launcher.remove();
});

const answered = 'It was said: {"action":"accept","content":{"level":3,"unit":"m"}}';

function fileWith(content: unknown): string {
  const file = join(launcher.folder, 'answer.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const ask = async (...args: string[]): Promise<Launched> =>
  await launcher.perform(['ask', 'How deep is the pool?', ...args]);

describe('without a terminal', {timeout: 60_000}, () => {
  test('the run waits, shows the question and the commands, and is answered by a file', async () => {
    const waiting = await ask();
    expect(waiting.code).toBe(4);
    for (const text of [
      '> How deep is it?',
      '- level (required): whole number, at least 1, at most 9',
      'Send the values in FILE, a JSON object, to the server',
    ]) {
      expect(waiting.stderr).toContain(text);
    }
    const id = /quorate resume (\S+) --decision answer:FILE/.exec(waiting.stderr)?.[1] ?? '';
    const decide = async (value: string): Promise<Launched> =>
      await launcher.perform(['resume', id, '--decision', value]);

    const wrong = await decide(`answer:${fileWith({level: 12})}`);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the answer is not valid: level: must be at most 9'),
    });
    expect(await decide(`answer:${fileWith([3])}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("can't be used: it is not a JSON object"),
    });
    expect(await decide('approve')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('use --decision answer:FILE|reject'),
    });
    const {code, stdout} = await decide(`answer:${fileWith({level: 3})}`);
    expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining(answered)});
    const shown = await launcher.perform(['show', id]);
    expect(shown.stdout).toContain('person answered');
  });

  test('where hil_mode is auto_reject, the server is told that nobody answers', async () => {
    const file = join(launcher.folder, 'config/quorate/config.toml');
    const config = readFileSync(file, 'utf8');
    writeFileSync(file, config.replace('[agent]', '[agent]\nhil_mode = "auto_reject"'));
    const {code, stdout} = await ask();
    expect(code).toBe(0);
    expect(stdout).toContain('It was said: nothing');
  });
});

describe.runIf(hasPty)('on a terminal', {timeout: 60_000}, () => {
  test('the person is asked, answers, and the run continues', async () => {
    const {folder} = launcher;
    const terminal = await startOnPty(['ask', 'How deep is the pool?'], {folder});
    await terminal.sees('agent-hil>');
    terminal.type('/answer\r');
    await terminal.sees(/^level:$/m);
    terminal.type('3\r');
    await terminal.sees('unit ["m"]:');
    terminal.type('\r');
    await terminal.sees('Send this to hand? [y/N]');
    terminal.type('y\r');
    await terminal.sees('It was said:');
    expect(await terminal.exit).toBe(0);
    expect(terminal.rows().join('')).toContain('"level":3,"unit":"m"');
  });

  test('in a conversation, /answer answers', async () => {
    const {folder} = launcher;
    const terminal = await startOnPty([], {folder});
    await terminal.sees('solo>');
    terminal.type('/ask How deep is the pool?\r');
    await terminal.sees('A Server Asks You a Question');
    terminal.type('3\r');
    await terminal.sees('waits for /answer or /reject');
    terminal.type('/answer {"level": 3}\r');
    await terminal.sees('It was said:');
    expect(terminal.rows().join('')).toContain('"level":3,"unit":"m"');
    await terminal.leave();
  });
});

test('over HTTP, the owner answers with values', {timeout: 60_000}, async () => {
  const launch = {
    kind: 'stdio',
    command: process.execPath,
    args: [script, behaviour],
    env: {},
  } as const;
  const server = await serveHere(launcher.folder, {
    runtime: {
      config: {
        ask: {model: 'mock/worker'},
        providers: {mock: {base_url: models.baseUrl, kind: 'openai-compatible'}},
      },
      mcpServers: [serverOf('hand', launch, true)],
    },
  });
  try {
    const begun = await server.ask('/v1/interactions', {
      token,
      body: {form: 'ask', request: 'How deep?'},
    });
    const path = `/v1/interactions/${String(begun.json['id'])}`;
    const look = async () => (await server.ask(path, {token})).json;
    await expect.poll(look, {timeout: 30_000}).toMatchObject({
      gates: [
        {question: {kind: 'server-input', input: {fields: [{name: 'level'}, {name: 'unit'}]}}},
      ],
    });
    const decide = async (body: object) => await server.ask(`${path}/decisions`, {token, body});
    expect(await decide({decision: 'answer', content: {level: 0}})).toMatchObject({
      status: 400,
      json: {error: {message: 'the answer is not valid: level: must be at least 1'}},
    });
    expect(await decide({decision: 'answer'})).toMatchObject({status: 400});
    expect(await decide({decision: 'answer', content: {level: 3}})).toMatchObject({status: 200});
    await expect.poll(look, {timeout: 30_000}).toMatchObject({result: {answer: answered}});
  } finally {
    await server.close();
  }
});

/** The data that leaves the machine: key and prompt go to one server and appear in no message. */

import {afterEach, describe, expect, test, vi} from 'vitest';

import {createAnthropicModel} from '../../../../actors/model/providers/anthropic.ts';
import {replies, streams} from '../../../support/fault-server.ts';
import {callOver, plainRequest, serve, testKey} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const context = {tools: [], signal: new AbortController().signal, onDelta: () => {}};

describe.each(wires)('$name', (wire) => {
  const hello = wire.reply({text: 'Hello.'});

  test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const elsewhere = await serve(streams(hello));
    const {outcome} = await callOver(wire, replies(status, '', {location: elsewhere.url}));
    const where = `${status}, to ${elsewhere.url}`;
    const provider = wire.create({baseUrl: elsewhere.url, apiKey: ''}).name.split('/')[0];
    expect(outcome).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining(
        `the server redirects elsewhere (${where}), which is not followed; set providers.${provider}.base_url to the address that answers`,
      ),
    });
    expect(elsewhere.received).toHaveLength(0);
  });

  test.each([
    [
      'its host',
      `https://user:${testKey}@b.example:8443/p/${testKey}?token=${testKey}#x`,
      'to https://b.example:8443',
    ],
    [
      'its host as it is written on the wire',
      'https://b\u00fccher.example/x',
      'to https://xn--bcher-kva.example',
    ],
    ['its own host', '/login?session=0123456789', 'to another path of http://127.0.0.1:'],
    ['no web host', `javascript:${testKey}`, 'without saying where to'],
    ['no valid host', 'http://[', 'without saying where to'],
  ])(
    'a message about a redirect names %s and nothing else of its target',
    async (_title, location, where) => {
      const {outcome} = await callOver(
        wire,
        replies(307, testKey, {location: encodeURI(location)}),
      );
      expect(outcome).toMatchObject({message: expect.stringContaining(`(307, ${where}`)});
      expect(JSON.stringify(outcome)).not.toMatch(
        new RegExp(`${testKey}|user|token|session|login|0123|%`),
      );
    },
  );

  test('a message about a redirect without a target says so', async () => {
    const {outcome} = await callOver(wire, replies(304, ''));
    expect(outcome).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('(304, without saying where to)'),
    });
  });

  test('addresses, keys and headers in the environment are ignored', async () => {
    const thief = await serve(streams(hello));
    for (const vendor of ['OPENAI', 'ANTHROPIC']) {
      vi.stubEnv(`${vendor}_BASE_URL`, thief.url);
      vi.stubEnv(`${vendor}_API_KEY`, 'key-of-the-environment');
      vi.stubEnv(`${vendor}_CUSTOM_HEADERS`, 'X-Custom: 1\nAuthorization: Bearer other');
      vi.stubEnv(`${vendor}_LOG`, 'debug');
    }
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-of-the-environment');
    vi.stubEnv('OPENAI_ORG_ID', 'org');
    vi.stubEnv('OPENAI_PROJECT_ID', 'project');
    const written = ['log', 'debug', 'info', 'warn', 'error'] as const;
    const logs = written.map((level) => vi.spyOn(console, level));

    const {outcome, server} = await callOver(wire, streams(hello));

    expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.'});
    expect(thief.received).toHaveLength(0);
    expect(server.received[0]?.path).toBe(wire.path);
    const sent = JSON.stringify(server.received[0]?.headers);
    expect(sent).toContain(testKey);
    expect(sent).not.toMatch(/environment|x-custom|other|"org"|project/i);
    for (const log of logs) expect(log).not.toHaveBeenCalled();
  });

  test('a key that a server echoes appears in no message', async () => {
    const echo = `Incorrect API key provided: ${testKey} or sk-abcd****wxyz, Bearer ${testKey}`;
    const {outcome} = await callOver(wire, replies(401, wire.errorBody('invalid_api_key', echo)));
    expect(outcome).toMatchObject({kind: 'auth', message: expect.stringContaining('[key]')});
    expect(JSON.stringify(outcome)).not.toMatch(/0123456789|wxyz/);
  });

  test('a key with invalid characters is never sent', async () => {
    const server = await serve(streams(hello));
    const model = wire.create({baseUrl: server.url, apiKey: 'kéy\nX-Injected: 1'});
    const outcome = await model.call(plainRequest, context);
    expect(outcome.kind).toBe('auth');
    expect(JSON.stringify(outcome)).not.toContain('kéy');
    expect(server.received).toHaveLength(0);
  });

  test('a server without a key receives a placeholder', async () => {
    const server = await serve(streams(hello));
    const outcome = await wire
      .create({baseUrl: server.url, apiKey: ''})
      .call(plainRequest, context);
    expect(outcome).toMatchObject({kind: 'ok'});
    expect(JSON.stringify(server.received[0]?.headers)).toMatch(/"(?:Bearer )?none"/);
  });

  test('control characters of a server do not reach a message', async () => {
    const body = wire.errorBody('odd', 'a\u001b[31mred\u202e\nline');
    const {outcome} = await callOver(wire, replies(400, body));
    expect(outcome).toHaveProperty('message', expect.stringContaining('a [31mred line'));
  });
});

test('a call of an old model writes nothing to the console', async () => {
  const warn = vi.spyOn(console, 'warn');
  const hello = wires.find(({name}) => name === 'anthropic')?.reply({text: 'Hello.'}) ?? '';
  const server = await serve(streams(hello));
  const model = createAnthropicModel({
    name: 'anthropic/claude-sonnet-4.5',
    model: 'claude-sonnet-4.5',
    baseUrl: server.url,
    apiKey: testKey,
  });
  expect(await model.call(plainRequest, context)).toMatchObject({kind: 'ok', text: 'Hello.'});
  expect(server.received[0]?.body).toContain('"claude-sonnet-4-5"');
  expect(warn).not.toHaveBeenCalled();
});

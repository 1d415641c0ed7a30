/** `quorate models`, with real servers on this machine. */

import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';

import {describe, expect, test} from 'vitest';

import {models} from '../../cli/commands/models.ts';
import type {OutputFormat} from '../../cli/line/command.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type Play, replies} from '../support/fault-server.ts';
import {serve} from '../support/model-call.ts';
import {setConfigFolders} from './folders.ts';

const folders = setConfigFolders();

interface Shown {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function shown(
  operands: readonly string[] = [],
  options: {readonly output?: OutputFormat; readonly env?: Record<string, string>} = {},
): Promise<Shown> {
  const {output = 'text', env = {}} = options;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const [out, err] = [text(stdout), text(stderr)];
  const parsed = {operands, flags: {}, output, quiet: false, verbose: false, overrides: []};
  const terminal = {stdin, stdout, stderr, env: {...folders.env, ...env}};
  try {
    const code = await models.run({...parsed, cwd: folders.project}, terminal);
    stdout.end();
    stderr.end();
    return {code, out: await out, err: await err};
  } finally {
    stdout.end();
    stderr.end();
  }
}

/** A server with this name, used as the decision model. */
async function configure(play: Play, more = ''): Promise<string> {
  const {url} = await serve(play);
  folders.writeUser(
    `[agent]\ndecision_model = "mine/qwen3"\nreview_models = ["mine/qwen3", "policy/safety"]\n` +
      `[providers.mine]\nbase_url = "${url}/v1"\n${more}`,
  );
  return url;
}

const two = replies(200, {data: [{id: 'qwen3'}, {id: 'models/llama'}]});

test('the models of a server are listed with the names that -m accepts, their roles and prices', async () => {
  const url = await configure(two, '[prices."mine/llama"]\ninput = 1.5\noutput = 2\n');
  const {code, out, err} = await shown();
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^mine +reachable +2 +${url}/v1$`, 'm'));
  expect(out).toMatch(
    /^mine\/qwen3 +0 +0 +exploration, decision, review, ask, participants, moderator, interview, interview-reviewer$/m,
  );
  expect(out).toMatch(/^mine\/llama +1\.5 +2$/m);
  expect(out).toMatch(/^groq +no key +set GROQ_API_KEY$/m);
  expect(out).toMatch(/^azure +no address +set providers\.azure\.base_url to https:\/\/RESOURCE/m);
  expect(err).toBe('');
});

test('without a usable model the offline one is listed', async () => {
  const {out} = await shown();
  expect(out).toMatch(/^offline +built in +1 +works by rule/m);
  expect(out).toMatch(
    /^offline\/offline +0 +0 +exploration, decision, ask, participants, moderator, interview, interview-reviewer$/m,
  );
});

test('a single provider is queried alone, and its answer decides the exit code', async () => {
  await configure(two);
  expect(await shown(['mine'])).toMatchObject({code: 0, out: expect.not.stringContaining('groq')});
  await configure(replies(500, {}));
  expect(await shown(['mine'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^mine +no list +http.*answers 500$/m),
  });
  expect((await shown(['mine'])).out).not.toContain('No model is available');
  await configure(replies(401, {}));
  expect(await shown(['mine'])).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^mine +key refused/m),
  });
  await expect(shown(['mien'])).rejects.toThrow(/no provider "mien"; did you mean "mine"/);
  await expect(shown(['mien'])).rejects.toBeInstanceOf(AppError);
});

test('a long list is cut, except for the models in use', async () => {
  const many = Array.from({length: 40}, (_, index) => ({id: `m${index}`}));
  await configure(replies(200, {data: [...many, {id: 'qwen3'}]}));
  const {out} = await shown();
  expect(out).toMatch(/^mine\/m11 /m);
  expect(out).not.toMatch(/^mine\/m12 /m);
  expect(out).toMatch(/^mine\/qwen3 /m);
  expect(out).toMatch(/28 more: quorate models mine$/m);
  expect((await shown(['mine'])).out).toMatch(/^mine\/m39 /m);
});

test('a redirect of a server is not followed, and its target host is named', async () => {
  await configure(replies(308, '', {location: 'https://other.example/v1/models?token=SECRET'}));
  const {out} = await shown(['mine']);
  expect(out).toMatch(
    /^mine +unreachable +.* redirects elsewhere \(308, to https:\/\/other\.example\)$/m,
  );
  expect(out).not.toContain('SECRET');
});

describe('as JSON', () => {
  test('each provider has its state and its models', async () => {
    await configure(two);
    const {out} = await shown([], {output: 'json'});
    expect(JSON.parse(out)).toEqual(
      expect.arrayContaining([
        {
          name: 'mine',
          state: 'reachable',
          detail: expect.stringContaining('127.0.0.1'),
          models: [
            {
              name: 'mine/qwen3',
              roles: [
                'exploration',
                'decision',
                'review',
                'ask',
                'participants',
                'moderator',
                'interview',
                'interview-reviewer',
              ],
              price: {input: 0, output: 0},
            },
            {name: 'mine/llama', roles: [], price: {input: 0, output: 0}},
          ],
        },
        {name: 'groq', state: 'noKey', detail: 'set GROQ_API_KEY', models: []},
      ]),
    );
  });

  test('a key is sent to its provider and never shown', async () => {
    const keys: (string | undefined)[] = [];
    await configure((response, {headers}) => {
      keys.push(headers.authorization);
      response.writeHead(403).end('CANARY is wrong');
    }, 'api_key_env = "MINE_KEY"\n');
    const {out} = await shown(['mine'], {output: 'json', env: {MINE_KEY: 'CANARY'}});
    expect(keys).toEqual(['Bearer CANARY']);
    expect(out).not.toContain('CANARY');
  });
});

/** Files with credentials: closed to confined commands, and their values masked. */

import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {array, assert, asyncProperty, constantFrom, string, tuple} from 'fast-check';
import {describe, expect, test} from 'vitest';

import {parseConfig} from '../../../actors/config/schema.ts';
import type {ConfigInput} from '../../../actors/index.ts';
import {createMask, createRedactor, credentialValues} from '../../../actors/secrets/redact.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {cells} from '../../support/rows.ts';
import {
  commitAll,
  type Files,
  folderWith,
  follow,
  journalIn,
  putFiles,
  setStage,
} from '../../support/stage.ts';
import {canConfine} from '../../tools/run/confined.ts';

function createWorkspace(files: Files) {
  const workspace = folderWith(files);
  const put = (path: string, text: string) => putFiles(workspace, {[path]: text});
  return {workspace, put, redactor: createRedactor(parseConfig({}), {}).within(workspace)};
}

const value = string({
  unit: constantFrom(...'abcXYZ0189!#$%&*+-./:;<=>?@^_|~ '.split('')),
  minLength: 8,
  maxLength: 40,
}).filter(
  (text) => text.trim() === text && /[a-z]/.test(text) && /\d/.test(text) && /[A-Z]/.test(text),
);
const placed = tuple(constantFrom('API_KEY', 'SMTP_PASS', 'authToken', 'db.password'), value);

test('no value of a secret key survives in any output, in any surrounding text', async () => {
  await assert(
    asyncProperty(
      array(placed, {minLength: 1, maxLength: 5}),
      string(),
      string(),
      async (settings, before, after) => {
        const {redactor} = createWorkspace({
          '.env': settings.map(([key, text]) => `${key}='${text}'`).join('\n'),
        });
        await redactor.refresh();
        for (const [, text] of settings) {
          const shown = [
            text,
            encodeURIComponent(text),
            JSON.stringify(text),
            Buffer.from(text).toString('base64'),
            Buffer.from(`${before}${text}${after}`).toString('base64url'),
          ];
          const masked = redactor.text(`${before}${shown.join(after)}${before}`);
          expect(masked).not.toContain(text);
          expect(masked).not.toContain(Buffer.from(text).toString('base64').replace(/=*$/, ''));
          expect(masked).not.toContain(encodeURIComponent(text));
        }
      },
    ),
    {numRuns: 100},
  );
});

test.each([
  ['.env', 'export API_KEY="it\'s a # key"\n', "it's a # key"],
  ['.env', "SECRET='first line\nthe second line of it'\n", 'the second line of it'],
  ['.env', "NAME='ann\nAPI_KEY=opensesame\nCITY='a\n", 'opensesame'],
  ['.env', `GITHUB=ghp_${'a1B2'.repeat(9)}\n`, `ghp_${'a1B2'.repeat(9)}`],
  ['.env', 'DATABASE_URL=postgres://app:s3cr%40tpw@db/x\n', 's3cr@tpw'],
  ['.env', 'SMTP_PASS=hunter22 # the old one\n', 'hunter22'],
  ['secrets.json', '{"passwords": ["opensesame"], "port": 1}', 'opensesame'],
  ['config/secrets.json', '{"smtp": {"pass": "opensesame"}}', 'opensesame'],
  ['secrets.yaml', 'db:\n  password: opensesame\n', 'opensesame'],
  ['credentials.toml', 'token = "opensesame"\n', 'opensesame'],
  ['.netrc', 'machine a.example login ann password opensesame\n', 'opensesame'],
  ['.npmrc', '//registry.example/:_authToken=opensesame\n', 'opensesame'],
  ['.pypirc', '[pypi]\nusername = ann\npassword = opensesame\n', 'opensesame'],
  ['.git-credentials', 'https://ann:opensesame@example.com\n', 'opensesame'],
  ['.pgpass', 'db:5432:*:ann:open\\:sesame\n', 'open:sesame'],
  ['.htpasswd', '# users\nann:opensesame\n', 'opensesame'],
  ['.vault-token', 'opensesame\n', 'opensesame'],
  ['.aws/credentials', '[default]\naws_secret_access_key = opensesame\n', 'opensesame'],
  [
    'server.key',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQopensesame\n-----END PRIVATE KEY-----\n',
    'MIIEvQopensesame',
  ],
])('in %s the secret of %j is found', async (path, text, secret) => {
  const {redactor} = createWorkspace({[path]: text});
  await redactor.refresh();
  expect(redactor.text(`x ${secret} y`)).toBe('x [redacted] y');
});

test.each(
  cells(String.raw`
  PORT=localhost:5432 ¦ NODE_ENV=production ¦ STARTED=2026-11-23T10:00:00Z
  URL=https://example.com/docs/start ¦ PASSWORD=postgres ¦ SECRET_KEY=changeme ¦ REGION=eu-central-1
  LOCALE=en_US.UTF-8 ¦ MODEL=claude-sonnet-4.5 ¦ IMAGE=node:20-alpine ¦ BIN=/usr/local/bin/node20
  MAIL=Ann.Smith@example.com ¦ PRIVATE_KEY=/home/ann/.ssh/id_ed25519 ¦ TOKEN_TTL=86400000
  NAME=MyProject2026 ¦ CLIENT=aB3dE9xZ12 ¦ TOKEN_URL=https://example.com/token
`),
)('%s has no secret', (line) => {
  expect(credentialValues('.env', line)).toEqual([]);
});

test('a key in base64 is masked although it begins like a path', () => {
  const key = '/aB3dE9xZ12/kL4mN8pQ56';
  expect(credentialValues('.env', `SECRET_KEY=${key}\n`)).toEqual([key]);
});

test('a run reports once that a file is too large to mask all its secrets', async () => {
  const {start} = setStage({
    files: {'.env': `A_KEY=opensesame\n${'#'.repeat(256 * 1024)}\nB_KEY=hunter2222\n`},
    tasks: [1, 2].map((id) => ({id: `t${id}`, tool: 'run_command', args: {command: 'ls'}})),
    config: {agent: {review_models: ['policy/safety'], phase_scope: 'fast'}},
  });
  const {events} = await follow(start('List the files'));
  expect(events.filter(({type}) => type === 'warning')).toContainEqual(
    expect.objectContaining({
      message: '.env is too large: only the secrets in its first 256 KB are masked',
    }),
  );
  expect(JSON.stringify(events).split('is too large')).toHaveLength(2);
});

test('each run in a folder learns once that it has more files and secrets than are masked', async () => {
  const tokens = Array.from({length: 5_000}, (_, at) => `TOKEN_${at}A=${at}-sesame-${at}\n`);
  const others = Array.from({length: 200}, (_, at) => [`${at}/.env`, 'PORT=1\n']);
  const workspace = folderWith({'.env': tokens.join(''), ...Object.fromEntries(others)});
  const {within} = createRedactor(parseConfig({}), {});
  const [one, other] = [within(workspace), within(workspace)];
  const warnings = ['secrets in 200 of them are masked', 'too many secrets'];
  const expected = warnings.map((text) => expect.stringContaining(text));
  expect(await one.refresh()).toEqual(expected);
  expect(await one.refresh('afterEffect')).toEqual([]);
  expect(await other.refresh()).toEqual(expected);
});

test('a secret that a command has just written is masked in its outcome, and stays masked when the file is gone', async () => {
  const {workspace, put, redactor} = createWorkspace({});
  await redactor.refresh();
  put('deep/er/.env.local', 'API_KEY=opensesame\n');
  await redactor.refresh('afterEffect');
  expect(redactor.text('opensesame')).toBe('[redacted]');
  rmSync(join(workspace, 'deep'), {recursive: true});
  await redactor.refresh('afterEffect');
  expect(redactor.text('opensesame')).toBe('[redacted]');
});

test('no file breaks a run by declaring a word of the engine, or the workspace, a secret', async () => {
  const {workspace, redactor} = createWorkspace({});
  writeFileSync(join(workspace, '.env'), `A_TOKEN=succeeded\nB_TOKEN=${workspace.slice(-8)}\n`);
  await redactor.refresh('afterEffect');
  expect(redactor.json({kind: 'succeeded', text: 'succeeded'})).toEqual({
    kind: 'succeeded',
    text: '[redacted]',
  });
  expect(redactor.text(workspace)).toBe(workspace);
});

test('a file with these values can still be undone', async () => {
  const {redactor} = createWorkspace({'.env': 'API_KEY=opensesame\n'});
  await redactor.refresh();
  expect(redactor.holdsSecret(Buffer.from('opensesame'))).toBe(false);
});

test('overlapping values are masked together', () => {
  expect(createMask(['abcdefgh1', 'h1zzzzzz'], '#')('x abcdefgh1zzzzzz abcdefgh1')).toBe('x # #');
});

const canary = 'Kc7vTq9xWz2mLp4r';

/** Each has the canary; git tracks none of them. */
const credentials: Files = {
  '.env': `PORT=3000\nAPI_KEY=${canary}\n`,
  '.netrc': `machine example.com login ann password ${canary}\n`,
  'server.key': `-----BEGIN PRIVATE KEY-----\nMIIEvQ${canary}\n-----END PRIVATE KEY-----\n`,
  'nested/.env.local': `SMTP_PASS="${canary}"\n`,
};

const tracked: Files = {
  '.gitignore': '.env*\n!.env.example\n',
  '.env.example': 'API_KEY=\n',
  'src/api.txt': 'API docs\n',
  'app.sh': 'cat .env\n',
};

/** Outside of /tmp, because any user may write there. */
function createRepository(): string {
  const workspace = folderWith(tracked, '/var/tmp');
  commitAll(workspace);
  putFiles(workspace, credentials);
  return workspace;
}

interface Command {
  readonly command: string;
  readonly credentials?: readonly string[];
}

/**
 * One task per command in a repository with credentials; policies alone vote. A command that cannot be judged suspends the
 * run, as without a terminal, or a person approves it. `shown`: requests to models, events, the result, and the journal.
 */
function runCommands(
  commands: readonly Command[],
  config: ConfigInput,
  person: 'absent' | 'approves' = 'absent',
) {
  const events: ProgressEvent[] = [];
  const review_models = ['policy/safety', 'policy/scope', 'policy/evidence'];
  const {start, requests, runtime} = setStage({
    folder: createRepository(),
    tasks: commands.map((args) => ({tool: 'run_command', args})),
    config: {
      ...config,
      agent: {hil_mode: 'interactive', max_parallel_tasks: 1, review_models, ...config.agent},
    },
    journal: journalIn(folderWith({}, '/var/tmp')),
  });
  const onEvent = (event: ProgressEvent): void => {
    events.push(event);
    if (event.type !== 'human.requested') return;
    if (person === 'absent') void run.suspend('waiting');
    else
      setImmediate(() => run.send({type: 'human.decided', gate: event.gate, decision: 'approve'}));
  };
  const run = start('Look for API in all files', {onEvent});
  const shown = async () =>
    JSON.stringify([requests, events, await runtime.entries(run.id), await run.result]);
  return {result: run.result, events, shown};
}

const reading = cells(String.raw`
  cat ./.en* ¦ grep -r API . ¦ cat .e?? ¦ head -50 .[en]* ¦ find . -name ".e*" -exec cat {} + ¦ awk 1 .e*
  sed -n p ./.en* ¦ tar c . | strings ¦ for f in .[en]*; do cat "$f"; done ¦ grep -rn "" . ¦ cat server.k*
  strings -f .[en]* ¦ nl .e* ¦ jq -R . .e* ¦ paste .e* ¦ git ls-files -o | xargs cat
`);
const required = {sandbox: {mode: 'required'}} as const;
const fast = {agent: {phase_scope: 'fast'}} as const;

function callsOf({tasks = []}: {readonly tasks?: readonly {readonly calls?: readonly object[]}[]}) {
  return tasks.flatMap(({calls = []}) => calls);
}

describe.skipIf(!canConfine)('confined', () => {
  test('no command that reads a tree or a pattern shows their content, and each is approved', async () => {
    const commands = reading.map((command) => ({command}));
    const {result, shown} = runCommands(commands, required);
    const ended = await result;
    expect(await shown()).not.toContain(canary);
    expect(ended.denied).toEqual([]);
    const calls = callsOf(ended);
    expect(calls).toHaveLength(reading.length);
    expect(calls.every((call) => 'confinement' in call && call.confinement !== 'none')).toBe(true);
  });

  test('a search continues in all other files and succeeds', async () => {
    const {result} = runCommands([{command: 'grep -r API .'}], required);
    expect(callsOf(await result)).toMatchObject([
      {status: 'succeeded', text: expect.stringContaining('src/api.txt:API docs')},
    ]);
  });
});

test.each(reading.slice(0, 3))('unconfined, no rule judges %s', async (command) => {
  const {result} = runCommands([{command}], {sandbox: {mode: 'off'}, ...fast});
  expect(await result).toMatchObject({status: 'waiting'});
});

const opening: Command = {command: 'cat .e?v nested/.e*', credentials: ['.env']};

describe.skipIf(!canConfine)('a call that opens one', () => {
  test.each(['interactive', 'auto_approve'] as const)(
    'waits for a person in the mode %s, whose question names the file',
    async (hil_mode) => {
      const config = {...required, agent: {...fast.agent, hil_mode}};
      const {result, events} = runCommands([opening], config);
      expect(await result).toMatchObject({status: 'waiting'});
      expect(JSON.stringify(events.filter(({type}) => type === 'human.requested'))).toContain(
        '.env',
      );
    },
  );

  test('is rejected in the mode auto_reject', async () => {
    const config = {...required, agent: {...fast.agent, hil_mode: 'auto_reject'}} as const;
    const {result, shown} = runCommands([opening], config);
    expect((await result).status).not.toBe('completed');
    expect(await shown()).not.toContain(canary);
  });

  test('reads that file alone once a person has approved it, and its values stay masked', async () => {
    const config = {...required, ...fast};
    const {result, shown} = runCommands([opening], config, 'approves');
    const calls = callsOf(await result);
    expect(calls).toMatchObject([
      {status: 'succeeded', text: expect.stringContaining('API_KEY=[redacted]')},
    ]);
    expect(JSON.stringify(calls)).toContain('PORT=3000');
    expect(await shown()).not.toContain(canary);
  });
});

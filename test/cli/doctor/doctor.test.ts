/** The doctor and `quorate models`, with real servers on this machine. */

import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {setGlobalProxyFromEnv} from 'node:http';
import {join} from 'node:path';

import {afterEach, describe, expect, it, onTestFinished, vi, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {
  checkNode,
  doctor,
  doctorLines,
  type DoctorReport,
  installCommand,
} from '../../../cli/doctor/doctor.ts';
import {findingOf} from '../../../cli/doctor/finding.ts';
import {say} from '../../../cli/language.ts';
import type {OutputFormat} from '../../../cli/line/command.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {runLine} from '../../support/command-line.ts';
import {type Play, replies} from '../../support/fault-server.ts';
import {serve} from '../../support/model-call.ts';
import {wires} from '../../support/wires.ts';
import {setConfigFolders} from '../folders.ts';

const reader = {};
const folders = setConfigFolders();
const urlOf = async (play: Play): Promise<string> => `${(await serve(play)).url}/v1`;

interface Examined {
  readonly online?: boolean;
  readonly waitMs?: number;
}

async function examine(
  extra: Record<string, string> = {},
  options: Examined = {},
): Promise<DoctorReport> {
  const loaded = await folders.load(extra).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  const env = {...folders.env, ...extra};
  return doctor({loaded, env, cwd: folders.project, online: false, ...options});
}

/** A Chat Completions server that answers, but does not list its models. */
function answering(received: string[] = []): Play {
  return (response, {method, path}) => {
    received.push(`${method} ${path}`);
    response.writeHead(200, {'content-type': 'text/event-stream'}).end(hello);
  };
}

const hello = wires.find(({path}) => path.endsWith('/chat/completions'))?.reply({text: 'Yes.'});

function found(report: DoctorReport, what: string): string {
  const finding = report.findings.find((one) => one.what === what);
  return finding ? `${finding.status}: ${finding.detail}` : 'nothing';
}

describe('a proxy', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('that is set but not used is a warning, without its password', async () => {
    vi.stubEnv('https_proxy', 'http://me:pass-word@127.0.0.1:9');
    expect(found(await examine(), 'proxy')).toBe(
      'warning: https_proxy is set but not used: set NODE_USE_ENV_PROXY=1 to use it',
    );
  });

  it('that is in use is named, without its password', async () => {
    onTestFinished(setGlobalProxyFromEnv({HTTPS_PROXY: 'http://me:pass-word@127.0.0.1:9'}));
    expect(found(await examine(), 'proxy')).toBe('ok: HTTPS_PROXY is in use: http://127.0.0.1:9');
  });

  it('has no row when none is set', async () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])
      vi.stubEnv(name, '');
    expect(found(await examine(), 'proxy')).toBe('nothing');
  });
});

describe('a fresh machine', () => {
  it('can start a run: offline, with the missing parts listed', async () => {
    const report = await examine();
    expect(report.exitCode).toBe(0);
    expect(found(report, 'Node')).toMatch(/^ok: \d/);
    expect(found(report, 'SQLite')).toMatch(/^ok: \d/);
    expect(found(report, 'data folder')).toBe(`ok: ${join(folders.root, 'data')}`);
    expect(found(report, 'limits')).toMatch(
      /^(?:ok: a command gets at most \d+ MB of memory and 4096 processes, by systemd|warning: nothing bounds the memory of commands as a whole)/,
    );
    expect(found(report, 'decision model')).toBe('ok: offline/offline');
    expect(found(report, 'approval')).toBe(
      'ok: plans and risky actions of offline/offline: votes of policy/safety, policy/scope, policy/evidence',
    );
    expect(found(report, 'documents')).toMatch(/^ok: quorate ask searches /);
    expect(found(report, 'panel')).toBe(
      'ok: policy/safety (veto), policy/scope (veto), policy/evidence (veto); rule unanimous',
    );
    expect(found(report, 'models')).toMatch(/^warning: No model is configured: /);
    expect(found(report, 'journal')).toBe('ok: none yet');
    expect(found(report, 'provider anthropic')).toBe('skipped: ANTHROPIC_API_KEY is not set');
    expect(found(report, 'provider ollama')).toBe('nothing');
    expect(doctorLines(report).at(-1)).toBe(
      'A run can start. Try: quorate ask "What is this project about?"',
    );
  });

  it('names the models that judge their own work', async () => {
    const report = await examine({ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o'});
    expect(found(report, 'approval')).toBe(
      'ok: plans and risky actions of anthropic/claude-sonnet-4.5: policy/safety, policy/scope, policy/evidence may veto; then votes of gpt-5.2-codex, anthropic/claude-sonnet-4.5 itself',
    );
  });

  it('cannot start a run if the data folder is a file', async () => {
    writeFileSync(join(folders.root, 'data'), '');
    const report = await examine();
    expect(report.exitCode).toBe(2);
    expect(found(report, 'data folder')).toMatch(/^failed: .*EEXIST|ENOTDIR/);
    expect(doctorLines(report).join('\n')).toMatch(/FAILED +data folder/);
    for (const width of [30, 60, 100]) {
      const rows = doctorLines(report, width);
      expect(rows.filter((line) => line.length > width)).toEqual([]);
      expect(rows.join(' ').replaceAll(/\s+/g, '')).toBe(
        doctorLines(report).join(' ').replaceAll(/\s+/g, ''),
      );
    }
  });

  it('requires a recent Node', () => {
    expect(checkNode('24.14.9')).toMatchObject({status: 'failed'});
    expect(findingOf(checkNode('22.23.0'), reader)).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('databases'),
    });
    expect(checkNode('24.15.0')).toMatchObject({status: 'ok'});
    expect(checkNode('26.0.0')).toMatchObject({status: 'ok'});
  });
});

function using(baseUrl: string, more = ''): string {
  return `[agent]\ndecision_model = "local/qwen3"\n[providers.local]\nbase_url = "${baseUrl}"\n${more}`;
}

describe('a broken configuration', () => {
  it('is one finding among the others', async () => {
    folders.writeUser('[agent]\nmax_replan = 1\n');
    const report = await examine();
    expect(found(report, 'configuration')).toMatch(/^failed: .*config\.toml:2:1: unknown key/);
    expect(found(report, 'Node')).toMatch(/^ok/);
    expect(found(report, 'git')).not.toBe('nothing');
    expect(report.exitCode).toBe(2);
  });
});

describe('the journal', () => {
  it('is measured: its runs, its bytes, and the bytes of the earlier contents of files', async () => {
    const journal = createSqliteJournal(join(folders.root, 'data', 'journal.db'));
    const input = {form: 'ask', request: 'Why?', workspace: '/w'};
    for (const id of ['a', 'b']) {
      const bodies = [{type: 'opened', version: 'v', input}] as const;
      await journal.log.append([{interaction: id, bodies, at: 1}]);
    }
    const result = {status: 'completed'};
    await journal.log.append([{interaction: 'a', bodies: [{type: 'closed', result}], at: 2}]);
    const before = {hash: 'h', mode: 0o644, content: new Uint8Array(5_000)};
    await journal.backups?.keep('a', [{path: 'a', before}]);
    await journal.close();

    expect(found(await examine(), 'journal')).toMatch(
      /^ok: .*journal\.db; 2 runs, 1 open; \d+ KB, of which 4\.9 KB keep earlier contents of files for undo$/,
    );
  });

  it('is opened as a run opens it', async () => {
    mkdirSync(join(folders.root, 'data'));
    writeFileSync(
      join(folders.root, 'data', 'journal.db'),
      'this is no database, but a text of some length',
    );
    const report = await examine();
    expect(found(report, 'journal')).toMatch(/^failed: .*journal\.db/);
    expect(report.exitCode).toBe(2);
  });
});

describe('a link in place of the journal', () => {
  it('is reported with a remedy if it is dangling', async () => {
    mkdirSync(join(folders.root, 'data'));
    symlinkSync(join(folders.root, 'nowhere'), join(folders.root, 'data', 'journal.db'));
    const report = await examine();
    expect(found(report, 'journal')).toMatch(/^failed: .*a broken link is in its place/);
  });
});

describe('a missing sandbox', () => {
  it.each([
    ['ID=ubuntu\nID_LIKE=debian\n', 'run: sudo apt install bubblewrap'],
    ['NAME="Fedora"\nID=fedora\n', 'run: sudo dnf install bubblewrap'],
    ['ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', 'run: sudo zypper install bubblewrap'],
    ['ID=void\n', 'install the package bubblewrap of your system'],
  ])('%j gets the install command', (system, line) => {
    expect(say(installCommand(system), reader)).toBe(line);
  });
});

describe('a model on a server of the user', () => {
  it('receives a short request with a tool; the server needs no list of models', async () => {
    const received: string[] = [];
    folders.writeUser(using(await urlOf(answering(received))));
    const report = await examine();
    expect(received).toEqual(['POST /v1/chat/completions']);
    expect(found(report, 'provider local')).toMatch(/^ok: needs no key/);
    expect(found(report, 'model local/qwen3')).toMatch(/^ok: answers within \d+\.\d s$/);
    expect(report.exitCode).toBe(0);
  });

  it.each<[what: string, answer: Play, finding: RegExp, exitCode: number]>([
    [
      'does not support tools, so that no run can start',
      replies(400, {error: {message: 'qwen3 does not support tools'}}),
      /^failed: .*the model or its server does not support tools/,
      2,
    ],
    [
      'is slow, and a run can start',
      () => {},
      /^warning: has not answered within 0\.1 s; it may still be loading/,
      0,
    ],
    [
      'fails temporarily, and a run can start',
      replies(503, ''),
      /^warning: .*overloaded or failing/,
      0,
    ],
  ])('is reported when it %s', async (what, answer, finding, exitCode) => {
    folders.writeUser(using(await urlOf(answer)));
    const report = await examine({}, what.startsWith('is slow') ? {waitMs: 100} : {});
    expect(found(report, 'model local/qwen3')).toMatch(finding);
    expect(report.exitCode).toBe(exitCode);
  });

  it('prevents runs if its server is down', async () => {
    const {url, stop} = await serve((response) => void response.end());
    await stop();
    folders.writeUser(using(`${url}/v1`));
    const report = await examine();
    expect(found(report, 'model local/qwen3')).toMatch(
      /^failed: .*nothing answers at .*ECONNREFUSED/,
    );
    expect(report.exitCode).toBe(2);
  });

  it('is not called if nothing uses it', async () => {
    const received: string[] = [];
    folders.writeUser(`[providers.local]\nbase_url = "${await urlOf(answering(received))}"\n`);
    const report = await examine();
    expect(found(report, 'provider local')).toMatch(/^ok: needs no key/);
    expect(received).toEqual([]);
    expect(report.exitCode).toBe(0);
  });

  it('is not followed through a redirect', async () => {
    const visits: string[] = [];
    const trap = await urlOf(answering(visits));
    const url = await urlOf((response) => {
      response.writeHead(302, {location: `${trap}/chat/completions`}).end();
    });
    folders.writeUser(using(url));
    expect(found(await examine(), 'model local/qwen3')).toMatch(/the server redirects elsewhere/);
    expect(visits).toEqual([]);
  });

  it('receives its key, which is never shown', async () => {
    const keys: (string | undefined)[] = [];
    const url = await urlOf((response, {headers}) => {
      keys.push(headers.authorization);
      response.writeHead(401).end('CANARY is wrong');
    });
    folders.writeUser(using(url, 'api_key_env = "LOCAL_KEY"\n'));
    const report = await examine({LOCAL_KEY: 'CANARY'});
    expect(keys).toEqual(['Bearer CANARY']);
    expect(found(report, 'provider local')).toBe('ok: LOCAL_KEY is set');
    expect(found(report, 'model local/qwen3')).toMatch(/^failed: .*refused the key/);
    expect(JSON.stringify(report)).not.toContain('CANARY');
  });
});

describe('keys', () => {
  it('of vendors are reported as set, without spending money', async () => {
    const report = await examine({ANTHROPIC_API_KEY: 'CANARY', OPENAI_API_KEY: 'CANARY'});
    expect(found(report, 'provider anthropic')).toBe('ok: ANTHROPIC_API_KEY is set');
    expect(found(report, 'model anthropic/claude-sonnet-4.5')).toBe(
      'skipped: not asked (--online asks)',
    );
    expect(JSON.stringify(report)).not.toContain('CANARY');
    expect(report.exitCode).toBe(0);
  });

  it('of a named model prevent runs if they are missing', async () => {
    folders.writeUser('[agent]\ndecision_model = "gpt-5.2"\n');
    const report = await examine();
    expect(found(report, 'configuration')).toMatch(
      /^failed: .*config\.toml:2:1: agent\.decision_model: .*OPENAI_API_KEY/,
    );
    expect(report.exitCode).toBe(2);
  });

  it('go to the server that the user configured for a provider', async () => {
    const keys: unknown[] = [];
    const url = await urlOf((response, {headers}) => {
      keys.push(headers['x-api-key']);
      response.writeHead(401).end('{}');
    });
    folders.writeUser(
      `[providers.anthropic]\nbase_url = "${url}"\napi_key_env = "ANTHROPIC_API_KEY"\n`,
    );
    const report = await examine({ANTHROPIC_API_KEY: 'CANARY'});
    expect(new Set(keys)).toEqual(new Set(['CANARY']));
    expect(found(report, 'model anthropic/claude-sonnet-4.5')).toMatch(
      /^failed: .*refused the key/,
    );
  });
});

async function shown(
  operands: readonly string[] = [],
  options: {readonly output?: OutputFormat; readonly env?: Record<string, string>} = {},
) {
  const {output = 'text', env = {}} = options;
  const words = ['-C', folders.project, 'models', ...operands, '--output', output];
  return await runLine(words, {...folders.env, ...env});
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
  expect(await shown(['mien'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^quorate: (?!internal error).*no provider "mien"; did you mean "mine"/,
    ),
  });
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

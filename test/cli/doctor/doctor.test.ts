/** The doctor, with real servers on this machine. */

import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer, type RequestListener, type Server, setGlobalProxyFromEnv} from 'node:http';
import {join} from 'node:path';

import {afterEach, describe, expect, it, onTestFinished, vi} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {doctor, doctorLines, type DoctorReport} from '../../../cli/doctor/doctor.ts';
import {checkNode, installCommand} from '../../../cli/doctor/system.ts';
import {doctorTexts} from '../../../cli/doctor/texts.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {wires} from '../../support/wires.ts';
import {setConfigFolders} from '../folders.ts';

const texts = doctorTexts({});
const folders = setConfigFolders();
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

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
function answering(received: string[] = []): RequestListener {
  return (request, response) => {
    received.push(`${request.method} ${request.url}`);
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
      /^(?:ok: a command gets at most \d+ MB of memory and 4096 processes|warning: nothing bounds the memory of commands)/,
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

  it('fits a narrow terminal, broken between words', async () => {
    const lines = doctorLines(await examine(), 60);
    expect(Math.max(...lines.slice(0, -1).map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(lines.join('\n')).toMatch(/\bpolicy\/scope \(veto\),\n +policy\/evidence \(veto\)/);
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
    expect(checkNode('24.14.9', texts)).toMatchObject({status: 'failed'});
    expect(checkNode('22.23.0', texts)).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('databases'),
    });
    expect(checkNode('24.15.0', texts)).toMatchObject({status: 'ok'});
    expect(checkNode('26.0.0', texts)).toMatchObject({status: 'ok'});
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
    expect(installCommand(system, texts)).toBe(line);
  });
});

describe('a model on a server of the user', () => {
  it('receives a short request with a tool; the server needs no list of models', async () => {
    const received: string[] = [];
    folders.writeUser(using(await serve(answering(received))));
    const report = await examine();
    expect(received).toEqual(['POST /v1/chat/completions']);
    expect(found(report, 'provider local')).toMatch(/^ok: needs no key/);
    expect(found(report, 'model local/qwen3')).toMatch(/^ok: answers within \d+\.\d s$/);
    expect(report.exitCode).toBe(0);
  });

  it.each<[what: string, answer: RequestListener, finding: RegExp, exitCode: number]>([
    [
      'does not support tools, so that no run can start',
      (_request, response) =>
        response.writeHead(400).end('{"error":{"message":"qwen3 does not support tools"}}'),
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
      (_request, response) => response.writeHead(503).end(),
      /^warning: .*overloaded or failing/,
      0,
    ],
  ])('is reported when it %s', async (what, answer, finding, exitCode) => {
    folders.writeUser(using(await serve(answer)));
    const report = await examine({}, what.startsWith('is slow') ? {waitMs: 100} : {});
    expect(found(report, 'model local/qwen3')).toMatch(finding);
    expect(report.exitCode).toBe(exitCode);
  });

  it('prevents runs if its server is down', async () => {
    const url = await serve((_request, response) => response.end());
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    folders.writeUser(using(url));
    const report = await examine();
    expect(found(report, 'model local/qwen3')).toMatch(/^failed: .*can’t be reached.*ECONNREFUSED/);
    expect(report.exitCode).toBe(2);
  });

  it('is not called if nothing uses it', async () => {
    const received: string[] = [];
    folders.writeUser(`[providers.local]\nbase_url = "${await serve(answering(received))}"\n`);
    const report = await examine();
    expect(found(report, 'provider local')).toMatch(/^ok: needs no key/);
    expect(received).toEqual([]);
    expect(report.exitCode).toBe(0);
  });

  it('is not followed through a redirect', async () => {
    const visits: string[] = [];
    const trap = await serve(answering(visits));
    const url = await serve((_request, response) => {
      response.writeHead(302, {location: `${trap}/chat/completions`}).end();
    });
    folders.writeUser(using(url));
    expect(found(await examine(), 'model local/qwen3')).toMatch(/the server redirects elsewhere/);
    expect(visits).toEqual([]);
  });

  it('receives its key, which is never shown', async () => {
    const keys: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      keys.push(request.headers.authorization);
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
    const url = await serve((request, response) => {
      keys.push(request.headers['x-api-key']);
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

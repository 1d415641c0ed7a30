/** The doctor, with real servers on this machine. */

import {writeFileSync} from 'node:fs';
import {createServer, type RequestListener, type Server} from 'node:http';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, it} from 'vitest';

import {toPrices, toProviders} from '../../actors/config/providers.ts';
import {createFunctionModel} from '../../actors/model/function-model.ts';
import {createRouter} from '../../actors/model/router.ts';
import {doctor, doctorLines, type DoctorReport} from '../../cli/doctor.ts';
import {checkNode} from '../../cli/doctor/system.ts';
import {createConfigFolders, type ConfigFolders} from './config/workspace.ts';

let folders: ConfigFolders;
const servers: Server[] = [];

beforeEach(() => {
  folders = createConfigFolders();
});
afterEach(async () => {
  folders.remove();
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

async function examine(extra: Record<string, string> = {}): Promise<DoctorReport> {
  const env = {...folders.env, ...extra};
  const loaded = await folders.load(extra);
  const offline = createFunctionModel('offline/offline', () => ({kind: 'ok', text: '', calls: []}));
  const router = createRouter({
    providers: toProviders(loaded.config),
    prices: toPrices(loaded.config),
    env,
    extra: [offline],
  });
  return doctor({loaded, router, env, cwd: folders.project, online: false});
}

function found(report: DoctorReport, what: string): string {
  const finding = report.findings.find((one) => one.what === what);
  return finding ? `${finding.status}: ${finding.detail}` : 'nothing';
}

describe('a fresh machine', () => {
  it('can start a run: offline, with what is missing said', async () => {
    const report = await examine();
    expect(report.exitCode).toBe(0);
    expect(found(report, 'Node')).toMatch(/^ok: \d/);
    expect(found(report, 'SQLite')).toMatch(/^ok: \d/);
    expect(found(report, 'data folder')).toBe(`ok: ${join(folders.root, 'data')}`);
    expect(found(report, 'decision model')).toBe('ok: offline/offline');
    expect(found(report, 'panel')).toMatch(
      /policy\/safety \(veto\), policy\/scope, policy\/evidence/,
    );
    expect(found(report, 'models')).toMatch(/^warning: offline/);
    expect(found(report, 'provider anthropic')).toBe('ok: ANTHROPIC_API_KEY is not set');
    expect(doctorLines(report).at(-1)).toBe('A run can start.');
  });

  it('cannot where the data folder is a file', async () => {
    writeFileSync(join(folders.root, 'data'), '');
    const report = await examine();
    expect(report.exitCode).toBe(2);
    expect(found(report, 'data folder')).toMatch(/^failed: .*EEXIST|ENOTDIR/);
    expect(doctorLines(report).join('\n')).toMatch(/FAILED +data folder/);
  });

  it('wants a Node that is new enough', () => {
    expect(checkNode('24.14.9')).toMatchObject({status: 'failed'});
    expect(checkNode('24.15.0')).toMatchObject({status: 'ok'});
    expect(checkNode('26.0.0')).toMatchObject({status: 'ok'});
  });
});

function using(baseUrl: string, more = ''): string {
  return `[agent]\ndecision_model = "local/qwen3"\n[providers.local]\nbase_url = "${baseUrl}"\n${more}`;
}

describe('a server of the user', () => {
  it('is asked for its models', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end(JSON.stringify({data: [{id: 'qwen3'}]}));
    });
    folders.writeUser(using(url));
    const report = await examine();
    expect(asked).toEqual(['GET /v1/models']);
    expect(found(report, 'provider local')).toMatch(/^ok: needs no key; .* answers$/);
    expect(report.exitCode).toBe(0);
  });

  it('is reported when it does not list the model', async () => {
    const url = await serve((_request, response) => {
      response.end(JSON.stringify({data: [{id: 'other'}]}));
    });
    folders.writeUser(using(url));
    expect(found(await examine(), 'provider local')).toMatch(
      /^warning: .*does not list local\/qwen3/,
    );
  });

  it('keeps a run from starting when it is down', async () => {
    const url = await serve((_request, response) => response.end());
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    folders.writeUser(using(url));
    const report = await examine();
    expect(found(report, 'provider local')).toMatch(/^failed: .*can't be reached \(ECONNREFUSED\)/);
    expect(report.exitCode).toBe(2);
  });

  it('is given up after two seconds of silence', async () => {
    folders.writeUser(using(await serve(() => {})));
    expect(found(await examine(), 'provider local')).toMatch(/^failed: .*not answer within 2 s/);
  });

  it('is only a warning when nothing uses it', async () => {
    const url = await serve((_request, response) => response.writeHead(500).end());
    folders.writeUser(`[providers.local]\nbase_url = "${url}"\n`);
    const report = await examine();
    expect(found(report, 'provider local')).toMatch(/^warning: .*answers 500/);
    expect(report.exitCode).toBe(0);
  });

  it('is not followed to another place', async () => {
    const visits: string[] = [];
    const trap = await serve((request, response) => {
      visits.push(request.url ?? '');
      response.end('{}');
    });
    const url = await serve((_request, response) => {
      response.writeHead(302, {location: `${trap}/models`}).end();
    });
    folders.writeUser(using(url));
    expect(found(await examine(), 'provider local')).toMatch(/^failed/);
    expect(visits).toEqual([]);
  });

  it('gets its key, which is never shown', async () => {
    const keys: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(401).end('CANARY is wrong');
    });
    folders.writeUser(using(url, 'api_key_env = "LOCAL_KEY"\n'));
    const report = await examine({LOCAL_KEY: 'CANARY'});
    expect(keys).toEqual(['Bearer CANARY']);
    expect(found(report, 'provider local')).toMatch(/LOCAL_KEY is set; .*401: the key was refused/);
    expect(JSON.stringify(report)).not.toContain('CANARY');
  });
});

describe('keys', () => {
  it('are said to be set without asking the provider', async () => {
    const report = await examine({ANTHROPIC_API_KEY: 'CANARY', OPENAI_API_KEY: 'CANARY'});
    expect(found(report, 'provider anthropic')).toMatch(/^ok: ANTHROPIC_API_KEY is set; not asked/);
    expect(JSON.stringify(report)).not.toContain('CANARY');
    expect(report.exitCode).toBe(0);
  });

  it('of a named model keep a run from starting when they are missing', async () => {
    folders.writeUser('[agent]\ndecision_model = "gpt-5.2"\n');
    const report = await examine();
    expect(found(report, 'configuration')).toMatch(
      /^failed: .*config\.toml:2:1: agent\.decision_model: .*OPENAI_API_KEY/,
    );
    expect(report.exitCode).toBe(2);
  });

  it('go to the server that the user put in the place of a provider', async () => {
    const url = await serve((request, response) => {
      response.writeHead(request.headers['x-api-key'] === 'CANARY' ? 200 : 401).end('{}');
    });
    folders.writeUser(
      `[providers.anthropic]\nbase_url = "${url}"\napi_key_env = "ANTHROPIC_API_KEY"\n`,
    );
    const report = await examine({ANTHROPIC_API_KEY: 'CANARY'});
    expect(found(report, 'provider anthropic')).toMatch(
      /^ok: ANTHROPIC_API_KEY is set; .*answers$/,
    );
  });
});

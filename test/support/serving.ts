/** A server in this process on a free port, and one as a process of its own. */

import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import {execa} from 'execa';

import type {Journal} from '../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../actors/journal/sqlite.ts';
import type {SubmissionRecords} from '../../actors/journal/submissions.ts';
import {silentLogger} from '../../actors/logger.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {createRuntime, type RuntimeOptions} from '../../actors/runtime.ts';
import {createMcpEndpoint} from '../../cli/mcp/endpoint.ts';
import {openForms} from '../../cli/serve/forms.ts';
import {type ServerOptions, startServer} from '../../cli/serve/server.ts';
import {compiledCode, launcherProgram} from './built.ts';

export const ownerToken = 'the-token-of-the-owner';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; `{}` without one. */
  readonly json: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown;
}

export type Ask = (path: string, sent?: Sent) => Promise<Answered>;

/** Sends requests to a server: with a body by POST, else by GET. */
export function askAt(url: string): Ask {
  return async (path, sent = {}) => {
    const response = await fetch(url + path, requestOf(sent));
    const {status, headers} = response;
    const isJson = headers.get('content-type')?.startsWith('application/json') === true;
    const text = await response.text();
    return {status, headers, json: isJson ? JSON.parse(text) : {}};
  };
}

function requestOf({token, headers, body, method}: Sent): RequestInit {
  const auth = token === undefined ? {} : {authorization: `Bearer ${token}`};
  if (body === undefined) return {method: method ?? 'GET', headers: {...auth, ...headers}};
  return {
    method: method ?? 'POST',
    headers: {...auth, 'content-type': 'application/json', ...headers},
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

type Options = Partial<Omit<ServerOptions, 'runtime'>> & {readonly runtime?: RuntimeOptions};

export interface Serving {
  readonly url: string;
  readonly ask: Ask;
  readonly runtime: Runtime;
  readonly journal: Journal;
  readonly close: () => Promise<void>;
}

/** `data`: the folder of the journal. */
export async function serveHere(
  data: string,
  {runtime: given = {}, ...options}: Options = {},
): Promise<Serving> {
  const journal = createSqliteJournal(join(data, 'journal.db'));
  const runtime = createRuntime({journal, env: {}, ...given});
  const workspace = realpathSync(data);
  const server = await startServer({
    runtime,
    records: recordsOf(journal),
    ownerToken,
    host: '127.0.0.1',
    port: 0,
    workspace,
    mcp: createMcpEndpoint({runtime, journal, workspace, env: {}, overrides: []}, silentLogger),
    forms: await openForms(resolve('test/fixtures/forms'), silentLogger),
    patienceMs: 60_000,
    idleMs: 5_000,
    version: '0.0.0',
    rate: {perSecond: 10_000, burst: 10_000},
    timing: {heartbeatMs: 15_000, stallMs: 30_000},
    logger: silentLogger,
    ...options,
  });
  const close = async (): Promise<void> => {
    await server.close();
    await journal.close();
  };
  return {url: server.url, ask: askAt(server.url), runtime, journal, close};
}

export function recordsOf({submissions}: Journal): SubmissionRecords {
  if (submissions) return submissions;
  throw new Error('the journal keeps no submissions');
}

export function temporaryFolder(): {readonly folder: string; readonly remove: () => void} {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-serve-'));
  return {folder, remove: () => rmSync(folder, {recursive: true, force: true})};
}

/** `quorate serve`, once it has printed its address. */
export async function launchServer(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {QUORATE_OWNER_TOKEN: ownerToken},
) {
  const program = await launcherProgram();
  const child = execa(process.execPath, [program, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      NODE_COMPILE_CACHE: compiledCode(),
      QUORATE_HOME: join(folder, 'data'),
      ...env,
    },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
  const {promise, resolve: found, reject} = Promise.withResolvers<string>();
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
    const [, url] = /^listening on (\S+)\n/.exec(output) ?? [];
    if (url !== undefined) found(url);
  });
  void child.then(({stderr}) => reject(new Error(`the server has ended: ${stderr}`)));
  const url = await promise;
  return {url, ask: askAt(url), child, stdout: () => output};
}

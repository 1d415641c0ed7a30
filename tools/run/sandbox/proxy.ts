/**
 * The egress of a sandbox without a network: a proxy on a Unix socket that reaches only the hosts named by the user.
 * It resolves names itself, so that none is resolved inside, and connects to the address that it has checked.
 */

import {lookup} from 'node:dns/promises';
import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {createServer, type IncomingMessage, request, type ServerResponse} from 'node:http';
import {connect, isIP, type Socket} from 'node:net';
import {join} from 'node:path';

import {errorCode} from '../../containment/denial.ts';
import {temporaryFolder} from '../../temporary-folder.ts';
import {isPublic} from '../../web/address.ts';
import {type Destination, parseDestination} from './destination.ts';

const idleMs = 300_000;
const maxConnections = 200;

export interface Proxy {
  /** The path of its socket; other users may not enter its folder. */
  readonly socket: string;
  /** Ends open connections. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Resolves when it listens. Rejects with the operating system's error. */
export async function startProxy(rules: readonly Destination[]): Promise<Proxy> {
  await sweepFolders();
  const folder = await mkdtemp(join(temporaryFolder(), `${prefix}${process.pid}-`));
  const socket = join(folder, 'proxy.sock');
  const tunnels = new Set<Socket>();
  const server = createServer((asked, answer) => {
    forward(asked, answer, rules).catch(() => answer.destroy());
  });
  server.maxConnections = maxConnections;
  server.on('connect', (asked: IncomingMessage, inner: Socket, head: Buffer) => {
    tunnels.add(inner);
    inner.once('close', () => tunnels.delete(inner));
    tunnel(asked.url ?? '', inner, head, rules).catch(() => inner.destroy());
  });
  server.on('clientError', (_error, inner) => inner.destroy());
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  server.on('error', reject);
  server.listen(socket, resolve);
  await promise;
  return {
    socket,
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const inner of tunnels) inner.destroy();
      await rm(folder, {recursive: true, force: true});
    },
  };
}

const prefix = 'quorate-proxy-';

/** Removes folders that killed processes have left. */
async function sweepFolders(): Promise<void> {
  const names = await readdir(temporaryFolder());
  const left = names.filter(
    (name) => name.startsWith(prefix) && isGone(Number.parseInt(name.slice(prefix.length), 10)),
  );
  await Promise.allSettled(
    left.map(async (name) => await rm(join(temporaryFolder(), name), {recursive: true})),
  );
}

function isGone(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

interface Refusal {
  readonly status: 400 | 403 | 502;
  readonly text: string;
}

/** The address to connect to. */
async function judged(
  asked: Destination | undefined,
  rules: readonly Destination[],
): Promise<{readonly address: string} | Refusal> {
  if (asked === undefined) return {status: 400, text: 'a host and a port are needed'};
  const {host, port} = asked;
  if (!isNamed(asked, rules)) {
    return {
      status: 403,
      text: `${host}:${port} is not among the hosts that commands may reach ([sandbox] network)`,
    };
  }
  const addresses = await resolved(host);
  if (addresses.length === 0) return {status: 502, text: `${host} can't be resolved`};
  const address = addresses.find((one) => isReachable(one, asked, rules));
  if (address !== undefined) return {address};
  return {
    status: 403,
    text: `${host} is at a private address (${addresses[0]}): name that address in [sandbox] network to allow it`,
  };
}

async function resolved(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, {all: true})).map(({address}) => address);
  } catch {
    return [];
  }
}

async function tunnel(
  target: string,
  inner: Socket,
  head: Buffer,
  rules: readonly Destination[],
): Promise<void> {
  inner.on('error', () => inner.destroy());
  const asked = parseDestination(target);
  const way = await judged(asked, rules);
  if ('status' in way) {
    inner.end(
      `HTTP/1.1 ${way.status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${way.text}\n`,
    );
    return;
  }
  const outer = connect({host: way.address, port: asked?.port ?? 0});
  outer.setTimeout(idleMs, () => outer.destroy());
  outer.on('error', () => inner.destroy());
  inner.on('close', () => outer.destroy());
  outer.on('close', () => inner.destroy());
  outer.once('connect', () => {
    inner.write('HTTP/1.1 200 Connection established\r\n\r\n');
    outer.write(head);
    inner.pipe(outer).pipe(inner);
  });
}

/** Headers for one hop only, and headers that could name another host than the checked one. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

async function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  rules: readonly Destination[],
): Promise<void> {
  const url = URL.parse(asked.url ?? '');
  const target =
    url?.protocol === 'http:' ? parseDestination(`${url.hostname}:${url.port || '80'}`) : undefined;
  const way = await judged(target, rules);
  if ('status' in way || url === null) {
    const {status, text} = 'status' in way ? way : {status: 400, text: ''};
    answer.writeHead(status, {'content-type': 'text/plain', connection: 'close'}).end(`${text}\n`);
    return;
  }
  const headers = Object.fromEntries(
    Object.entries(asked.headers).filter(([name]) => !ownHeaders.has(name)),
  );
  const outer = request({
    host: way.address,
    port: target?.port ?? 80,
    method: asked.method,
    path: `${url.pathname}${url.search}`,
    headers: {...headers, host: url.host},
    agent: false,
    timeout: idleMs,
  });
  outer.on('timeout', () => outer.destroy());
  outer.on('error', () => answer.destroy());
  outer.on('close', () => answer.headersSent || answer.destroy());
  answer.on('close', () => outer.destroy());
  outer.on('response', (reply) => {
    try {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.on('close', () => reply.complete || answer.destroy());
      reply.pipe(answer);
    } catch {
      // An invalid response, such as one with status 99.
      outer.destroy();
      answer.destroy();
    }
  });
  asked.pipe(outer);
}

// The hosts that commands may reach, according to the named destinations.

/** A command may request the host by this name. */
export function isNamed({host, port}: Destination, rules: readonly Destination[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return rules.some((rule) => {
    if (rule.port !== port) return false;
    return rule.host.startsWith('*.') ? name.endsWith(rule.host.slice(1)) : rule.host === name;
  });
}

/**
 * The host may be reached at the address to which its name resolved: on the public internet, or at an address that is named itself. A
 * rule for a name does not allow private addresses, except for `localhost`.
 */
export function isReachable(
  address: string,
  asked: Destination,
  rules: readonly Destination[],
): boolean {
  if (isPublic(address) || isNamed({host: address, port: asked.port}, rules)) return true;
  return asked.host === 'localhost' && /^(?:127\.|::1$)/.test(address);
}

/**
 * The process of a server that speaks over its standard input and output, in a group of its own.
 *
 * waiting at the gate → recorded → running → asked to end → group ended
 *
 * As for commands (`run/child.ts`), the gate is a shell that waits for a line, the mark of all that the server will start, and
 * then becomes the server. Its group is recorded before, and ends with this process.
 */

import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {mkdtemp} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';

import {endMarked, guard, markName, markOf, signalGroup} from '../run/processes.ts';
import {allowedEnv} from '../run/quota.ts';
import {temporaryFolder} from '../temporary-folder.ts';
import type {ServerStart} from './server-start.ts';
import {ServerFault} from './server.ts';
import {pathOutside} from './start-place.ts';

/** The wait for a server after each request to end: its input is closed, then SIGTERM, then SIGKILL. */
const graceMs = 500;
/** Of its standard error, for a message when it ends. */
const maxTail = 600;
/** Of its standard error, for the log. */
const maxLogged = 64 * 1024;

interface ServerOrder extends Pick<ServerStart, 'launch' | 'enclose'> {
  /** The folder of the run: without a `cwd`, no program of it is found. */
  readonly workspace: string;
  /** Records the group. The server runs only after this has returned and its promise has resolved. */
  readonly onChild: (processGroup: number) => void | Promise<void>;
  /** Receives what it prints to its standard error, up to a limit. */
  readonly onStderr: (text: string) => void;
  readonly onStdout: (chunk: Buffer) => void;
  /** Called once, when it has ended or could not be started; with a clause. */
  readonly onEnd: (why: string) => void;
}

interface ServerProcess {
  readonly pid: number;
  /** Rejects when the server does not read any more. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves when its group has ended. Never rejects. */
  readonly end: () => Promise<void>;
}

const gate = `IFS= read -r ${markName} && export ${markName} && exec "$@"`;

/** Rejects if it can't be started or recorded; a command that does not exist ends at once instead. */
async function startServer(order: ServerOrder): Promise<ServerProcess> {
  const program = await programOf(order);
  const child = await spawnAtGate(program);
  const pid = child.pid ?? 0;
  const mark = markOf(pid);
  const {dismiss} = guard(pid);
  const tail = keepStderr(child, order.onStderr);
  const left = Promise.withResolvers<void>();
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    signalGroup(pid, 'SIGKILL');
    endMarked(mark);
    dismiss();
    void program.leave().then(left.resolve);
    order.onEnd(`${endOf(child)}${tail()}`);
  };
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', order.onStdout);
  child.once('exit', () => setImmediate(finish));
  try {
    await order.onChild(pid);
  } catch (error) {
    finish();
    await left.promise;
    throw error;
  }
  child.stdin.write(`${mark}\n`);
  return {
    pid,
    write: async (text) => await writeTo(child, text),
    end: async () => {
      if (await end(child)) await left.promise;
    },
  };
}

interface Placed {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** After its end. Never rejects. */
  readonly leave: () => Promise<void>;
}

/** In a sandbox, the folder of its own is the temporary one of the sandbox. */
const inOwnFolder = ['/bin/sh', '-c', 'cd "$TMPDIR" && exec "$@"', 'sh'];

/** Rejects with ServerFault if it can't be confined. */
async function programOf({launch, enclose, workspace}: ServerOrder): Promise<Placed> {
  const {command, args, cwd} = launch;
  const given = allowedEnv(process.env, {...authorities(process.env), ...launch.env});
  const env =
    cwd === undefined ? {...given, PATH: pathOutside(given['PATH'] ?? '', workspace)} : given;
  if (enclose) {
    const enclosed = await enclose(
      [...(cwd === undefined ? inOwnFolder : []), command, ...args],
      env,
    );
    if (!enclosed.ok) throw new ServerFault('server_unreachable', enclosed.denial.message);
    const {release, ...program} = enclosed.value;
    return {...program, cwd: workspace, leave: async () => void (await release())};
  }
  if (cwd !== undefined) return {file: command, args, env, cwd, leave: async () => {}};
  const own = await mkdtemp(join(temporaryFolder(), 'quorate-server-'));
  const leave = async (): Promise<void> => rmSync(own, {recursive: true, force: true});
  return {file: command, args, env, cwd: own, leave};
}

/** Rejects with the error of the operating system. */
async function spawnAtGate({
  file,
  args,
  env,
  cwd,
  leave,
}: Placed): Promise<ChildProcessWithoutNullStreams> {
  try {
    const child = spawn('/bin/sh', ['-c', gate, 'sh', file, ...args], {
      cwd,
      env,
      detached: true,
      stdio: 'pipe',
    });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Files with certificates: without them no server is downloaded, or reaches anything, behind a proxy of a company. */
function authorities(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

async function writeTo({stdin}: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  stdin.write(text, (error) => (error ? reject(error) : resolve()));
  await promise;
}

/** Returns true if it has ended. */
async function end(child: ChildProcessWithoutNullStreams): Promise<boolean> {
  const exited = once(child, 'close');
  const isGone = async (): Promise<boolean> => {
    if (child.exitCode !== null || child.signalCode !== null) return true;
    const waiting = new AbortController();
    const timer = sleep(graceMs, false, waiting).catch(() => true);
    const ended = await Promise.race([exited.then(() => true), timer]);
    waiting.abort();
    return ended;
  };
  child.stdin.end();
  if (await isGone()) return true;
  signalGroup(child.pid ?? 0, 'SIGTERM');
  if (await isGone()) return true;
  signalGroup(child.pid ?? 0, 'SIGKILL');
  return await isGone();
}

const missing = 'its command was not found';

/** True for the end of a server whose command does not exist. */
export function isMissing(why: string): boolean {
  return why.startsWith(missing);
}

function endOf({exitCode, signalCode}: ChildProcessWithoutNullStreams): string {
  if (exitCode === 127) return missing;
  return signalCode
    ? `it was ended by ${signalCode}`
    : `it ended with exit code ${exitCode ?? '?'}`;
}

/** Returns the last lines, as a clause that continues a sentence. */
function keepStderr(
  {stderr}: ChildProcessWithoutNullStreams,
  onStderr: (text: string) => void,
): () => string {
  let last = '';
  let room = maxLogged;
  stderr.setEncoding('utf8');
  stderr.on('data', (text: string) => {
    last = `${last}${text}`.slice(-maxTail);
    if (room <= 0) return;
    onStderr(text.slice(0, room));
    room -= text.length;
    if (room <= 0) onStderr('\n[more is not logged]\n');
  });
  return () => (last.trim() === '' ? '' : `: ${last.trim().split('\n').slice(-3).join(' / ')}`);
}

// Carries messages to and from the process of a server, a line each, within limits of size and of notifications.

const maxMessage = 16 * 1024 * 1024;
/** Between two answers. */
const maxNotifications = 20_000;

/** The end of a process that this side has closed. */
export const closedHere = 'it was ended';

export type Carried = Omit<ServerOrder, 'onStdout' | 'onEnd'>;

/**
 * `stderr` and `pid` show the client that a process is behind it: silence then means an old server, not an outage.
 */
export class StdioTransport implements Transport {
  readonly stderr = null;
  pid: number | null = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the process has ended, a clause. Absent: it has not. */
  ended: string | undefined;
  readonly #exit = Promise.withResolvers<void>();
  readonly exit: Promise<void> = this.#exit.promise;
  readonly #order: Carried;
  #process: ServerProcess | undefined;
  #parts: Buffer[] = [];
  #size = 0;
  #notifications = 0;

  constructor(order: Carried) {
    this.#order = order;
  }

  async start(): Promise<void> {
    this.#process = await startServer({
      ...this.#order,
      onStdout: (chunk) => this.#take(chunk),
      onEnd: (why) => {
        // The client closes a connection that breaks, perhaps before the reason is known.
        if (this.ended === undefined || (this.ended === closedHere && isMissing(why)))
          this.ended = why;
        this.#exit.resolve();
        this.onclose?.();
      },
    });
    this.pid = this.#process.pid;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#process || this.ended !== undefined) throw new Error(this.ended ?? 'not started');
    await this.#process.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.ended ??= closedHere;
    await this.#process?.end();
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      this.#parts.push(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#size = 0;
      this.#deliver(line);
    }
    this.#parts.push(rest);
    this.#size += rest.length;
    if (this.#size > maxMessage) this.#giveUp(`its message is larger than ${maxMessage} bytes`);
  }

  /** Lines that are no messages are ignored: some servers print other text. */
  #deliver(line: string): void {
    if (this.ended !== undefined || line.trim() === '') return;
    const message = parsed(line);
    if (!message) return;
    if ('method' in message) this.#notifications += 1;
    else this.#notifications = 0;
    if (this.#notifications <= maxNotifications) this.onmessage?.(message);
    else this.#giveUp(`it sent more than ${maxNotifications} notifications without an answer`);
  }

  #giveUp(why: string): void {
    this.#parts = [];
    this.#size = 0;
    if (this.ended !== undefined) return;
    this.ended = why;
    void this.#process?.end();
    this.onclose?.();
  }
}

function parsed(line: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
}

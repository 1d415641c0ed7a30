/** A connection to one server, in the protocol that it speaks: 2026-07-28, or the one before. Loads the SDK. */

import {setTimeout as sleep} from 'node:timers/promises';

import {
  Client,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import {z} from 'zod';

import {type Answer, ask, type AskOptions} from './asking.ts';
import {limitedFetch} from './limited-fetch.ts';
import type {Listing} from './listing.ts';
import {isCode, startFault, toFault} from './sdk-faults.ts';
import {isMissing} from './server-process.ts';
import {planStart, type ServerStart, type StartGround} from './server-start.ts';
import {type Launch, type McpServer, ServerFault, type ServerRequest} from './server.ts';
import {type Carried, closedHere, StdioTransport} from './stdio-transport.ts';

/** Until a server that was just started, perhaps after a download, answers. */
const startMs = 60_000;
/** An old server may never answer the first question of the new protocol. */
const probeMs = 15_000;
/** A process that is about to end closes its input first. */
const exitMs = 2_000;
const maxPages = 64;
const maxTools = 2_000;

export interface Connection {
  readonly isLegacy: boolean;
  /** Rejects with ServerFault. */
  readonly list: () => Promise<Listing>;
  /** Rejects with ServerFault, or the reason of the signal. */
  readonly ask: (request: ServerRequest, options: AskOptions) => Promise<Answer>;
  /** The server has announced other tools since `list` was last called. */
  readonly isStale: () => boolean;
  /** Called once when the connection ends, for any reason. */
  readonly onEnd: (listener: () => void) => void;
  /** Resolves when its process has ended. Never rejects. */
  readonly close: () => Promise<void>;
}

export interface ConnectOptions extends StartGround, Pick<Carried, 'onChild' | 'onStderr'> {
  /** It was found to be old before. */
  readonly isLegacy: boolean;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** Rejects with ServerFault. A process that exits on the first question of the new protocol is started again for the old one. */
export async function connect(server: McpServer, options: ConnectOptions): Promise<Connection> {
  const start = await startOf(server.launch, options);
  const first = transportFor(start, options);
  try {
    return await open(first, options.isLegacy, options);
  } catch (error) {
    if (!isCode(error, SdkErrorCode.RequestTimeout)) {
      await Promise.race([first.exit, sleep(exitMs, undefined, {ref: false})]);
    }
    await first.close();
    const {ended} = first;
    if (options.isLegacy || ended === undefined || isHopeless(ended)) {
      throw startFault(error, ended);
    }
  }
  const second = transportFor(start, options);
  try {
    return await open(second, true, options);
  } catch (error) {
    await second.close();
    throw startFault(error, second.ended);
  }
}

interface Ending extends Transport {
  readonly ended?: string | undefined;
  /** Resolves when the process has ended. Absent: there is no process. */
  readonly exit?: Promise<void>;
}

function isHopeless(ended: string): boolean {
  return isMissing(ended) || ended === closedHere;
}

type HttpStart = {readonly launch: Extract<Launch, {kind: 'http'}>};

/** Rejects with ServerFault for a server that must not start. */
async function startOf(launch: Launch, ground: StartGround): Promise<ServerStart | HttpStart> {
  if (launch.kind === 'refused') throw new ServerFault('server_unreachable', launch.why);
  if (launch.kind === 'http') return {launch};
  const start = await planStart(launch, ground).catch((error: unknown) => {
    throw startFault(error, undefined);
  });
  const {grade} = start;
  if (grade.kind === 'refused') throw new ServerFault('server_unreachable', grade.why);
  return start;
}

function transportFor(start: ServerStart | HttpStart, options: ConnectOptions): Ending {
  if ('grade' in start) {
    const {workspace, onChild, onStderr} = options;
    return new StdioTransport({...start, workspace, onChild, onStderr});
  }
  const {launch} = start;
  return new StreamableHTTPClientTransport(new URL(launch.url), {
    requestInit: {headers: {...launch.headers}},
    fetch: limitedFetch,
  });
}

async function open(
  transport: Ending,
  isLegacy: boolean,
  {signal}: Pick<ConnectOptions, 'signal'>,
): Promise<Connection> {
  let isStale = false;
  const ended = Promise.withResolvers<void>();
  const onclose = (): void => ended.resolve();
  const onChanged = (): void => {
    isStale = true;
  };
  const lists = {autoRefresh: false, debounceMs: 0, onChanged};
  const client = new Client(
    {name: 'quorate', version: '1'},
    {
      versionNegotiation: {mode: isLegacy ? 'legacy' : 'auto', probe: {timeoutMs: probeMs}},
      listChanged: {tools: lists, prompts: lists, resources: lists},
    },
  );
  Object.assign(client, {onclose});
  await client.connect(transport, {timeout: startMs, signal});
  return {
    isLegacy: client.getProtocolEra() === 'legacy',
    list: async () => {
      isStale = false;
      return await within(transport, async () => await listAll(client));
    },
    ask: async (request, options) =>
      await within(transport, async () => await ask(client, request, options)),
    isStale: () => isStale,
    onEnd: (listener) => void ended.promise.then(listener),
    close: async () => {
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
}

const page = z.looseObject({tools: z.array(z.unknown()), nextCursor: z.string().optional()});

/** The SDK's own list refuses all tools for one that is not valid. */
async function listAll(client: Client): Promise<Listing> {
  const {tools: hasTools, resources, prompts} = client.getServerCapabilities() ?? {};
  const tools = hasTools ? await pagesFrom(client, undefined, []) : [];
  return {tools, hasResources: resources !== undefined, hasPrompts: prompts !== undefined};
}

async function pagesFrom(
  client: Client,
  cursor: string | undefined,
  before: readonly unknown[],
  pages = 1,
): Promise<readonly unknown[]> {
  const params = cursor === undefined ? {} : {cursor};
  const read = await client.request({method: 'tools/list', params}, page, {timeout: startMs});
  const tools = [...before, ...read.tools];
  if (pages > maxPages || tools.length > maxTools) {
    throw new ServerFault('server_fault', `it lists more than ${maxTools} tools`);
  }
  if (read.nextCursor === undefined) return tools;
  return await pagesFrom(client, read.nextCursor, tools, pages + 1);
}

/** Translates the errors of the SDK. */
async function within<T>(transport: Ending, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFault(error, transport.ended);
  }
}

/** A connection to one server, in the protocol that it speaks: 2026-07-28, or the one before. Loads the SDK. */

import {setTimeout as sleep} from 'node:timers/promises';

import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import {z} from 'zod';

import {escapeLine} from '../escape.ts';
import {limitedFetch} from './limited-fetch.ts';
import type {Listing} from './listing.ts';
import {answerText, isFailure, listText} from './result-text.ts';
import {isMissing} from './server-process.ts';
import {type Launch, type McpServer, ServerFault, type ServerRequest} from './server.ts';
import {type Carried, closedHere, StdioTransport} from './stdio-transport.ts';

/** Until a server that was just started, perhaps after a download, answers. */
const startMs = 60_000;
/** An old server may never answer the first question of the new protocol. */
const probeMs = 15_000;
/** A process that is about to end closes its input first. */
const exitMs = 2_000;
const maxTimerMs = 2_147_483_647;
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

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface Answer {
  readonly text: string;
  /** The server itself calls it a failure. */
  readonly isFailure: boolean;
}

export interface ConnectOptions extends Pick<Carried, 'cwd' | 'onChild' | 'onStderr'> {
  /** It was found to be old before. */
  readonly isLegacy: boolean;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** Rejects with ServerFault. A process that exits on the first question of the new protocol is started again for the old one. */
export async function connect(server: McpServer, options: ConnectOptions): Promise<Connection> {
  const {launch} = server;
  if (launch.kind === 'refused') throw new ServerFault('server_unreachable', launch.why);
  const first = transportFor(launch, options);
  try {
    return await open(first, options.isLegacy, options.signal);
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
  const second = transportFor(launch, options);
  try {
    return await open(second, true, options.signal);
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

function transportFor(launch: Exclude<Launch, {kind: 'refused'}>, options: ConnectOptions): Ending {
  if (launch.kind === 'stdio') {
    const {command, args, env, cwd = options.cwd} = launch;
    return new StdioTransport({...options, command, args, env, cwd});
  }
  return new StreamableHTTPClientTransport(new URL(launch.url), {
    requestInit: {headers: {...launch.headers}},
    fetch: limitedFetch,
  });
}

async function open(
  transport: Ending,
  isLegacy: boolean,
  signal: AbortSignal,
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

async function ask(
  client: Client,
  request: ServerRequest,
  {signal, onProgress}: AskOptions,
): Promise<Answer> {
  const options = {signal, timeout: maxTimerMs};
  if (request.kind === 'tool') {
    const {name, args, schema} = request;
    const result = await client.callTool(
      {name, arguments: {...args}},
      {
        ...options,
        // It names arguments that are sent as headers, too. Without the schema of the result no code is made of it.
        toolDefinition: {name, inputSchema: {...schema, type: 'object'}},
        onprogress: ({progress, total, message}) =>
          onProgress(`${progress}${total === undefined ? '' : `/${total}`} ${message ?? ''}`),
      },
    );
    return {text: answerText(result), isFailure: isFailure(result)};
  }
  if (request.kind === 'resource') return await readResource(client, request.uri, options);
  const {name, args = {}} = request;
  if (name === undefined) {
    const {prompts} = await client.listPrompts({}, options);
    return {text: listText(prompts), isFailure: false};
  }
  const {messages} = await client.getPrompt({name, arguments: {...args}}, options);
  const text = messages.map(({role, content}) => `${role}: ${answerText({content: [content]})}`);
  return {text: text.join('\n'), isFailure: false};
}

async function readResource(
  client: Client,
  uri: string | undefined,
  options: {readonly signal: AbortSignal; readonly timeout: number},
): Promise<Answer> {
  if (uri !== undefined) {
    const {contents} = await client.readResource({uri}, {...options, cacheMode: 'bypass'});
    const content = contents.map((resource) => ({type: 'resource', resource}));
    return {text: answerText({content}), isFailure: false};
  }
  const {resources} = await client.listResources({}, options);
  const {resourceTemplates} = await client.listResourceTemplates({}, options).catch(() => ({
    resourceTemplates: [],
  }));
  return {text: listText([...resources, ...resourceTemplates]), isFailure: false};
}

/** Translates the errors of the SDK. */
async function within<T>(transport: Ending, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFault(error, transport.ended);
  }
}

/** Of a server that can't be used at all. */
function startFault(error: unknown, ended: string | undefined): ServerFault {
  const fault = toFault(error, ended);
  return fault.code === 'needs_oauth'
    ? fault
    : new ServerFault('server_unreachable', fault.message);
}

/** Messages are clauses about the server. */
function toFault(error: unknown, ended: string | undefined): ServerFault {
  if (error instanceof ServerFault) return error;
  if (ended !== undefined) return new ServerFault('server_ended', escapeLine(ended));
  return authorizationFault(error) ?? sdkFault(error);
}

function authorizationFault(error: unknown): ServerFault | undefined {
  const status = error instanceof SdkHttpError ? error.status : undefined;
  if (!(error instanceof UnauthorizedError) && status !== 401 && status !== 403) return undefined;
  return new ServerFault('needs_oauth', `it requires authorization (HTTP ${status ?? 401})`);
}

function sdkFault(error: unknown): ServerFault {
  if (isCode(error, SdkErrorCode.RequestTimeout)) {
    return new ServerFault('server_unreachable', 'it did not answer in time');
  }
  if (isCode(error, SdkErrorCode.UnsupportedResultType, SdkErrorCode.CapabilityNotSupported)) {
    return new ServerFault('needs_person', 'it asks a person, which is not supported yet');
  }
  const text = escapeLine(messageOf(error).slice(0, 500));
  const code = error instanceof ProtocolError ? 'server_fault' : 'server_unreachable';
  return new ServerFault(code, text);
}

function isCode(error: unknown, ...codes: readonly SdkErrorCode[]): boolean {
  return error instanceof SdkError && codes.some((code) => error.code === code);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}

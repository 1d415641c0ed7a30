/** A connection to one server, in the protocol that it speaks: 2026-07-28, or the one before. Loads the SDK. */

import {setTimeout as sleep} from 'node:timers/promises';

import {
  Client,
  type GetPromptResult,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import {z} from 'zod';

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {shortageAtStart, shortageCode} from '../containment/denial.ts';
import {escapeForTerminal, escapeLine} from '../escape.ts';
import type {Listing} from './listing.ts';
import {type Carried, closedHere, isMissing, StdioTransport} from './server-process.ts';
import {planStart, type ServerStart, type StartGround} from './server-start.ts';
import {type Launch, type McpServer, ServerFault, type ServerRequest} from './server.ts';

// The fetch of connections to servers: without a limit, an answer of any size would be kept in memory.

/** Of one answer. A stream of events that is longer is opened again. */
const maxBytes = 32 * 1024 * 1024;

/** As `fetch`; reading the body fails once it is too large. */
async function limitedFetch(input: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.body) return response;
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.length;
      if (size <= maxBytes) controller.enqueue(chunk);
      else controller.error(new Error(`its answer is larger than ${maxBytes} bytes`));
    },
  });
  const {status, statusText, headers} = response;
  const limited = new Response(response.body.pipeThrough(counter), {status, statusText, headers});
  Object.defineProperty(limited, 'url', {value: response.url});
  return limited;
}

// Requests to a server, and its answers as text. Loads the SDK.

const maxTimerMs = 2_147_483_647;

interface AskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

interface Answer {
  readonly text: string;
  /** The server itself calls it a failure. */
  readonly isFailure: boolean;
}

/** Rejects with an error of the SDK, or the reason of the signal. */
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
  const result = await client.getPrompt({name, arguments: {...args}}, options);
  return {text: promptText(result), isFailure: false};
}

function promptText({messages}: GetPromptResult): string {
  const text = messages.map(({role, content}) => `${role}: ${answerText({content: [content]})}`);
  return text.join('\n');
}

async function readResource(
  client: Client,
  uri: string | undefined,
  options: {readonly signal: AbortSignal; readonly timeout: number},
): Promise<Answer> {
  if (uri !== undefined) {
    const result = await client.readResource({uri}, {...options, cacheMode: 'bypass'});
    const content = result.contents.map((resource) => ({type: 'resource', resource}));
    return {text: answerText({content}), isFailure: false};
  }
  const {resources} = await client.listResources({}, options);
  const {resourceTemplates} = await client.listResourceTemplates({}, options).catch(() => ({
    resourceTemplates: [],
  }));
  return {text: listText([...resources, ...resourceTemplates]), isFailure: false};
}

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

// Translates the errors of the SDK to faults. Loads the SDK.

/** Of a server that can't be used at all. */
function startFault(error: unknown, ended: string | undefined): ServerFault {
  const lack = shortageAtStart(error);
  if (lack !== undefined) return new ServerFault(shortageCode, lack);
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
    return new ServerFault('needs_person', 'it asks for something that this run does not offer');
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

// Answers of servers as text: a text of others, safe to show, with a note in place of images and other data.

/** Listed resources or prompts. */
const maxListed = 500;
const maxLine = 500;

export interface ServerAnswer {
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

function isFailure({isError}: ServerAnswer): boolean {
  return isError === true;
}

/** Never throws. */
function answerText({content = [], structuredContent}: ServerAnswer): string {
  const blocks = content.map(blockText);
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
  // Servers repeat a structured result as text, for older clients.
  const added = structured.filter((json) => !blocks.some((text) => isSame(text, json)));
  return escapeForTerminal([...blocks, ...added].join('\n').toWellFormed());
}

function isSame(text: string, json: string): boolean {
  if (text === json) return true;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}

function blockText(block: unknown): string {
  if (!isJsonObject(block)) return '';
  const {type, text, mimeType, data, resource, uri, name} = block;
  if (type === 'text') return textOf(text);
  if (type === 'image' || type === 'audio') return note(type, mimeType, data);
  if (type === 'resource_link') return `[link to ${escapeLine(`${textOf(name)} ${textOf(uri)}`)}]`;
  return type === 'resource' && isJsonObject(resource)
    ? resourceText(resource)
    : `[${escapeLine(textOf(type))}, not shown]`;
}

function resourceText({uri, text, blob, mimeType}: JsonObject): string {
  const head = `[${escapeLine(textOf(uri))}]`;
  return text === undefined
    ? `${head} ${note('data', mimeType, blob)}`
    : `${head}\n${textOf(text)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** `data` is base64. */
function note(what: string, mimeType: unknown, data: unknown): string {
  const bytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0;
  return `[${what}, ${escapeLine(textOf(mimeType) || 'unknown type').slice(0, 100)}, ${bytes} bytes, not shown]`;
}

/** One line for each resource, template or prompt. Never throws. */
function listText(items: readonly object[]): string {
  if (items.length === 0) return 'There are none.';
  const lines = items.slice(0, maxListed).map(lineFor);
  const more = items.length - lines.length;
  return [...lines, ...(more > 0 ? [`[${more} more]`] : [])].join('\n');
}

function lineFor(item: object): string {
  const {uri, uriTemplate, name, description, arguments: args}: Record<string, unknown> = {...item};
  const names = Array.isArray(args) ? args.map(argumentName) : [];
  const head = [uri ?? uriTemplate, name].filter((part) => typeof part === 'string').join(' ');
  const tail = typeof description === 'string' ? `: ${description}` : '';
  const takes = names.length > 0 ? ` (${names.join(', ')})` : '';
  return escapeLine(`${head}${takes}${tail}`.slice(0, maxLine).toWellFormed());
}

function argumentName(argument: unknown): string {
  return isJsonObject(argument) ? textOf(argument['name']) : '';
}

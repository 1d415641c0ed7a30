/** Calls Claude with Anthropic's SDK, which is imported at the first call. */

import type {Anthropic} from '@anthropic-ai/sdk';
import {z} from 'zod';

import {asJson, type Json, type JsonObject} from '../../../machines/domain/json.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import {appendMessages, replyMessage} from '../../../machines/prompts/transcript.ts';
import type {Model, OfferedTool} from '../model.ts';
import {anthropicModelId} from '../prices.ts';
import {
  type AdapterOptions,
  callAdapter,
  malformed,
  type OpenCall,
  type OpenReply,
  ownFetch,
  type Provider,
  type ReplyReader,
  sharedClient,
} from '../wire/adapter.ts';
import {type CallDraft, readStop, type Stop, type TokenCounts} from '../wire/reply.ts';
import {readStrictJson} from '../wire/strict-json.ts';
import {type CallTurn, layOut, type Layout, toTurns, type Turn} from './turns.ts';

/** Keys, addresses and headers are never read from the environment. */
export function createAnthropicModel(given: AdapterOptions): Model {
  const model = anthropicModelId(given.model);
  // Users often write the address with /v1, as for OpenAI; the path below adds it.
  const baseURL = given.baseUrl.replace(/\/(?:v1\/?)?$/, '');
  const options = {...given, baseUrl: `${baseURL}/v1`};
  // The base client, without resources: these are three quarters of the SDK's code, and messages.create writes warnings about
  // older models to the console.
  const clientOf = sharedClient(async (client) => {
    const {BaseAnthropic} = await import('@anthropic-ai/sdk');
    const own = {baseURL, authToken: null, webhookKey: null, openTelemetry: false} as const;
    return new BaseAnthropic({...client, ...own});
  });
  const open = async ({client, request, tools, onDelta, paused}: OpenCall): Promise<OpenReply> => {
    const anthropic = await clientOf(client);
    const asked = paused ? continuing(request, paused, options.name) : request;
    const body = toAnthropicRequest(model, asked, tools);
    const events = await anthropic.post<AsyncIterable<unknown>>('/v1/messages', {
      body,
      stream: true,
      ...ownFetch(client),
    });
    return {events, reader: paused ?? createAnthropicReader(onDelta)};
  };
  const provider: Provider = {headers, demands: new Set(), open};
  return {
    name: options.name,
    call: (request, context) => callAdapter(options, request, context, provider),
  };
}

/** The provider continues a paused reply when its content is the last message. */
function continuing(request: ModelRequest, paused: ReplyReader, model: string): ModelRequest {
  const {text, opaque} = paused.reply();
  const message = replyMessage({
    text: text.toWellFormed(),
    calls: [],
    ...(opaque === undefined ? {} : {opaque: {model, parts: opaque}}),
  });
  return {...request, transcript: appendMessages(request.transcript, message)};
}

function headers(key: string): Readonly<Record<string, string>> {
  return {'x-api-key': key, 'anthropic-version': '2023-06-01'};
}

// Builds a request for Anthropic Messages, ordered for prompt caching: tools, system, messages. One cache marker ends the
// constant part, another the stable beginning of a message, or the conversation.

export type MessagesBody = Omit<Anthropic.MessageCreateParamsStreaming, 'messages'> & {
  readonly messages: readonly Param[];
};
type OwnBlock =
  | Anthropic.TextBlockParam
  | Anthropic.ToolUseBlockParam
  | Anthropic.ToolResultBlockParam;
/** Opaque blocks are sent as they came: their types are the provider's. */
type PromptBlock = OwnBlock | JsonObject;
interface Param {
  readonly role: 'user' | 'assistant';
  readonly content: PromptBlock[];
}

const cached = {cache_control: {type: 'ephemeral'}} as const;

export function toAnthropicRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
): MessagesBody {
  const system = request.system.toWellFormed();
  const hasSystem = system.trim() !== '';
  const body: MessagesBody = {
    model,
    max_tokens: request.maxOutputTokens,
    messages: markLast(mergeTurns(toTurns(request.transcript))),
    stream: true,
  };
  if (hasSystem) body.system = [{type: 'text', text: system, ...cached}];
  if (offered.length === 0) return body;
  const tools = offered.map(toTool);
  const last = tools.at(-1);
  if (last && !hasSystem) Object.assign(last, cached);
  const {toolChoice} = request;
  return {...body, tools, tool_choice: {type: toolChoice === 'required' ? 'any' : toolChoice}};
}

function toTool({name, description, schema}: OfferedTool): Anthropic.Tool {
  return {name, description, input_schema: {...schema, type: 'object'}};
}

/** Consecutive turns of one role become one message, so the results of all calls come first in the user message. */
function mergeTurns(turns: readonly Turn[]): Param[] {
  const messages: Param[] = [];
  const add = (role: Param['role'], blocks: readonly PromptBlock[]): void => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) messages.push({role, content: [...blocks]});
  };
  for (const turn of turns) {
    if (turn.role === 'user') {
      add('user', toTexts(turn.text, turn.stable));
    } else {
      add(
        'assistant',
        layOut<PromptBlock>(turn, {part: (part) => part, text: toText, call: toToolUse}),
      );
      add('user', turn.calls.map(toToolResult));
    }
  }
  return messages;
}

/** A stable beginning is a block of its own, and cached. */
function toTexts(text: string, stable = 0): OwnBlock[] {
  const rest = text.slice(stable);
  if (stable === 0 || rest.trim() === '') return [toText(text)];
  return [{...toText(text.slice(0, stable)), ...cached}, toText(rest)];
}

function toText(text: string): Anthropic.TextBlockParam {
  return {type: 'text', text};
}

function toToolUse({id, name, args}: CallTurn): Anthropic.ToolUseBlockParam {
  return {type: 'tool_use', id, name, input: args};
}

function toToolResult({id, result: {text, isError}}: CallTurn): Anthropic.ToolResultBlockParam {
  return {type: 'tool_result', tool_use_id: id, content: text, is_error: isError};
}

/** Not cached: text after a stable beginning, which is different in each request, and a reply that the provider continues. */
function markLast(messages: Param[]): Param[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  const isCached = last?.content.some((each) => 'cache_control' in each) === true;
  if (block && last?.role === 'user' && !isCached) Object.assign(block, cached);
  return messages;
}

// Reads Anthropic's stream: message_start, content blocks, message_delta with the stop reason, message_stop. A paused reply continues
// with another stream. Blocks other than text and tool calls, such as thinking with its signature, are kept as they came.
// The SDK's own accumulator is not used: of a key that arguments give twice it keeps the last, it completes cut-off arguments, and a
// later stop reason replaces `max_tokens`.

const count = z.number().nullish();

const usageSchema = z.looseObject({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message_start'),
    message: z.looseObject({usage: usageSchema.nullish()}),
  }),
  z.looseObject({
    type: z.literal('content_block_start'),
    index: z.number(),
    content_block: z.looseObject({
      type: z.string(),
      id: z.string().optional(),
      name: z.string().optional(),
      text: z.string().nullish(),
    }),
  }),
  z.looseObject({
    type: z.literal('content_block_delta'),
    index: z.number(),
    delta: z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      partial_json: z.string().optional(),
      thinking: z.string().optional(),
      signature: z.string().optional(),
    }),
  }),
  z.looseObject({type: z.literal('content_block_stop'), index: z.number()}),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({stop_reason: z.string().nullish()}),
    usage: usageSchema.nullish(),
  }),
  z.looseObject({type: z.literal('message_stop')}),
]);

type StreamEvent = z.infer<typeof eventSchema>;
type Usage = z.infer<typeof usageSchema>;

const known: ReadonlySet<unknown> = new Set(eventSchema.options.map((o) => o.shape.type.value));

/** Unknown event types are ignored. Throws GuardError for a malformed event. */
function createAnthropicReader(onDelta: (text: string) => void): ReplyReader {
  const content = createContent(onDelta);
  let stop: Stop | undefined;
  let ended = false;
  let usage: Usage | undefined;
  let earlier: TokenCounts | undefined;

  const begin = (started: Usage | undefined): void => {
    if (stop === 'paused') {
      earlier = addCounts(earlier, toCounts(usage));
      content.continue();
      stop = undefined;
      ended = false;
    }
    usage = started;
  };
  const apply = (event: StreamEvent): boolean => {
    switch (event.type) {
      case 'message_start':
        begin(event.message.usage ?? undefined);
        break;
      case 'content_block_start':
        return content.start(event, stop);
      case 'content_block_delta':
        return content.add(event, stop);
      case 'content_block_stop':
        break;
      case 'message_delta':
        // A truncated reply stays truncated: later stop reasons are ignored.
        if (stop !== 'truncated') stop = readStop(event.delta.stop_reason, stops) ?? stop;
        usage = mergeUsage(usage, event.usage);
        break;
      case 'message_stop':
        ended = true;
    }
    return true;
  };

  return {
    take: (value) => {
      const event = parseEvent(value);
      return event !== undefined && apply(event);
    },
    hasEnded: () => ended,
    reply: () => ({...content.read(), stop, counts: addCounts(earlier, toCounts(usage))}),
  };
}

type Of<T extends StreamEvent['type']> = Extract<StreamEvent, {readonly type: T}>;

/** A block of text is the number of its characters. An opaque block may be of a tool of the provider, with arguments. */
type Block =
  | {length: number}
  | {readonly draft: CallDraft}
  | {readonly part: Record<string, Json>; args: string};

interface Content {
  readonly start: (event: Of<'content_block_start'>, stop: Stop | undefined) => boolean;
  readonly add: (event: Of<'content_block_delta'>, stop: Stop | undefined) => boolean;
  /** The next blocks are of another message, whose indexes begin anew. */
  readonly continue: () => void;
  readonly read: () => {text: string; drafts: readonly CallDraft[]; opaque: Layout | undefined};
}

/** The content blocks. What arrives after the end is not part of the reply. */
function createContent(onDelta: (text: string) => void): Content {
  const blocks: Block[] = [];
  let open = new Map<number, Block>();
  let text = '';

  const addText = (block: Block | undefined, piece: string | null | undefined): boolean => {
    if (!block || !('length' in block) || !piece) return false;
    block.length += piece.length;
    text += piece;
    onDelta(piece);
    return true;
  };
  return {
    start: ({index, content_block: given}, stop) => {
      const isCall = given.type === 'tool_use';
      if (isCall && stop !== undefined) throw malformed('a tool call after the end');
      if (isCall && open.has(index)) throw malformed(`content block ${index} starts twice`);
      if (stop !== undefined) return true;
      const block = blockOf(given);
      blocks.push(block);
      open.set(index, block);
      addText(block, given.text);
      return true;
    },
    add: ({index, delta}, stop) => {
      const block = open.get(index);
      if (delta.type === 'input_json_delta') return addArguments(block, delta.partial_json, stop);
      if (stop !== undefined || !block) return false;
      if (delta.type === 'text_delta') return addText(block, delta.text);
      return 'part' in block && addThinking(block.part, delta);
    },
    continue: () => {
      open = new Map();
    },
    read: () => ({
      text,
      drafts: blocks.flatMap((block) => ('draft' in block ? [block.draft] : [])),
      opaque: blocks.some((block) => 'part' in block) ? blocks.map(entryOf) : undefined,
    }),
  };
}

function blockOf(given: Of<'content_block_start'>['content_block']): Block {
  const {type, id = '', name = ''} = given;
  if (type === 'text') return {length: 0};
  if (type === 'tool_use') return {draft: {id, name, args: ''}};
  return {part: {...asJson(given)}, args: ''};
}

/** Returns false if nothing was added. */
function addArguments(
  block: Block | undefined,
  piece: string | undefined,
  stop: Stop | undefined,
): boolean {
  if (!block || 'length' in block) throw malformed('arguments without a tool call');
  if ('draft' in block && stop !== undefined) throw malformed('a tool call after the end');
  const target = 'draft' in block ? block.draft : block;
  target.args += piece ?? '';
  return Boolean(piece);
}

function addThinking(
  part: Record<string, Json>,
  {thinking, signature}: Of<'content_block_delta'>['delta'],
): boolean {
  for (const [name, piece] of Object.entries({thinking, signature})) {
    const before = part[name];
    if (piece !== undefined) part[name] = (typeof before === 'string' ? before : '') + piece;
  }
  return Boolean(thinking) || Boolean(signature);
}

function entryOf(block: Block): JsonObject | number | null {
  if ('length' in block) return block.length;
  if ('draft' in block) return null;
  const read = readStrictJson(block.args);
  return read.ok ? {...block.part, input: read.value} : block.part;
}

function parseEvent(value: unknown): StreamEvent | undefined {
  const typed = z.looseObject({type: z.string()}).safeParse(value);
  if (!typed.success) throw malformed('not an object with a type');
  if (!known.has(typed.data.type)) return undefined;
  const parsed = eventSchema.safeParse(value);
  if (!parsed.success) throw malformed(typed.data.type);
  return parsed.data;
}

const stops: Readonly<Record<string, Stop>> = {
  end_turn: 'answered',
  stop_sequence: 'answered',
  tool_use: 'calls',
  pause_turn: 'paused',
  max_tokens: 'truncated',
  model_context_window_exceeded: 'contextOverflow',
  refusal: 'refused',
};

/** Later counts replace earlier ones, because they are totals. */
function mergeUsage(
  earlier: Usage | undefined,
  later: Usage | null | undefined,
): Usage | undefined {
  if (!later) return earlier;
  const said = Object.entries(later).filter(([, value]) => value !== null && value !== undefined);
  return {...earlier, ...Object.fromEntries(said)};
}

/** Returns undefined unless the provider reported both input and output tokens. */
function toCounts(usage: Usage | undefined): TokenCounts | undefined {
  const plain = usage?.input_tokens;
  const output = usage?.output_tokens;
  if (typeof plain !== 'number' || typeof output !== 'number') return undefined;
  const fromCache = usage?.cache_read_input_tokens ?? 0;
  const written = usage?.cache_creation_input_tokens ?? 0;
  return {input: plain + fromCache + written, cached: fromCache, written, output};
}

function addCounts(
  one: TokenCounts | undefined,
  other: TokenCounts | undefined,
): TokenCounts | undefined {
  if (!one || !other) return other;
  return {
    input: one.input + other.input,
    cached: one.cached + other.cached,
    written: (one.written ?? 0) + (other.written ?? 0),
    output: one.output + other.output,
  };
}

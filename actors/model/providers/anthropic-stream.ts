/**
 * Reads Anthropic's stream: message_start, content blocks, message_delta with the stop reason, message_stop. A paused reply continues
 * with another stream. Blocks other than text and tool calls, such as thinking with its signature, are kept as they came.
 */

import {z} from 'zod';

import {asJson, type Json, type JsonObject} from '../../../machines/domain/json.ts';
import {malformed} from '../wire/adapter.ts';
import type {ReplyReader} from '../wire/adapter.ts';
import {readStop} from '../wire/reply.ts';
import type {CallDraft, Stop} from '../wire/reply.ts';
import {readStrictJson} from '../wire/strict-json.ts';
import type {TokenCounts} from '../wire/usage.ts';
import type {Layout} from './turns.ts';

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
export function createAnthropicReader(onDelta: (text: string) => void): ReplyReader {
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
  const cached = usage?.cache_read_input_tokens ?? 0;
  const written = usage?.cache_creation_input_tokens ?? 0;
  return {input: plain + cached + written, cached, written, output};
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

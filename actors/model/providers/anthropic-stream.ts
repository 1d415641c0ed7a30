/** Reads Anthropic's stream: message_start, content blocks, message_delta with the stop reason, message_stop. */

import {z} from 'zod';

import {malformed} from '../wire/adapter.ts';
import type {ReplyReader} from '../wire/adapter.ts';
import {readStop} from '../wire/reply.ts';
import type {CallDraft, Stop} from '../wire/reply.ts';
import type {TokenCounts} from '../wire/usage.ts';

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
  const drafts: Drafts = new Map();
  let text = '';
  let stop: Stop | undefined;
  let ended = false;
  let usage: Usage | undefined;

  const addText = (piece: string | null | undefined): boolean => {
    if (!piece || stop !== undefined) return false;
    text += piece;
    onDelta(piece);
    return true;
  };
  const startBlock = (event: Of<'content_block_start'>): boolean => {
    const {type, text: first} = event.content_block;
    if (type === 'text') addText(first);
    if (type === 'tool_use') startCall(drafts, event, stop);
    return true;
  };
  const addDelta = (event: Of<'content_block_delta'>): boolean => {
    const {type, text: piece, thinking} = event.delta;
    if (type === 'text_delta') return addText(piece);
    if (type === 'input_json_delta') return addArguments(drafts, event, stop);
    return Boolean(thinking);
  };
  const apply = (event: StreamEvent): boolean => {
    switch (event.type) {
      case 'message_start':
        usage = event.message.usage ?? undefined;
        break;
      case 'content_block_start':
        return startBlock(event);
      case 'content_block_delta':
        return addDelta(event);
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
    reply: () => ({text, drafts: [...drafts.values()], stop, counts: toCounts(usage)}),
  };
}

type Of<T extends StreamEvent['type']> = Extract<StreamEvent, {readonly type: T}>;

/** The drafts of tool calls, by the index of their content block. */
type Drafts = Map<number, CallDraft>;

function startCall(
  drafts: Drafts,
  {index, content_block: block}: Of<'content_block_start'>,
  stop: Stop | undefined,
): void {
  if (stop !== undefined) throw malformed('a tool call after the end');
  if (drafts.has(index)) throw malformed(`content block ${index} starts twice`);
  drafts.set(index, {id: block.id ?? '', name: block.name ?? '', args: ''});
}

/** Returns false if nothing was added. */
function addArguments(
  drafts: Drafts,
  {index, delta}: Of<'content_block_delta'>,
  stop: Stop | undefined,
): boolean {
  const draft = drafts.get(index);
  if (!draft) throw malformed('arguments without a tool call');
  if (stop !== undefined) throw malformed('a tool call after the end');
  draft.args += delta.partial_json ?? '';
  return Boolean(delta.partial_json);
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

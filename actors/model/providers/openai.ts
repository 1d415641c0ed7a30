/**
 * Calls OpenAI through Responses, and compatible servers through Chat Completions, with OpenAI's SDK, which is imported at the
 * first call. Through Chat Completions, OpenAI's newer models accept no tools or are not available.
 */

import type {OpenAI} from 'openai';
import {z} from 'zod';

import {asJson, isJsonObject, type JsonObject} from '../../../machines/domain/json.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {Model, OfferedTool} from '../model.ts';
import {
  type AdapterOptions,
  callAdapter,
  type ClientOptions,
  malformed,
  type OpenCall,
  type OpenReply,
  ownFetch,
  type Provider,
  type ReplyReader,
  sharedClient,
} from '../wire/adapter.ts';
import {ProviderError} from '../wire/faults.ts';
import {type CallDraft, readStop, type Stop, type TokenCounts} from '../wire/reply.ts';
import {createOpenAiReader, toOpenAiRequest} from './chat-completions.ts';
import {type CallTurn, layOut, type Layout, toTurns, type Turn} from './turns.ts';

/** Keys, addresses and headers are never read from the environment. */
export function createOpenAiModel(options: AdapterOptions): Model {
  const clientOf = sharedClient(async (client) => createClient(options.baseUrl, client));
  const open = options.api === 'responses' ? openResponses : openChat;
  const provider: Provider = {
    headers: (key) => ({authorization: `Bearer ${key}`}),
    demands: new Set(),
    open: async (call) => open(await clientOf(call.client), options, call),
  };
  return {
    name: options.name,
    call: (request, context) => callAdapter(options, request, context, provider),
  };
}

async function openChat(
  {chat}: OpenAI,
  {model, asksUsage}: AdapterOptions,
  {client, request, tools, onDelta, demands}: OpenCall,
): Promise<OpenReply> {
  const body = toOpenAiRequest(model, request, tools, {asksUsage, demands});
  const events = await chat.completions.create(body, ownFetch(client));
  return {events, reader: createOpenAiReader(onDelta)};
}

async function openResponses(
  openAi: OpenAI,
  {model}: AdapterOptions,
  {client, request, tools, onDelta}: OpenCall,
): Promise<OpenReply> {
  const body = toResponsesRequest(model, request, tools);
  const options = {body, stream: true, ...ownFetch(client)};
  const events = await openAi.post<AsyncIterable<unknown>>('/responses', options);
  return {events, reader: createResponsesReader(onDelta)};
}

async function createClient(baseURL: string, options: ClientOptions): Promise<OpenAI> {
  const {OpenAI} = await import('openai');
  return new OpenAI({
    ...options,
    baseURL,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  });
}

// Builds a request for OpenAI's Responses. The provider stores nothing: every call sends the whole conversation, with the encrypted
// reasoning of earlier replies.

/** Opaque items are sent as they came: their types are the provider's. */
type PromptItem = OpenAI.Responses.ResponseInputItem | JsonObject;

export type ResponsesBody = Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'input'> & {
  readonly input: readonly PromptItem[];
};

/** The API rejects a smaller limit. */
const minOutputTokens = 16;

export function toResponsesRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
): ResponsesBody {
  const system = request.system.toWellFormed();
  const body: ResponsesBody = {
    model,
    ...(system.trim() === '' ? {} : {instructions: system}),
    input: toTurns(request.transcript).flatMap(toItems),
    max_output_tokens: Math.max(request.maxOutputTokens, minOutputTokens),
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  };
  if (offered.length === 0) return body;
  const tools = offered.map(toTool);
  return {...body, tools, tool_choice: request.toolChoice};
}

function toTool({name, description, schema}: OfferedTool): OpenAI.Responses.FunctionTool {
  return {type: 'function', name, description, parameters: {...schema}, strict: false};
}

function toItems(turn: Turn): PromptItem[] {
  if (turn.role === 'user') return [{role: 'user', content: turn.text}];
  const items = layOut<PromptItem>(turn, {
    part: (part) => part,
    text: (content) => ({role: 'assistant', content}),
    call: toCall,
  });
  return [...items, ...turn.calls.map(toResult)];
}

function toCall({id, name, args}: CallTurn): PromptItem {
  return {type: 'function_call', call_id: id, name, arguments: JSON.stringify(args)};
}

function toResult({id, result: {text, isError}}: CallTurn): PromptItem {
  const output = isError ? `error: ${text}` : text;
  return {type: 'function_call_output', call_id: id, output};
}

// Reads a stream of OpenAI's Responses: text deltas, finished items, and one closing event with the usage.

const itemSchema = z.looseObject({
  type: z.string(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  encrypted_content: z.string().nullish(),
});

const usageSchema = z.looseObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_tokens_details: z.looseObject({cached_tokens: z.number().nullish()}).nullish(),
});

const responseSchema = z.looseObject({
  usage: z.unknown().optional(),
  incomplete_details: z.looseObject({reason: z.string().nullish()}).nullish(),
  error: z.looseObject({code: z.string().nullish(), message: z.string().nullish()}).nullish(),
});

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({type: z.literal('response.output_text.delta'), delta: z.string()}),
  z.looseObject({type: z.literal('response.refusal.delta'), delta: z.string()}),
  z.looseObject({type: z.literal('response.output_item.done'), item: itemSchema}),
  z.looseObject({type: z.literal('response.completed'), response: responseSchema}),
  z.looseObject({type: z.literal('response.incomplete'), response: responseSchema}),
  z.looseObject({type: z.literal('response.failed'), response: responseSchema}),
]);

type StreamEvent = z.infer<typeof eventSchema>;
type Final = z.infer<typeof responseSchema>;
type Item = z.infer<typeof itemSchema>;

const known: ReadonlySet<string> = new Set(eventSchema.options.map((o) => o.shape.type.value));

/** Events that count as progress but are not read: their finished items have the complete content. */
const onTheWay: ReadonlySet<string> = new Set([
  'response.created',
  'response.output_item.added',
  'response.content_part.added',
  'response.function_call_arguments.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
]);

/** Throws GuardError for a malformed event, ProviderError for a failure that the provider reports. */
function createResponsesReader(onDelta: (text: string) => void): ReplyReader {
  const drafts: CallDraft[] = [];
  const layout: (JsonObject | number | null)[] = [];
  let text = '';
  let laidOut = 0;
  let refused = false;
  let stop: Stop | undefined;
  let counts: TokenCounts | undefined;

  const layOutText = (): void => {
    if (text.length > laidOut) layout.push(text.length - laidOut);
    laidOut = text.length;
  };
  const addItem = (item: Item): void => {
    layOutText();
    if (item.type === 'function_call') {
      drafts.push({id: item.call_id ?? '', name: item.name ?? '', args: item.arguments ?? ''});
      layout.push(null);
    }
    // Without its encrypted content, the provider would look for the item in its store.
    if (item.type === 'reasoning' && item.encrypted_content) layout.push(asJson(item));
  };
  const apply = (event: StreamEvent): void => {
    switch (event.type) {
      case 'response.output_text.delta':
        text += event.delta;
        if (event.delta !== '') onDelta(event.delta);
        break;
      case 'response.refusal.delta':
        refused = true;
        break;
      case 'response.output_item.done':
        addItem(event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        counts = toCounts(event.response.usage);
        stop = toStop(event.type, event.response);
        if (stop === 'answered') stop = stopReason(refused, drafts);
    }
  };

  return {
    take: (value) => {
      const type = z.looseObject({type: z.string()}).safeParse(value).data?.type;
      if (type === undefined) throw malformed('not an object with a type');
      if (!known.has(type)) return onTheWay.has(type);
      const event = eventSchema.safeParse(value).data;
      if (!event) throw malformed(type.slice(0, 80));
      apply(event);
      return true;
    },
    hasEnded: () => stop !== undefined,
    reply: () => ({text, drafts, stop, counts, opaque: opaqueIn(layout, text.length - laidOut)}),
  };
}

/** `rest`: the length of the text after the last item. */
function opaqueIn(layout: Layout, rest: number): Layout | undefined {
  if (!layout.some(isJsonObject)) return undefined;
  return rest > 0 ? [...layout, rest] : layout;
}

/** Responses have no stop reason for tool calls: a complete response that contains calls ended for them. */
function stopReason(refused: boolean, drafts: readonly CallDraft[]): Stop {
  if (refused) return 'refused';
  return drafts.length > 0 ? 'calls' : 'answered';
}

const incomplete: Readonly<Record<string, Stop>> = {
  max_output_tokens: 'truncated',
  content_filter: 'refused',
};

function toStop(type: StreamEvent['type'], {incomplete_details: details, error}: Final): Stop {
  if (type === 'response.completed') return 'answered';
  if (type === 'response.incomplete') {
    return readStop(details?.reason, incomplete) ?? {unknown: 'incomplete'};
  }
  throw new ProviderError(error?.code ?? 'unknown', error?.message ?? 'the response failed');
}

function toCounts(value: unknown): TokenCounts | undefined {
  const usage = usageSchema.safeParse(value).data;
  if (!usage) return undefined;
  const cached = usage.input_tokens_details?.cached_tokens ?? 0;
  return {input: usage.input_tokens, cached, output: usage.output_tokens};
}

/** Reads a Chat Completions stream: chunks of one choice, a finish reason, usage. The SDK ends it at `[DONE]`. */

import type {OpenAI} from 'openai';
import {z} from 'zod';

import {
  asJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../machines/domain/json.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {OfferedTool} from '../model.ts';
import {type Demand, malformed, type ReplyReader} from '../wire/adapter.ts';
import {type CallDraft, isComplete, readStop, type Stop, type TokenCounts} from '../wire/reply.ts';
import {type CallTurn, type ReplyTurn, toTurns, type Turn} from './turns.ts';

const textSchema = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const callSchema = z.looseObject({
  index: z.int().min(0).nullish(),
  id: textSchema,
  function: z.looseObject({name: textSchema, arguments: textSchema}).prefault({}),
  extra_content: z.unknown().optional(),
});

const choiceSchema = z.looseObject({
  index: z.number().nullish(),
  delta: z
    .looseObject({
      content: z.string().nullish(),
      refusal: z.string().nullish(),
      reasoning: z.string().nullish(),
      reasoning_content: z.string().nullish(),
      reasoning_details: z
        .array(z.looseObject({type: z.string()}))
        .nullish()
        .catch(undefined),
      extra_content: z.unknown().optional(),
      function_call: z.looseObject({name: textSchema, arguments: textSchema}).nullish(),
      tool_calls: z.array(callSchema).nullish(),
    })
    .nullish(),
  finish_reason: z.string().nullish(),
});

const tolerant = z.number().nullish().catch(undefined);

const usageSchema = z.looseObject({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.looseObject({cached_tokens: z.number().nullish()}).nullish(),
  /** Kimi. */
  cached_tokens: tolerant,
  /** DeepSeek. */
  prompt_cache_hit_tokens: tolerant,
  /** OpenRouter, in US dollars. */
  cost: tolerant,
  /** The user's own key was used: the provider behind OpenRouter bills its part to the user. */
  is_byok: z.boolean().nullish().catch(undefined),
  cost_details: z.looseObject({upstream_inference_cost: tolerant}).nullish().catch(undefined),
});

const chunkSchema = z.looseObject({
  choices: z.array(choiceSchema),
  usage: z.unknown().optional(),
});

type Choice = z.infer<typeof choiceSchema>;
type Delta = NonNullable<Choice['delta']>;
type Call = z.infer<typeof callSchema>;

/** Throws GuardError for a malformed chunk. */
export function createOpenAiReader(onDelta: (text: string) => void): ReplyReader {
  const drafts = createDrafts();
  const state = createState();
  let text = '';
  let refusal = '';
  let stop: Stop | undefined;
  let counts: TokenCounts | undefined;

  const answer = withoutThought((piece) => {
    text += piece;
    onDelta(piece);
  });
  const addText = (piece: string | null | undefined): boolean => {
    if (!piece) return false;
    answer.add(piece);
    return true;
  };
  const addCalls = (calls: readonly Call[]): boolean => {
    if (stop !== undefined && calls.length > 0) throw malformed('a tool call after the end');
    return calls.map(drafts.add).includes(true);
  };
  const addDelta = (delta: Delta): boolean => {
    refusal += delta.refusal ?? '';
    const called = addCalls([...(delta.tool_calls ?? []), ...legacyCall(delta)]);
    const said = stop === undefined && addText(delta.content);
    return state.add(delta) || said || called || hasThought(delta);
  };
  const addChoice = ({delta, finish_reason: reason}: Choice): boolean => {
    const hasAdded = addDelta(delta ?? {});
    if (!reason) return hasAdded;
    answer.end();
    // A truncated reply stays truncated: later finish reasons are ignored.
    if (stop !== 'truncated') stop = readStop(reason, stops);
    return true;
  };

  return {
    take: (value) => {
      const chunk = parseChunk(value);
      if (!chunk) return false;
      counts = toCounts(chunk.usage) ?? counts;
      // The request asks for only one choice.
      const choice = chunk.choices.find(({index}) => (index ?? 0) === 0);
      return choice !== undefined && addChoice(choice);
    },
    hasEnded: () => false,
    reply: () => ({
      text,
      drafts: drafts.all,
      stop: endOf(stop, refusal, drafts.all),
      counts,
      opaque: state.read(drafts.all),
    }),
  };
}

/** Several providers, such as Gemini and Ollama, end calls with `stop`: complete calls prove that the reply was not cut. */
function endOf(
  stop: Stop | undefined,
  refusal: string,
  drafts: readonly CallDraft[],
): Stop | undefined {
  if (refusal !== '' && (stop === 'answered' || stop === 'calls')) return 'refused';
  const isCalling = stop === 'answered' && drafts.length > 0 && drafts.every(isComplete);
  return isCalling ? 'calls' : stop;
}

interface ChatDraft extends CallDraft {
  extra?: JsonObject;
}

interface Drafts {
  readonly all: readonly ChatDraft[];
  /** Returns true if the piece added a call or arguments. */
  readonly add: (piece: Call) => boolean;
}

/**
 * Pieces of one index belong to one call, unless one brings another id and a name: some servers give every call the index 0.
 * For servers that send no index, a piece with an id starts a call, and a piece without one continues the last call.
 */
function createDrafts(): Drafts {
  const all: ChatDraft[] = [];
  const byIndex = new Map<number, ChatDraft>();
  const find = ({index, id, function: {name}}: Call): ChatDraft | undefined => {
    if (typeof index !== 'number') return id === '' ? all.at(-1) : undefined;
    const known = byIndex.get(index);
    if (!known || id === '' || id === known.id) return known;
    if (name === '') throw malformed(`tool call ${index} has two ids`);
    return undefined;
  };
  return {
    all,
    add: (piece) => {
      const known = find(piece);
      const draft: ChatDraft = known ?? {id: piece.id, name: '', args: ''};
      if (!known) all.push(draft);
      if (typeof piece.index === 'number') byIndex.set(piece.index, draft);
      draft.name += piece.function.name;
      draft.args += piece.function.arguments;
      if (isJsonObject(piece.extra_content)) draft.extra = {extra_content: piece.extra_content};
      return !known || piece.function.arguments !== '';
    },
  };
}

/** The form of calls before `tool_calls`: one call, without an id. */
function legacyCall({function_call: call}: Delta): readonly Call[] {
  return call ? [{index: 0, id: 'function_call', function: call, extra_content: undefined}] : [];
}

interface OpaqueState {
  /** Returns true if the delta added state. */
  readonly add: (delta: Delta) => boolean;
  readonly read: (drafts: readonly ChatDraft[]) => ChatState | undefined;
}

/** The members that providers want back: of DeepSeek, of OpenRouter, of Gemini. */
function createState(): OpaqueState {
  let reasoning = '';
  const details: Record<string, Json>[] = [];
  let extra: JsonObject | undefined;
  return {
    add: ({reasoning_content: piece, reasoning_details: pieces, extra_content: given}) => {
      reasoning += piece ?? '';
      for (const detail of pieces ?? []) addDetail(details, asJson(detail));
      if (isJsonObject(given)) extra = given;
      return (pieces ?? []).length > 0;
    },
    read: (drafts) => {
      const message = {
        ...(reasoning === '' ? {} : {reasoning_content: reasoning}),
        ...(details.length === 0 ? {} : {reasoning_details: details}),
        ...(extra ? {extra_content: extra} : {}),
      };
      const hasExtra = drafts.some((draft) => draft.extra !== undefined);
      if (Object.keys(message).length === 0 && !hasExtra) return undefined;
      return {message, ...(hasExtra ? {calls: drafts.map((draft) => draft.extra ?? null)} : {})};
    },
  };
}

/** OpenRouter streams texts and summaries in pieces of one index; encrypted data comes whole. */
const streamed = ['text', 'summary'] as const;

function addDetail(details: Record<string, Json>[], piece: JsonObject): void {
  const known = details.findLast(
    ({type, index}) => type === piece['type'] && index === piece['index'],
  );
  if (!known || 'data' in piece) {
    details.push({...piece});
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    const before = known[name];
    const isPiece = streamed.some((each) => each === name);
    if (isPiece && typeof before === 'string' && typeof value === 'string')
      known[name] = before + value;
    else if (value !== null) known[name] = value;
  }
}

/** Ignores events of other types, which are objects without `choices`. */
function parseChunk(value: unknown): z.infer<typeof chunkSchema> | undefined {
  const parsed = chunkSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const isOther = z.looseObject({choices: z.undefined().optional()}).safeParse(value).success;
  if (isOther) return undefined;
  throw malformed('not a chunk of a chat completion');
}

function hasThought({reasoning, reasoning_content: content, refusal}: Delta): boolean {
  return Boolean(reasoning) || Boolean(content) || Boolean(refusal);
}

const stops: Readonly<Record<string, Stop>> = {
  stop: 'answered',
  eos: 'answered',
  eos_token: 'answered',
  end_turn: 'answered',
  stop_sequence: 'answered',
  tool_calls: 'calls',
  function_call: 'calls',
  tool_use: 'calls',
  length: 'truncated',
  max_tokens: 'truncated',
  model_length: 'truncated',
  content_filter: 'refused',
};

function toCounts(value: unknown): TokenCounts | undefined {
  const usage = usageSchema.safeParse(value).data;
  if (!usage) return undefined;
  const cached = [
    usage.prompt_tokens_details?.cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
  ].find((count) => count);
  const costUsd = toCost(usage);
  return {
    input: usage.prompt_tokens,
    cached: cached ?? 0,
    output: usage.completion_tokens,
    costUsd,
  };
}

function toCost({cost, is_byok, cost_details: details}: z.infer<typeof usageSchema>) {
  if (typeof cost !== 'number') return undefined;
  return cost + (is_byok ? (details?.upstream_inference_cost ?? 0) : 0);
}

interface TextFilter {
  readonly add: (piece: string) => void;
  /** Passes what is held back. */
  readonly end: () => void;
}

const opening = '<think>';
const closing = '</think>';
/** Of white space before a text, in UTF-16 units. */
const maxHeld = 1_000;

/** Takes a leading `<think>` block, and the space around it, off a text that arrives in pieces. */
export function withoutThought(pass: (text: string) => void): TextFilter {
  let state: 'opening' | 'thinking' | 'closed' | 'passing' = 'opening';
  let held = '';
  const passRest = (text: string): void => {
    held = '';
    if (text === '') return;
    state = 'passing';
    pass(text);
  };
  const think = (): void => {
    const at = held.indexOf(closing);
    if (at === -1) {
      held = held.slice(1 - closing.length);
      return;
    }
    state = 'closed';
    passRest(held.slice(at + closing.length).trimStart());
  };
  const open = (): void => {
    const start = held.trimStart();
    if (start.length < opening.length && opening.startsWith(start) && held.length < maxHeld) return;
    if (!start.startsWith(opening)) {
      passRest(held);
      return;
    }
    state = 'thinking';
    held = start;
    think();
  };
  return {
    add: (piece) => {
      if (state === 'passing') {
        pass(piece);
        return;
      }
      held += piece;
      if (state === 'opening') open();
      else if (state === 'thinking') think();
      else passRest(held.trimStart());
    },
    end: () => {
      if (state === 'opening') passRest(held);
    },
  };
}

// Builds a request for Chat Completions. The constant part comes first, because OpenAI caches prefixes automatically.

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming;
type Param = OpenAI.Chat.ChatCompletionMessageParam;

/** The opaque state of a reply: members of its message, and of its calls in their order. */
type ChatState = {
  readonly message?: JsonObject;
  readonly calls?: readonly (JsonObject | null)[];
};

/** Differences between compatible servers. */
interface Dialect {
  /** False: the server rejects a request for its usage. */
  readonly asksUsage?: boolean | undefined;
  readonly demands?: ReadonlySet<Demand>;
}

export function toOpenAiRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
  {asksUsage = true, demands = new Set()}: Dialect = {},
): Body {
  const system = request.system.toWellFormed();
  const body: Body = {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{role: 'system' as const, content: system}]),
      ...toTurns(request.transcript).flatMap((turn) => toMessages(turn, demands)),
    ],
    // OpenAI has a newer name for it, but is called through Responses; most other servers accept only this one.
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(asksUsage ? {stream_options: {include_usage: true}} : {}),
  };
  if (offered.length === 0) return body;
  const tools = offered.map(toTool);
  return {...body, tools, tool_choice: request.toolChoice};
}

function toTool({name, description, schema}: OfferedTool): OpenAI.Chat.ChatCompletionTool {
  return {type: 'function', function: {name, description, parameters: {...schema}}};
}

function toMessages(turn: Turn, demands: ReadonlySet<Demand>): Param[] {
  if (turn.role === 'user') return [{role: 'user', content: turn.text}];
  const state = stateOf(turn, demands);
  const own = {...state.message, role: 'assistant'} as const;
  if (turn.calls.length === 0) return [{...own, content: turn.text}];
  const content = turn.text.trim() === '' ? null : turn.text;
  const calls = turn.calls.map((call, index) => ({...state.calls?.[index], ...toToolCall(call)}));
  return [{...own, content, tool_calls: calls}, ...turn.calls.map(toResult)];
}

/** With substitutes for what the provider demands of replies that it did not make, or whose state was dropped. */
function stateOf({opaque, calls}: ReplyTurn, demands: ReadonlySet<Demand>): ChatState {
  const {message = {}, calls: [first, ...rest] = []} = toState(opaque);
  const {reasoning_content: reasoning} = message;
  const isReasoned = typeof reasoning === 'string' && reasoning.trim() !== '';
  const needsSignature = demands.has('signed') && calls.length > 0 && !isSigned(first);
  return {
    // DeepSeek rejects a message without reasoning, and an empty one.
    message:
      demands.has('reasoned') && !isReasoned ? {...message, reasoning_content: ' '} : message,
    calls: [needsSignature ? {...first, ...unsigned} : (first ?? null), ...rest],
  };
}

function toState(value: Json | undefined): ChatState {
  if (!isJsonObject(value)) return {};
  const {message, calls} = value;
  return {
    ...(isJsonObject(message) ? {message} : {}),
    ...(isJsonArray(calls) ? {calls: calls.map((call) => (isJsonObject(call) ? call : null))} : {}),
  };
}

/** Google documents it for calls that its model did not make. */
const unsigned = {
  extra_content: {google: {thought_signature: 'skip_thought_signature_validator'}},
};

function isSigned(call: JsonObject | null | undefined): boolean {
  const google = isJsonObject(call?.['extra_content']) && call['extra_content']['google'];
  return isJsonObject(google) && typeof google['thought_signature'] === 'string';
}

function toToolCall({id, name, args}: CallTurn): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  return {id, type: 'function', function: {name, arguments: JSON.stringify(args)}};
}

function toResult({id, result: {text, isError}}: CallTurn): Param {
  return {role: 'tool', tool_call_id: id, content: isError ? `error: ${text}` : text};
}

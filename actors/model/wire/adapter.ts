/** The guarded SDK call that all adapters make, and the options that they share. */

import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import {withoutOpaque} from '../../../machines/prompts/transcript.ts';
import type {ModelCallContext, OfferedTool, Price} from '../model.ts';
import {failure, fieldsOf, GuardError, messageOf, throwErrorEvent} from './faults.ts';
import {createFetch, type Fetch} from './fetch.ts';
import {defaultLimits, guardCall, type Guarded, type GuardLimits} from './guard.ts';
import {type Course, type StreamedReply, toOutcome, usageOf} from './reply.ts';

export interface AdapterOptions {
  /** `provider/model`. */
  readonly name: string;
  /** The model as the user spells it. The Anthropic adapter converts it to Anthropic's spelling. */
  readonly model: string;
  readonly baseUrl: string;
  /** Empty: the server requires none. */
  readonly apiKey: string;
  /** OpenAI's own Responses, or the Chat Completions of every compatible server (default). */
  readonly api?: 'responses' | 'chat';
  /** True (default): Chat Completions are asked for their usage. Mistral always sends it and rejects the request for it. */
  readonly asksUsage?: boolean;
  readonly price?: Price;
  readonly limits?: Partial<GuardLimits>;
  readonly random?: () => number;
  /** The time for repetitions of a call that fails for a while, in ms. Absent: a few short pauses. */
  readonly retryMs?: number;
  /** The server runs on this machine: if it refuses the connection, it does not run. */
  readonly isLocal?: boolean;
}

/** Accumulates the events of a stream. `take` returns true if the event advanced the reply. */
export interface ReplyReader {
  readonly take: (event: unknown) => boolean;
  /** True after the event that ends the stream; the SDK would continue to read. */
  readonly hasEnded: () => boolean;
  readonly reply: () => StreamedReply;
}

export interface OpenCall {
  /** As its provider demands it. */
  readonly request: ModelRequest;
  readonly demands: ReadonlySet<Demand>;
  readonly tools: readonly OfferedTool[];
  readonly client: ClientOptions;
  readonly onDelta: (text: string) => void;
  /** A reply that the provider has paused: its content is sent back, and its reader continues. */
  readonly paused?: ReplyReader | undefined;
}

/** Client options that all SDKs share, of one call. Only `fetch` differs between the calls of a model. */
export interface ClientOptions {
  readonly apiKey: string;
  readonly maxRetries: 0;
  readonly timeout: number;
  readonly logLevel: 'off';
  readonly fetch: Fetch;
}

/** One client for all calls of a model, because making one takes longer than a request. Its requests need `ownFetch`. */
export function sharedClient<Client>(
  make: (options: ClientOptions) => Promise<Client>,
): (options: ClientOptions) => Promise<Client> {
  let client: Client | undefined;
  return async (options) => (client ??= await make({...options, fetch: fetchOfCall}));
}

/** Request options with the `fetch` of this call, which watches it alone. */
export function ownFetch({fetch}: ClientOptions): {readonly fetchOptions: object} {
  return {fetchOptions: {own: fetch} satisfies Own};
}

interface Own {
  readonly own: Fetch;
}

const fetchOfCall: Fetch = async (url, init) => {
  if (!init || !isOwn(init)) throw new Error('a request has no fetch of its own');
  const {own, ...rest} = init;
  return await own(url, rest);
};

function isOwn(init: object): init is Own {
  return 'own' in init;
}

export interface OpenReply {
  /** The events as parsed by the SDK, in the order of arrival. */
  readonly events: AsyncIterable<unknown>;
  readonly reader: ReplyReader;
}

export interface Provider {
  /** The headers of the provider, including the header with the key. */
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** Learned from refusals; kept as long as the adapter. */
  readonly demands: Set<Demand>;
  /** Sends the request. Resolves when a successful reply begins; rejects with the SDK's error. */
  readonly open: (call: OpenCall) => Promise<OpenReply>;
}

/** The caller retries and logs, not the SDK. */
const clientOptions = {maxRetries: 0, logLevel: 'off'} as const;

/** SDKs demand a key even if the server requires none. */
const placeholderKey = 'none';

/** How often a paused reply is continued. */
const maxPauses = 8;

/** Never rejects. The outcome includes the usage of the call, if it is known. */
export async function callAdapter(
  options: AdapterOptions,
  request: ModelRequest,
  {signal, onDelta, tools}: ModelCallContext,
  provider: Provider,
): Promise<ModelOutcome> {
  const {name, baseUrl, apiKey, random = Math.random, price, retryMs, isLocal} = options;
  const limits = {...defaultLimits, ...options.limits};
  const faults = {name, baseUrl, apiKey, random, retryMs, isLocal};
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    return failure('auth', 'the key contains characters that are not allowed in a key', faults);
  }
  const key = apiKey || placeholderKey;
  const course: Course = {isSent: false, isReadOut: false, fault: undefined, pieces: 0};
  let reader: ReplyReader | undefined;
  const outcome = await guardCall({...faults, limits, signal, onDelta}, async (guarded) => {
    const headers = provider.headers(key);
    const fetch = createFetch({guarded, exchange: course, headers, limits});
    const client = {...clientOptions, apiKey: key, timeout: limits.totalMs, fetch};
    const call = {request, tools, client, onDelta: guarded.onDelta};
    const read = async (pauses: number): Promise<ReplyReader> => {
      const opened = await openAsDemanded(name, {...call, paused: reader}, provider);
      reader = opened.reader;
      await fold(opened, course, guarded);
      const isPaused = reader.reply().stop === 'paused' && pauses < maxPauses;
      return isPaused ? await read(pauses + 1) : reader;
    };
    try {
      reader = await read(0);
    } catch (error) {
      throw isAnswer(error) ? error : (course.fault ?? error);
    }
    const isWhole = !course.isReadOut && course.fault === undefined;
    const offered = new Set([...request.tools, ...tools.map((tool) => tool.name)]);
    return toOutcome(reader.reply(), isWhole, {...faults, tools: offered});
  });
  const usage = usageOf(outcome, course, reader?.reply(), {request, tools, price});
  return usage ? {...outcome, usage} : outcome;
}

/** Sends the request again as the provider demands it, as long as a refusal states a new demand. */
async function openAsDemanded(
  name: string,
  call: Omit<OpenCall, 'demands'>,
  {open, demands}: Pick<Provider, 'open' | 'demands'>,
  passing: ReadonlySet<Demand> = new Set(),
): Promise<OpenReply> {
  const obeyed = demands.union(passing);
  try {
    return await open({...call, request: obeying(call.request, name, obeyed), demands: obeyed});
  } catch (error) {
    const demand = demandIn(error, call.request, obeyed);
    if (demand === undefined) throw error;
    if (demand !== 'stateless') demands.add(demand);
    return await openAsDemanded(name, call, {open, demands}, passing.union(new Set([demand])));
  }
}

/**
 * The iteration stops at the end of the reply, before the end of the body: OpenAI's SDK stops at `[DONE]`, which it does not
 * pass on, and this loop stops at the last event of the other formats.
 */
async function fold(
  {events, reader}: OpenReply,
  course: Course,
  {onProgress}: Guarded,
): Promise<void> {
  for await (const event of events) {
    throwErrorEvent(event);
    if (reader.take(event)) {
      course.pieces += 1;
      onProgress();
    }
    if (reader.hasEnded()) break;
  }
  // Node returns the connection to its agent in the next tick. Without this wait, the next call could start before that.
  await new Promise<void>((resolve) => process.nextTick(resolve));
}

/** True if the SDK's error reports a reply with an error status. Such an error takes precedence even if the body broke off. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status !== undefined;
}

/** An event of an unexpected shape. */
export function malformed(what: string): GuardError {
  return new GuardError('protocol', `the stream contains a malformed event (${what})`);
}

// Demands that a provider states only by refusing a request. The request is sent again as demanded, and the demand is remembered
// for the model, so that no list of models decides.

export type Demand =
  /** No forced tool call. The call is then optional, and the caller checks the reply. */
  | 'unforced'
  /** A signature on the first call of each message. */
  | 'signed'
  /** Reasoning in each reply. */
  | 'reasoned'
  /** No opaque state, because the provider cannot read what it returned itself. Not remembered: it holds for one conversation. */
  | 'stateless';

/** Before the others, because an unreadable signature is not a missing one. */
const unreadable =
  /(?:invalid|corrupted)[^.]{0,30}signature|encrypted.content|thinking\W+blocks[^.]{0,60}cannot be modified/i;

const statements: readonly (readonly [RegExp, Demand])[] = [
  [/tool[ _]choice/i, 'unforced'],
  [unreadable, 'stateless'],
  [/thought.?signature/i, 'signed'],
  [/reasoning.content/i, 'reasoned'],
];

const refusals: ReadonlySet<unknown> = new Set([400, 404, 422]);
const maxLength = 20_000;

/** The demand in an SDK's error, unless the request obeyed it already or it concerns nothing in the request. */
function demandIn(
  error: unknown,
  request: ModelRequest,
  obeyed: ReadonlySet<Demand>,
): Demand | undefined {
  const {status, error: body = ''} = fieldsOf(error);
  if (!refusals.has(status)) return undefined;
  // OpenRouter quotes the error of the provider behind it in a member beside its own message.
  const text = `${messageOf(error)} ${JSON.stringify(body)}`.slice(0, maxLength);
  const demand = statements.find(([pattern]) => pattern.test(text))?.[1];
  return demand !== undefined && !obeyed.has(demand) && concerns[demand](request)
    ? demand
    : undefined;
}

const hasReply = ({transcript}: ModelRequest): boolean =>
  transcript.messages.some(({role}) => role === 'assistant');

const concerns: Readonly<Record<Demand, (request: ModelRequest) => boolean>> = {
  unforced: ({toolChoice}) => toolChoice === 'required',
  signed: hasReply,
  reasoned: hasReply,
  stateless: ({transcript}) => transcript.messages.some((message) => 'opaque' in message),
};

/** The request for the model of this full name: without the opaque state of other models. */
function obeying(request: ModelRequest, name: string, demands: ReadonlySet<Demand>): ModelRequest {
  const {toolChoice, transcript} = request;
  const messages = transcript.messages.map((message) => {
    const isOfModel = message.role === 'assistant' && message.opaque?.model === name;
    return isOfModel && !demands.has('stateless') ? message : withoutOpaque(message);
  });
  const isUnforced = toolChoice === 'required' && demands.has('unforced');
  return {...request, toolChoice: isUnforced ? 'auto' : toolChoice, transcript: {messages}};
}

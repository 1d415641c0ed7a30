/** One guarded call of an SDK, as all adapters make it, and the options that they share. */

import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import type {ModelCallContext, OfferedTool, Price} from '../model.ts';
import {failure, GuardError, throwErrorEvent} from './faults.ts';
import {createFetch, type Fetch} from './fetch.ts';
import {defaultLimits, guardCall} from './guard.ts';
import type {Guarded, GuardLimits} from './guard.ts';
import {toOutcome} from './reply.ts';
import type {StreamedReply} from './reply.ts';
import {type Course, usageOf} from './spent.ts';

export interface AdapterOptions {
  /** `provider/model`. */
  readonly name: string;
  /** The model as the user spells it; Anthropic's spelling is found. */
  readonly model: string;
  readonly baseUrl: string;
  /** Empty: the server wants none. */
  readonly apiKey: string;
  /** OpenAI's own Responses, or the Chat Completions that every compatible server speaks (default). */
  readonly api?: 'responses' | 'chat';
  /** Whether Chat Completions are asked for their usage (default). Mistral sends it unasked, and refuses to be asked. */
  readonly asksUsage?: boolean;
  readonly price?: Price;
  readonly limits?: Partial<GuardLimits>;
  readonly random?: () => number;
}

/** Folds the events of a stream: `take` returns whether the event brought the reply forward. */
export interface ReplyReader {
  readonly take: (event: unknown) => boolean;
  /** True after the event that ends the stream: the SDK would read on. */
  readonly hasEnded: () => boolean;
  readonly reply: () => StreamedReply;
}

export interface OpenCall {
  readonly request: ModelRequest;
  readonly tools: readonly OfferedTool[];
  readonly client: ClientOptions;
  readonly onDelta: (text: string) => void;
}

/** The options of an SDK's client that all SDKs have. A client serves one call. */
export interface ClientOptions {
  readonly apiKey: string;
  readonly maxRetries: 0;
  readonly timeout: number;
  readonly logLevel: 'off';
  readonly fetch: Fetch;
}

export interface OpenReply {
  /** Parsed by the SDK, in the order in which they arrive. */
  readonly events: AsyncIterable<unknown>;
  readonly reader: ReplyReader;
}

export interface Provider {
  /** The headers of the provider, the key's among them. */
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** Sends the request. Resolves when a successful reply begins; rejects with the SDK's error. */
  readonly open: (call: OpenCall) => Promise<OpenReply>;
}

/** Retries and logs are the caller's. */
const clientOptions = {maxRetries: 0, logLevel: 'off'} as const;

/** A key for SDKs, which demand one, where the server wants none. */
const placeholderKey = 'none';

/** Never rejects. Every outcome has the usage of the call, as far as it is known. */
export async function callAdapter(
  options: AdapterOptions,
  request: ModelRequest,
  {signal, onDelta, tools}: ModelCallContext,
  {headers, open}: Provider,
): Promise<ModelOutcome> {
  const {name, baseUrl, apiKey, random = Math.random, price} = options;
  const limits = {...defaultLimits, ...options.limits};
  const faults = {name, baseUrl, apiKey, random};
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    return failure('auth', 'the key holds characters that no key has', faults);
  }
  const key = apiKey || placeholderKey;
  const course: Course = {isSent: false, isReadOut: false, fault: undefined, pieces: 0};
  let reader: ReplyReader | undefined;
  const outcome = await guardCall({...faults, limits, signal, onDelta}, async (guarded) => {
    const fetch = createFetch({guarded, exchange: course, headers: headers(key), limits});
    const client = {...clientOptions, apiKey: key, timeout: limits.totalMs, fetch};
    try {
      const opened = await open({request, tools, client, onDelta: guarded.onDelta});
      reader = opened.reader;
      await fold(opened, course, guarded);
    } catch (error) {
      throw isAnswer(error) ? error : (course.fault ?? error);
    }
    const isWhole = !course.isReadOut && course.fault === undefined;
    return toOutcome(reader.reply(), isWhole, faults);
  });
  const usage = usageOf(outcome, course, reader?.reply(), {request, tools, price});
  return usage ? {...outcome, usage} : outcome;
}

/**
 * The end of a reply ends the iteration before the body's own end is read: OpenAI's SDK stops at `[DONE]`, which it does not
 * pass on, and this loop at the last event of the other formats.
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
  // Node gives the connection back to its agent in the next tick. Promises alone would start the next call before that.
  await new Promise<void>((resolve) => process.nextTick(resolve));
}

/** Whether the SDK's error reports a reply with an error status: that counts even if its body broke off. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status !== undefined;
}

/** An event of an unexpected shape. */
export function malformed(what: string): GuardError {
  return new GuardError('protocol', `the stream holds a malformed event (${what})`);
}

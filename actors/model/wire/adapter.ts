/** What the adapters share: their options, and one guarded call. */

import type {IncomingMessage} from 'node:http';

import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import type {ModelCallContext, Price} from '../model.ts';
import {EventStream} from './event-stream.ts';
import {failure, GuardError} from './faults.ts';
import {defaultLimits, guardCall} from './guard.ts';
import type {Guarded, GuardLimits} from './guard.ts';
import {readBody} from './post.ts';
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

/** A key for SDKs, which demand one, where the server wants none. */
export const placeholderKey = 'none';

/** A stream that is being read: `take` says whether the event brought the reply forward. */
export interface ReplyReader {
  readonly take: (event: unknown) => boolean;
  /** True once the event came after which nothing more is expected. */
  readonly hasEnded: () => boolean;
  readonly reply: () => StreamedReply;
}

export interface OpenReply {
  /** Successful, its body not yet read. */
  readonly message: IncomingMessage;
  readonly reader: ReplyReader;
}

export function limitsOf({limits}: AdapterOptions): GuardLimits {
  return {...defaultLimits, ...limits};
}

/** Never rejects. `open` sends the request. Whatever the outcome, it tells what the call used. */
export async function callAdapter(
  options: AdapterOptions,
  request: ModelRequest,
  context: ModelCallContext,
  open: (guarded: Guarded) => Promise<OpenReply>,
): Promise<ModelOutcome> {
  const {name, baseUrl, apiKey, random = Math.random, price} = options;
  const limits = limitsOf(options);
  const faults = {name, baseUrl, apiKey, random};
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    return failure('auth', 'the key holds characters that no key has', faults);
  }
  const {signal, onDelta, tools} = context;
  const course: Course = {sent: false, pieces: 0};
  let reading: ReplyReader | undefined;
  const outcome = await guardCall({...faults, limits, signal, onDelta}, async (guarded) => {
    const {message, reader} = await open(watched(guarded, course));
    reading = reader;
    const events = new EventStream();
    const hear = (heard: Iterable<unknown>): boolean => {
      for (const event of heard) {
        if (reader.take(event)) {
          course.pieces += 1;
          guarded.onProgress();
        }
        if (reader.hasEnded()) return true;
      }
      return false;
    };
    await readBody(message, {
      signal: guarded.signal,
      maxBytes: limits.maxBytes,
      take: (chunk) => hear(events.take(chunk)),
    });
    hear(events.end());
    return toOutcome(reader.reply(), faults);
  });
  const usage = usageOf(outcome, course, reading?.reply(), {request, tools, price});
  return usage ? {...outcome, usage} : outcome;
}

function watched(guarded: Guarded, course: Course): Guarded {
  return {
    ...guarded,
    onSent: () => {
      course.sent = true;
      guarded.onSent();
    },
    onUnsent: () => {
      course.sent = false;
    },
  };
}

/** An event whose shape makes no sense. */
export function malformed(what: string): GuardError {
  return new GuardError('protocol', `the stream holds a malformed event (${what})`);
}

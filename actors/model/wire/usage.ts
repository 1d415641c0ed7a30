/**
 * The usage and the cost of a call with any outcome: from the provider's counts, otherwise an estimate that is marked as one.
 */

import type {ModelOutcome, ModelRequest, Usage} from '../../../machines/domain/model.ts';
import {estimateTokens} from '../../../machines/domain/text-limits.ts';
import {billedText} from '../../../machines/prompts/transcript.ts';
import type {OfferedTool, Price} from '../model.ts';
import type {Exchange} from './fetch.ts';
import type {StreamedReply} from './reply.ts';

export interface TokenCounts {
  /** The whole input, cached or not. */
  readonly input: number;
  readonly cached: number;
  /** Tokens written to the prompt cache, which cost more than plain input. */
  readonly written?: number;
  readonly output: number;
  /** Of the call, as the provider bills it. */
  readonly costUsd?: number | undefined;
}

/** Anthropic's rate for the five-minute cache, the only one that requests use. */
const cacheWriteFactor = 1.25;

/** More than the context of any model: such a number is an error of the provider. */
const absurdTokens = 100_000_000;

/**
 * Returns undefined for implausible counts; the caller then books the worst case. A cost that the provider reports wins over the
 * price; a cost of zero only without a price, because a server that knows no cost may report that, too.
 */
export function toUsage(counts: TokenCounts | undefined, price?: Price): Usage | undefined {
  if (!counts) return undefined;
  const {input, cached, written = 0, output, costUsd = -1} = counts;
  const areSane = [input, cached, written, output].every(
    (count) => Number.isInteger(count) && count >= 0 && count <= absurdTokens,
  );
  if (!areSane || cached + written > input) return undefined;
  const usage = {inputTokens: input, outputTokens: output, cachedTokens: cached};
  if (costUsd > 0 || (costUsd === 0 && !price)) return {...usage, costUsd};
  if (!price) return usage;
  const inputUsd =
    (input - cached - written + written * cacheWriteFactor) * price.input +
    cached * price.cachedInput;
  return {...usage, costUsd: (inputUsd + output * price.output) / 1_000_000};
}

/** The progress of a call. */
export interface Course extends Exchange {
  /** The number of events that advanced the reply; most servers send one token per event. */
  pieces: number;
}

export interface Sent {
  readonly request: ModelRequest;
  readonly tools: readonly OfferedTool[];
  readonly price: Price | undefined;
}

/**
 * `reply` is undefined if no reply began. Returns undefined for a complete reply without counts or with implausible counts;
 * the caller then books the worst case.
 */
export function usageOf(
  {kind}: ModelOutcome,
  {isSent, pieces}: Course,
  reply: StreamedReply | undefined,
  {price, ...asked}: Sent,
): Usage | undefined {
  const isRefused = !reply && kind !== 'network' && kind !== 'cancelled';
  if (!isSent || isRefused) return toUsage({input: 0, cached: 0, output: 0}, price);
  if (reply?.stop !== undefined)
    return isUnaccounted(reply) ? undefined : toUsage(reply.counts, price);
  const usage = toUsage(estimate(reply ?? nothing, pieces, asked), price);
  return usage && {...usage, estimated: true};
}

/** No reply with text or calls is made of no tokens, nor for a request of none. */
function isUnaccounted({text, drafts, counts}: StreamedReply): boolean {
  const isEmpty = text === '' && drafts.length === 0;
  return !isEmpty && (counts?.input === 0 || counts?.output === 0);
}

const nothing = {text: '', drafts: [], counts: undefined};

function estimate(
  {text, drafts, counts}: Pick<StreamedReply, 'text' | 'drafts' | 'counts'>,
  pieces: number,
  {request, tools}: Omit<Sent, 'price'>,
): TokenCounts {
  const {inputTokens, cachedTokens = 0, outputTokens = 0} = toUsage(counts) ?? {};
  const came = estimateTokens(text + drafts.map(({name, args}) => name + args).join(''));
  return {
    input: inputTokens ?? estimateInput(request, tools),
    cached: cachedTokens,
    output: Math.max(outputTokens, pieces, came),
  };
}

function estimateInput({system, transcript}: ModelRequest, tools: readonly OfferedTool[]): number {
  const texts = [
    system,
    ...transcript.messages.map(billedText),
    ...tools.map((tool) => JSON.stringify(tool)),
  ];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

/** The usage of a call with any outcome: the provider's counts, otherwise an estimate that is marked as one. */

import type {ModelOutcome, ModelRequest, Usage} from '../../../machines/domain/model.ts';
import {estimateTokens} from '../../../machines/domain/tokens.ts';
import {billedText} from '../../../machines/prompts/transcript.ts';
import type {OfferedTool, Price} from '../model.ts';
import type {Exchange} from './fetch.ts';
import type {StreamedReply} from './reply.ts';
import {type TokenCounts, toUsage} from './usage.ts';

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

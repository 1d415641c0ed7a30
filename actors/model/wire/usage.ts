/** Computes the usage and the cost of a call from the provider's counts. */

import type {Usage} from '../../../machines/domain/model.ts';
import type {Price} from '../model.ts';

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

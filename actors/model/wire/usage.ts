/** The usage of a call by the provider's counts, and its cost. */

import type {Usage} from '../../../machines/domain/model.ts';
import type {Price} from '../model.ts';

export interface TokenCounts {
  /** All of the input, cached or not. */
  readonly input: number;
  readonly cached: number;
  /** Written to the prompt cache, which costs more than plain input. */
  readonly written?: number;
  readonly output: number;
}

/** Anthropic's rate for a five-minute cache, the only one asked for. */
const cacheWriteFactor = 1.25;

/** Beyond any model's context: such a number is an error of the provider. */
const absurdTokens = 100_000_000;

/** Undefined for counts that can't be true: then the caller books the worst case. */
export function toUsage(counts: TokenCounts | undefined, price?: Price): Usage | undefined {
  if (!counts) return undefined;
  const {input, cached, written = 0, output} = counts;
  const areSane = [input, cached, written, output].every(
    (count) => Number.isInteger(count) && count >= 0 && count <= absurdTokens,
  );
  if (!areSane || cached + written > input) return undefined;
  const usage = {inputTokens: input, outputTokens: output, cachedTokens: cached};
  if (!price) return usage;
  const inputUsd =
    (input - cached - written + written * cacheWriteFactor) * price.input +
    cached * price.cachedInput;
  return {...usage, costUsd: (inputUsd + output * price.output) / 1_000_000};
}

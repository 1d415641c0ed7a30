/** The limit of a reply in tokens, thinking included: the one that is sent, and another one with which the call may succeed. */

import type {ModelFailure, ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {longestReply} from './prices.ts';
import type {Provider} from './providers.ts';

/** Every server that rejects a longer reply has accepted this one. */
const modestTokens = 8_192;

/** Messages of providers about a limit that is higher than the model or the rest of its context window allows. */
const tooHigh =
  /\bmax_(?:completion_|output_|new_)?tokens\b.*(?:too large|exceed|less than|at most|maximum|>)|\bin the completion\b/i;

/** `name`: `provider/model`. */
export function sentTokens(
  {maxOutputTokens, outputTokens}: ModelRequest,
  name: string,
  {maxOutputTokens: most}: Pick<Provider, 'maxOutputTokens'>,
): number {
  return outputTokens ?? Math.min(maxOutputTokens, most, longestReply(name) ?? Infinity);
}

/** The limits of the replies of one model. A limit that its server has rejected is not tried again. */
export function createReplyLimits(
  name: string,
  provider: Pick<Provider, 'name' | 'maxOutputTokens'>,
) {
  let ceiling = Infinity;
  return {
    of: (request: ModelRequest): number =>
      request.outputTokens ?? Math.min(sentTokens(request, name, provider), ceiling),
    /** Adds the limit with which the call may succeed, and the setting. */
    note: (outcome: ModelOutcome, sent: number): ModelOutcome => {
      if (outcome.kind === 'truncated') return truncated(outcome, sent, name, provider);
      if (outcome.kind === 'ok' || sent <= modestTokens || !isTooHigh(outcome)) return outcome;
      ceiling = modestTokens;
      return {...outcome, nextOutputTokens: modestTokens};
    },
  };
}

function truncated(
  outcome: ModelFailure,
  sent: number,
  name: string,
  provider: Pick<Provider, 'name'>,
): ModelFailure {
  const next = Math.min(2 * sent, longestReply(name) ?? Infinity);
  const message = `${outcome.message} of ${sent} tokens, which include its thinking; providers.${provider.name}.max_output_tokens sets it`;
  return {...outcome, message, ...(next > sent ? {nextOutputTokens: next} : {})};
}

function isTooHigh({kind, message}: ModelFailure): boolean {
  return (kind === 'unsupported' || kind === 'contextOverflow') && tooHigh.test(message);
}

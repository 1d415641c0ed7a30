/** The spending of a run, and the possible cost of its calls in flight. */

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest, Usage} from '../../machines/domain/model.ts';
import {addUsage, noUsage, type UsageTotals} from '../../machines/domain/result.ts';
import {billedText, type Message} from '../../machines/prompts/transcript.ts';
import type {RunLimits} from '../config/resolve.ts';
import {offlineModel} from '../config/roles.ts';
import type {Price} from '../model/model.ts';
import type {Prices} from '../model/prices.ts';

/** Upper bound of the tokens of the tools' schemas and the frame of a request. */
const frameTokens = 3_000;
/** Upper bound of the tokens of the definition of one tool: a longer one of a server is not offered. */
const definitionTokens = 9_000;
/** Upper bound of the tokens for an estimated one. */
const perEstimated = 1.5;
/** Upper bound of the price factor for a token that the provider also writes to its cache (Anthropic: 1.25). */
const cacheWriteFactor = 1.25;
/** Upper bounds of tokens per UTF-16 unit: English has about 0.25, Japanese 0.87. */
const tokensPerAscii = 0.6;
const tokensPerOther = 1.5;

/** Costs are inexact sums of floating-point numbers. */
const rounding = 1e-9;
/** The lowest limit of a reply, in tokens, that the budget may impose: a shorter reply would rarely be of use. */
const leastReplyTokens = 4_096;

export type Admission =
  | {readonly ok: true}
  | {
      readonly ok: false;
      readonly limit: string;
      readonly message: string;
      /** Only the worst case of the calls in flight exceeds the limit: ask again when one of them has ended. */
      readonly isLater?: true;
    };

interface Reservation {
  readonly worst: number;
  readonly cappedTokens?: number;
}

export class Ledger {
  #limits: RunLimits;
  readonly #prices = new Map<string, Price | undefined>();
  readonly #schemaTokens: number;
  readonly #priceOf: (model: string) => Price | undefined;
  readonly #reserved = new Map<string, Reservation>();
  readonly #estimates = new WeakMap<Message, number>();
  /** The highest cost of a call so far, by model: the worst case of a model without a known price. */
  readonly #dearest = new Map<string, number>();
  #totals = noUsage;
  /** Includes the costs that models without a known price have reported. */
  #costUsd = 0;
  #reservedUsd = 0;

  /** `maxSchemaTokens`: the budget of a request for definitions of tools, estimated. */
  constructor(
    limits: RunLimits,
    priceOf: (model: string) => Price | undefined,
    maxSchemaTokens = 0,
  ) {
    this.#limits = limits;
    this.#schemaTokens = maxSchemaTokens * perEstimated;
    this.#priceOf = (model) => {
      if (!this.#prices.has(model)) this.#prices.set(model, priceOf(model));
      return this.#prices.get(model);
    };
  }

  get limits(): RunLimits {
    return this.#limits;
  }

  /** Changes limits from now on. Absent limits stay as they are. */
  change(limits: Partial<RunLimits>): void {
    this.#limits = {...this.#limits, ...limits};
  }

  /** Prices that apply instead of those of the table. */
  learn(prices: Prices): void {
    for (const [model, price] of Object.entries(prices)) this.#prices.set(model, price);
  }

  get totals(): UsageTotals {
    const isPriced = this.#totals.costUsd !== undefined;
    return {...this.#totals, ...(isPriced ? {costUsd: this.#costUsd} : {})};
  }

  /** Called before a call is made: reserves its worst-case cost, or returns the limit that forbids it. */
  reserve(key: string, request: ModelRequest): Admission {
    if (request.model === offlineModel) return {ok: true};
    const {maxModelCalls, maxCostUsd} = this.#limits;
    if (this.#totals.modelCalls + this.#reserved.size >= maxModelCalls) {
      return {
        ok: false,
        limit: 'max_model_calls',
        message: `${maxModelCalls} model calls were made`,
      };
    }
    const worst = this.#worstCost(request);
    if (worst === 0 || this.#costUsd + this.#reservedUsd + worst <= maxCostUsd)
      return this.#admitted(key, {worst});
    const cappedTokens = this.#affordableTokens(request);
    const least = this.#worstCost({...request, outputTokens: cappedTokens});
    const isAffordable = this.#costUsd + least <= maxCostUsd;
    if (isAffordable && this.#reservedUsd === 0)
      return this.#admitted(key, {worst: least, cappedTokens});
    const spent = this.#costUsd.toFixed(4);
    const message = `$${spent} of $${maxCostUsd} are spent, and the next call could cost $${least.toFixed(4)}`;
    return {ok: false, limit: 'max_cost_usd', message, ...(isAffordable ? {isLater: true} : {})};
  }

  /** The limit of the reply of an admitted call, in tokens, where the budget allows only a lower one than requested. */
  cappedTokens(key: string): number | undefined {
    return this.#reserved.get(key)?.cappedTokens;
  }

  #admitted(key: string, reservation: Reservation): Admission {
    this.#reserved.set(key, reservation);
    this.#reservedUsd += reservation.worst;
    return {ok: true};
  }

  /** The longest reply for the rest of the budget, in tokens. Not shorter than one that was cut off before. */
  #affordableTokens(request: ModelRequest): number {
    const {maxOutputTokens, outputTokens: wanted = maxOutputTokens} = request;
    const least = wanted > maxOutputTokens ? maxOutputTokens : leastReplyTokens;
    const input = this.#worstCost({...request, outputTokens: 0});
    const left = this.#limits.maxCostUsd - this.#costUsd - input;
    const price = this.#priceOf(request.model)?.output ?? 0;
    const affordable = price > 0 ? Math.floor(((left * 1e6) / price) * (1 - rounding)) : 0;
    return Math.min(wanted, Math.max(affordable, least));
  }

  /**
   * Books a call with its recorded outcome, and returns its usage. Without a valid usage, the worst case is booked as an
   * estimate. Calls of the offline model cost nothing and do not count.
   */
  book(key: string, request: ModelRequest, outcome: JsonObject): UsageTotals {
    this.release(key);
    if (request.model === offlineModel) return noUsage;
    const price = this.#priceOf(request.model);
    const usage = usageIn(outcome);
    const costUsd = usage
      ? (usage.costUsd ?? costOf(usage, price))
      : this.#worstCost(asSent(request, outcome));
    this.#dearest.set(request.model, Math.max(costUsd, this.#dearest.get(request.model) ?? 0));
    const isPriced = price !== undefined || usage?.costUsd !== undefined;
    const spent = spentBy(usage, isPriced ? costUsd : undefined);
    this.#costUsd += costUsd;
    this.#totals = addUsage(this.#totals, spent);
    return spent;
  }

  /** Drops the reservation of a call that was not made, and returns its usage: none. */
  release(key: string): UsageTotals {
    this.#reserved.delete(key);
    // Summed anew: subtraction would accumulate rounding errors.
    this.#reservedUsd = this.#reserved.values().reduce((sum, {worst}) => sum + worst, 0);
    return noUsage;
  }

  #worstCost(request: ModelRequest): number {
    const price = this.#priceOf(request.model);
    if (!price || (price.input === 0 && price.output === 0))
      return this.#dearest.get(request.model) ?? 0;
    const system = boundTokens(request.system);
    const input = request.transcript.messages.reduce(
      (sum, message) => sum + this.#estimate(message),
      system,
    );
    return (
      ((input + this.#definitions(request)) * price.input * cacheWriteFactor +
        (request.outputTokens ?? request.maxOutputTokens) * price.output) /
      1e6
    );
  }

  /** Tokens of the definitions of offered tools, and of found ones, which have the budget once more: at least one is sent. */
  #definitions({found = []}: ModelRequest): number {
    const broughtIn = Math.min(
      found.length * definitionTokens,
      this.#schemaTokens + definitionTokens,
    );
    return Math.max(frameTokens, this.#schemaTokens) + broughtIn;
  }

  #estimate(message: Message): number {
    const known = this.#estimates.get(message);
    if (known !== undefined) return known;
    const tokens = boundTokens(billedText(message));
    this.#estimates.set(message, tokens);
    return tokens;
  }
}

/** The request with the limit of the reply that the budget allowed. */
function asSent(request: ModelRequest, {cappedTokens}: JsonObject): ModelRequest {
  return isCount(cappedTokens) ? {...request, outputTokens: cappedTokens} : request;
}

/** The usage of one call; an estimate when the model has reported none. */
function spentBy(usage: Usage | undefined, costUsd: number | undefined): UsageTotals {
  const {inputTokens = 0, outputTokens = 0, cachedTokens = 0, estimated = !usage} = usage ?? {};
  return {
    modelCalls: 1,
    inputTokens,
    outputTokens,
    cachedTokens,
    ...(costUsd === undefined ? {} : {costUsd}),
    ...(estimated ? {estimated: true} : {}),
  };
}

function costOf(
  {inputTokens, outputTokens, cachedTokens}: Usage,
  price: Price | undefined,
): number {
  if (!price) return 0;
  const fresh = Math.max(0, inputTokens - cachedTokens);
  return (
    (fresh * price.input + cachedTokens * price.cachedInput + outputTokens * price.output) / 1e6
  );
}

function boundTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) {
    tokens += text.charCodeAt(index) < 128 ? tokensPerAscii : tokensPerOther;
  }
  return tokens;
}

/** The limits that an event changes, without invalid ones. */
export function limitsIn({limits}: JsonObject): Partial<RunLimits> {
  if (!isJsonObject(limits)) return {};
  const {maxCostUsd, maxModelCalls, timeoutMs} = limits;
  return {
    ...(isCount(maxCostUsd) ? {maxCostUsd} : {}),
    ...(isCount(maxModelCalls) ? {maxModelCalls} : {}),
    ...(isCount(timeoutMs) ? {timeoutMs} : {}),
  };
}

/** True when the call was refused before the model was asked. A call whose adapter threw may have been made. */
export function isNotMade({kind, retryable}: JsonObject): boolean {
  return kind === 'overBudget' || (kind === 'unavailable' && retryable !== true);
}

/** The usage of a recorded outcome; undefined when it is invalid. */
export function usageIn({usage}: JsonObject): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const {inputTokens, outputTokens, cachedTokens, costUsd, estimated} = usage;
  if (!isCount(inputTokens) || !isCount(outputTokens) || !isCount(cachedTokens)) return undefined;
  return {
    inputTokens,
    outputTokens,
    cachedTokens,
    ...(isCount(costUsd) ? {costUsd} : {}),
    ...(estimated === true ? {estimated} : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

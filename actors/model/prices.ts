/**
 * List prices of well-known models in US dollars per million tokens, and their limits in tokens, as of 28 November 2026.
 * Of several rates (by the length of the input, by the time of day, for a limited time) the dearest is listed: a limit of costs
 * may be too careful, but not too lax. `[prices]` in the configuration adds and overrides prices.
 */

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelFailure, ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {usualWindow} from '../../machines/domain/settings.ts';
import type {Price} from './model.ts';
import type {Provider} from './providers.ts';

/** By the name of the model. */
export type Prices = Readonly<Record<string, Price>>;

interface ListedModel extends Price {
  /** Tokens of input and output together. */
  readonly window: number;
  /** The longest reply. */
  readonly longest: number;
}

const claudeOpus = listed(5, 0.5, 25, 1_000_000);
const claudeOpus200k = listed(5, 0.5, 25, 200_000, 64_000);
const claudeSonnet200k = listed(3, 0.3, 15, 200_000, 64_000);
const geminiFlash = listed(1.5, 0.15, 7.5, 1_048_576, 65_536);
const gpt5 = listed(1.25, 0.125, 10, 400_000);
const gpt5Coding = listed(1.75, 0.175, 14, 400_000);
const gptSolFrom61 = listed(4, 0.2, 15, 1_050_000);
const gpt56Sol = listed(10, 1, 45, 1_050_000);
const deepseekFlash = listed(0.3, 0.006, 1.2, 1_000_000);
const mistralMedium = listed(1.5, 1.5, 7.5, 256_000);

const listedModels: Readonly<Record<string, ListedModel>> = {
  'anthropic/claude-fable-5.1': listed(10, 0.25, 50, 1_000_000),
  'anthropic/claude-fable-5': listed(10, 1, 50, 1_000_000),
  'anthropic/claude-opus-5.5': listed(4, 0.2, 20, 1_000_000),
  'anthropic/claude-opus-5': claudeOpus,
  'anthropic/claude-opus-4.8': claudeOpus,
  'anthropic/claude-opus-4.7': claudeOpus,
  'anthropic/claude-opus-4.6': claudeOpus,
  'anthropic/claude-opus-4.5': claudeOpus200k,
  'anthropic/claude-opus-4.1': listed(15, 1.5, 75, 200_000, 32_000),
  'anthropic/claude-sonnet-5.5': listed(2, 0.1, 10, 1_000_000),
  'anthropic/claude-sonnet-5': listed(2, 0.2, 10, 1_000_000),
  'anthropic/claude-sonnet-4.6': listed(3, 0.3, 15, 1_000_000, 64_000),
  'anthropic/claude-sonnet-4.5': claudeSonnet200k,
  'anthropic/claude-sonnet-4': claudeSonnet200k,
  'anthropic/claude-haiku-5.5': listed(0.5, 0.05, 2.5, 1_000_000),
  'anthropic/claude-haiku-4.5': listed(1, 0.1, 5, 200_000, 64_000),
  'openai/gpt-6.2-astra': listed(16, 0.8, 60, 1_050_000),
  'openai/gpt-6.2-sol': gptSolFrom61,
  'openai/gpt-6.1-sol': gptSolFrom61,
  'openai/gpt-6.1-terra': listed(2, 0.1, 7.5, 1_050_000),
  'openai/gpt-6-astra': listed(20, 2, 75, 1_050_000),
  'openai/gpt-6-sol': listed(4, 0.4, 15, 1_050_000),
  'openai/gpt-6-luna': listed(0.2, 0.02, 0.75, 1_050_000),
  'openai/gpt-5.6': gpt56Sol,
  'openai/gpt-5.6-sol': gpt56Sol,
  'openai/gpt-5.6-terra': listed(4, 0.4, 18, 1_050_000),
  'openai/gpt-5.6-luna': listed(0.4, 0.04, 1.8, 1_050_000),
  'openai/gpt-5.5': listed(10, 1, 45, 1_050_000),
  'openai/gpt-5.4': listed(5, 0.5, 22.5, 1_050_000),
  'openai/gpt-5.4-mini': listed(0.75, 0.075, 4.5, 400_000),
  'openai/gpt-5.4-nano': listed(0.2, 0.02, 1.25, 400_000),
  'openai/gpt-5.3-codex': gpt5Coding,
  'openai/gpt-5.2': gpt5Coding,
  'openai/gpt-5.2-codex': gpt5Coding,
  'openai/gpt-5.1': gpt5,
  'openai/gpt-5.1-codex': gpt5,
  'openai/gpt-5': gpt5,
  'openai/gpt-5-codex': gpt5,
  'openai/gpt-5-mini': listed(0.25, 0.025, 2, 400_000),
  'openai/gpt-5-nano': listed(0.05, 0.005, 0.4, 400_000),
  'openai/gpt-4.1': listed(2, 0.5, 8, 1_047_576, 32_768),
  'openai/gpt-4.1-mini': listed(0.4, 0.1, 1.6, 1_047_576, 32_768),
  'openai/gpt-4o': listed(2.5, 1.25, 10, 128_000, 16_384),
  'openai/gpt-4o-mini': listed(0.15, 0.075, 0.6, 128_000, 16_384),
  'openai/o3': listed(2, 0.5, 8, 200_000, 100_000),
  'openai/o4-mini': listed(1.1, 0.275, 4.4, 200_000, 100_000),
  'gemini/gemini-3.8-flash': geminiFlash,
  'gemini/gemini-3.7-flash': geminiFlash,
  'gemini/gemini-3.6-flash': geminiFlash,
  'gemini/gemini-3.5-flash': listed(1.5, 0.15, 9, 1_048_576, 65_536),
  'gemini/gemini-3.5-flash-lite': listed(0.3, 0.3, 2.5, 1_048_576, 65_536),
  'gemini/gemini-3.1-pro-preview': listed(4, 0.4, 18, 1_048_576, 65_536),
  'gemini/gemini-3.1-flash-lite': listed(0.25, 0.025, 1.5, 1_048_576, 65_536),
  'gemini/gemini-3-flash-preview': listed(0.5, 0.05, 3, 1_048_576, 65_536),
  'deepseek/deepseek-v4-pro': listed(1.32, 0.044, 3.96, 1_000_000),
  'deepseek/deepseek-v4-flash': deepseekFlash,
  'deepseek/deepseek-flash': deepseekFlash,
  'mistral/mistral-large-4': listed(1.36, 1.36, 4.18, 1_048_576),
  'mistral/mistral-medium-latest': mistralMedium,
  'mistral/mistral-medium-3.5': mistralMedium,
};

/** `cachedInput` is the price of tokens that are read from the provider's prompt cache. */
export const listPrices: Prices = Object.fromEntries(
  Object.entries(listedModels).map(([name, {input, cachedInput, output}]) => [
    name,
    {input, cachedInput, output},
  ]),
);

export const freePrice: Price = {input: 0, cachedInput: 0, output: 0};

/**
 * The price of `provider/model`. Every spelling of a Claude version matches, and a dated snapshot
 * (`claude-haiku-4-5-20251001`, `gpt-5-2025-08-07`) has the price of its model.
 */
export function findPrice(name: string, prices: Prices): Price | undefined {
  return findModel(name, prices);
}

/** The context window of `provider/model`, in tokens. */
export function contextWindow(name: string): number {
  return findModel(name, listedModels)?.window ?? usualWindow;
}

/** The longest reply that `provider/model` can give, in tokens; undefined if it is not known. */
function longestReply(name: string): number | undefined {
  return findModel(name, listedModels)?.longest;
}

function findModel<Entry>(
  name: string,
  models: Readonly<Record<string, Entry>>,
): Entry | undefined {
  const names = namesOf(models);
  const key = names.get(alike(name)) ?? names.get(alike(undated(name)));
  return key === undefined ? undefined : models[key];
}

const known = new WeakMap<object, ReadonlyMap<string, string>>();

/** The keys of a table by their common spelling; the first of several counts. */
function namesOf(models: object): ReadonlyMap<string, string> {
  const keys = known.has(models) ? [] : Object.keys(models).toReversed();
  const names = known.get(models) ?? new Map(keys.map((key) => [alike(key), key]));
  known.set(models, names);
  return names;
}

function listed(
  input: number,
  cachedInput: number,
  output: number,
  window: number,
  longest = 128_000,
): ListedModel {
  return {input, cachedInput, output, window, longest};
}

/** Anthropic's ids have dashes in the version: `claude-sonnet-4.5` becomes `claude-sonnet-4-5`. */
export function anthropicModelId(model: string): string {
  return model.startsWith('claude-') ? model.replaceAll(/(?<=\d)\.(?=\d)/g, '-') : model;
}

function alike(name: string): string {
  return name.includes('/claude-') ? name.replaceAll(/(?<=\d)\.(?=\d)/g, '-') : name;
}

function undated(name: string): string {
  return name.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
}

// Prices of models as a run records them, so that its costs stay the same when the table of prices changes.

/** The known prices of the models. */
export function pricesOf(
  models: readonly string[],
  priceOf: (model: string) => Price | undefined,
): Prices {
  return Object.fromEntries(
    models.flatMap((model) => {
      const price = priceOf(model);
      return price ? [[model, price]] : [];
    }),
  );
}

/** The prices that an opening or a change of settings records, without invalid ones. Runs of earlier versions have none. */
export function pricesIn({prices}: JsonObject): Prices {
  if (!isJsonObject(prices)) return {};
  return Object.fromEntries(
    Object.entries(prices).flatMap(([model, price]) => (isPrice(price) ? [[model, price]] : [])),
  );
}

function isPrice(value: unknown): value is Price & JsonObject {
  if (!isJsonObject(value)) return false;
  const {input, cachedInput, output} = value;
  return [input, cachedInput, output].every((each) => typeof each === 'number' && each >= 0);
}

// The limit of a reply in tokens, thinking included: the one that is sent, and another one with which the call may succeed.

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

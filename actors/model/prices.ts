/**
 * List prices of well-known models in US dollars per million tokens, as of November 2026. `[prices]` in the configuration adds
 * and overrides prices. Models whose rate depends on the length of the input are left out, because they have no single price.
 */

import type {Price} from './model.ts';

export type Prices = Readonly<Record<string, Price>>;

const claudeOpus = {input: 5, cachedInput: 0.5, output: 25};
const claudeSonnet = {input: 3, cachedInput: 0.3, output: 15};
const claudeSonnet5 = {input: 2, cachedInput: 0.2, output: 10};
const gptFlagship = {input: 1.25, cachedInput: 0.125, output: 10};

/** `cachedInput` is the price of tokens that are read from the provider's prompt cache. */
export const listPrices: Prices = {
  'anthropic/claude-fable-5.1': {input: 10, cachedInput: 1, output: 50},
  'anthropic/claude-opus-5.5': {input: 4, cachedInput: 0.2, output: 20},
  'anthropic/claude-opus-5': claudeOpus,
  'anthropic/claude-opus-4.6': claudeOpus,
  'anthropic/claude-opus-4.5': claudeOpus,
  'anthropic/claude-opus-4.1': {input: 15, cachedInput: 1.5, output: 75},
  'anthropic/claude-sonnet-5.5': claudeSonnet5,
  'anthropic/claude-sonnet-5': claudeSonnet5,
  'anthropic/claude-sonnet-4.6': claudeSonnet,
  'anthropic/claude-sonnet-4.5': claudeSonnet,
  'anthropic/claude-sonnet-4': claudeSonnet,
  'anthropic/claude-haiku-4.5': {input: 1, cachedInput: 0.1, output: 5},
  'openai/gpt-5.2': {input: 1.75, cachedInput: 0.175, output: 14},
  'openai/gpt-5.2-codex': {input: 1.75, cachedInput: 0.175, output: 14},
  'openai/gpt-5.1': gptFlagship,
  'openai/gpt-5.1-codex': gptFlagship,
  'openai/gpt-5': gptFlagship,
  'openai/gpt-5-codex': gptFlagship,
  'openai/gpt-5-mini': {input: 0.25, cachedInput: 0.025, output: 2},
  'openai/gpt-5-nano': {input: 0.05, cachedInput: 0.005, output: 0.4},
  'openai/gpt-4.1': {input: 2, cachedInput: 0.5, output: 8},
  'openai/gpt-4.1-mini': {input: 0.4, cachedInput: 0.1, output: 1.6},
  'openai/gpt-4o': {input: 2.5, cachedInput: 1.25, output: 10},
  'openai/gpt-4o-mini': {input: 0.15, cachedInput: 0.075, output: 0.6},
  'openai/o3': {input: 2, cachedInput: 0.5, output: 8},
  'openai/o4-mini': {input: 1.1, cachedInput: 0.275, output: 4.4},
};

export const freePrice: Price = {input: 0, cachedInput: 0, output: 0};

/**
 * The price of `provider/model`. Every spelling of a Claude version matches, and a dated snapshot
 * (`claude-haiku-4-5-20251001`, `gpt-5-2025-08-07`) has the price of its model.
 */
export function findPrice(name: string, prices: Prices): Price | undefined {
  const wanted = new Set([name, undated(name)].map(alike));
  return Object.entries(prices).find(([key]) => wanted.has(alike(key)))?.[1];
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

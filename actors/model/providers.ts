/** Where each provider is, with which key and which limits, checked once. */

import {AppError} from '../../machines/domain/app-error.ts';
import {type Preset, presetOf, presets} from './presets.ts';
import type {ProviderConfig} from './router-api.ts';
import {defaultLimits, type GuardLimits} from './wire/guard.ts';

export interface Provider {
  readonly name: string;
  readonly kind: ProviderConfig['kind'];
  readonly baseUrl: string;
  /** The variable that holds the key; empty: the server wants none. */
  readonly apiKeyEnv: string;
  /** On this machine: its use costs nothing. */
  readonly isLocal: boolean;
  /** OpenAI's own servers: only their Responses offer every model, and tools with reasoning. */
  readonly speaksResponses: boolean;
  /** Whether it may be asked to tell the usage of a stream. */
  readonly asksUsage: boolean;
  /** The longest reply asked of it, in tokens. */
  readonly maxOutputTokens: number;
  readonly limits: GuardLimits;
}

/** The longest reply asked for: room for a whole file, within reach of small local models. */
export const usualOutputTokens = 8_192;

/** On this machine a model may have to be loaded first, and a long prompt read at a few tokens a second. */
const localFirstByteMs = 600_000;
const localTotalMs = 3_600_000;

const officialPreset = {anthropic: 'anthropic', openai: 'openai'} as const;

/** The well-known providers and the configured ones, which win. Throws AppError `config` for one that can't work. */
export function resolveProviders(
  configured: Readonly<Record<string, ProviderConfig>>,
): ReadonlyMap<string, Provider> {
  const known = Object.entries(presets).filter(([, {baseUrl}]) => baseUrl !== undefined);
  const entries = Object.entries({...Object.fromEntries(known), ...configured});
  return new Map(entries.map(([name, config]) => [name, resolveProvider(name, config)]));
}

function resolveProvider(name: string, config: ProviderConfig): Provider {
  if (!/^[\w.-]+$/.test(name)) {
    throw new AppError('config', `providers: the name "${name}" must be letters, digits, - _ .`);
  }
  const {kind, baseUrl} = config;
  const preset = presetOf(name) ?? officialOf(kind);
  const {href, hostname} = parseUrl(name, baseUrl ?? preset?.baseUrl, preset);
  const isLocal = isLoopback(hostname);
  return {
    name,
    kind,
    baseUrl: href,
    apiKeyEnv: keyVariable(config, preset, hostname),
    isLocal,
    asksUsage: hostname !== 'api.mistral.ai',
    speaksResponses: kind !== 'anthropic' && isOpenAi(hostname),
    maxOutputTokens: config.maxOutputTokens ?? usualOutputTokens,
    limits: limitsOf(config, isLocal),
  };
}

/** A key goes to a server other than its provider's own only when the user names the variable. */
function keyVariable(
  {baseUrl, apiKeyEnv}: ProviderConfig,
  preset: Preset | undefined,
  hostname: string,
): string {
  const isOwn = baseUrl === undefined || preset?.ownHosts?.test(hostname) === true;
  return isOwn && apiKeyEnv === '' && preset ? preset.apiKeyEnv : apiKeyEnv;
}

function officialOf(kind: ProviderConfig['kind']): Preset | undefined {
  return kind === 'openai-compatible' ? undefined : presetOf(officialPreset[kind]);
}

function isOpenAi(hostname: string): boolean {
  const onAzure = presetOf('azure')?.ownHosts?.test(hostname) === true;
  return onAzure || /(?:^|\.)api\.openai\.com$/.test(hostname);
}

/** A server that may take its time before a reply may do so within it, too: some send a tool call in one piece. */
function limitsOf({timeoutMs, firstByteMs}: ProviderConfig, isLocal: boolean): GuardLimits {
  const first = firstByteMs ?? (isLocal ? localFirstByteMs : defaultLimits.firstByteMs);
  const idle = Math.max(first, defaultLimits.idleMs);
  const usual = isLocal ? localTotalMs : defaultLimits.totalMs;
  const total = timeoutMs ?? Math.max(usual, first + idle);
  return {...defaultLimits, firstByteMs: first, idleMs: idle, totalMs: total};
}

function parseUrl(name: string, text: string | undefined, preset: Preset | undefined): URL {
  const key = `providers.${name}.base_url`;
  if (text === undefined) {
    const form = preset?.addressForm;
    const address = form === undefined ? "the server's address, ending in /v1" : `it as ${form}`;
    throw new AppError('config', `${key} is missing: give ${address}`);
  }
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new AppError('config', `${key}: "${text}" is not an http or https address`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('config', `${key} holds a password: name its variable in api_key_env`);
  }
  return url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

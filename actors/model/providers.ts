/** Resolves and checks the address, the key variable and the limits of each provider. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {ProviderConfig} from './router.ts';
import {defaultLimits, type GuardLimits} from './wire/guard.ts';

export interface Provider {
  readonly name: string;
  readonly kind: ProviderConfig['kind'];
  readonly baseUrl: string;
  /** The variable that holds the key; empty if the server requires none. */
  readonly apiKeyEnv: string;
  /** The server runs on this machine: its use costs nothing. */
  readonly isLocal: boolean;
  /** OpenAI's own servers: only their Responses API offers every model, and tools together with reasoning. */
  readonly speaksResponses: boolean;
  /** True if the server accepts a request for the usage of a stream. */
  readonly asksUsage: boolean;
  /** The longest reply to request, in tokens, thinking included. */
  readonly maxOutputTokens: number;
  /** Of its models, in tokens. Absent: as listed. */
  readonly contextWindow?: number | undefined;
  /** The time for repetitions of a call that fails for a while, in ms. */
  readonly retryMs: number;
  /** Absent: no limit. */
  readonly callsPerMinute?: number | undefined;
  readonly limits: GuardLimits;
}

/** The default for the longest reply: enough for the thinking of a model, and a whole file after it. */
export const usualOutputTokens = 32_000;
/** For servers on this machine, whose models are small. */
const localOutputTokens = 8_000;

const usualRetryMs = 300_000;

/** A server on this machine may first have to load the model, and may process a long prompt at a few tokens per second. */
const localFirstByteMs = 600_000;
const localTotalMs = 3_600_000;

const officialPreset = {anthropic: 'anthropic', openai: 'openai'} as const;

/** The well-known providers, overridden by the configured ones. Throws AppError `config` for one that cannot work. */
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
    maxOutputTokens: config.maxOutputTokens ?? (isLocal ? localOutputTokens : usualOutputTokens),
    retryMs: config.retryMs ?? usualRetryMs,
    contextWindow: config.contextWindow,
    callsPerMinute: config.callsPerMinute,
    limits: limitsOf(config, isLocal),
  };
}

/** A key is sent to a server other than its provider's own only if the user names the variable. */
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

/** The idle limit is at least the first-byte limit, because some servers pause before they send a tool call in one piece. */
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
    throw new AppError(
      'config',
      `${key} contains a password: put the key in a variable, and name that in api_key_env`,
    );
  }
  return url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

// Well-known providers by name, which need no `[providers]` section.

interface Preset extends Omit<ProviderConfig, 'baseUrl'> {
  /** Absent: every user has their own address and must configure it. */
  readonly baseUrl?: string;
  /** The form of the user's own address. */
  readonly addressForm?: string;
  /** Hosts that also belong to the provider, besides the host of `baseUrl`: its key may be sent there. */
  readonly ownHosts?: RegExp;
  /** The name of the provider, for the help. */
  readonly what: string;
}

const local = {kind: 'openai-compatible', apiKeyEnv: ''} as const;

function remote(what: string, baseUrl: string, apiKeyEnv: string): Preset {
  return {kind: 'openai-compatible', what, baseUrl, apiKeyEnv};
}

export const presets: Readonly<Record<string, Preset>> = {
  anthropic: {
    kind: 'anthropic',
    what: 'Anthropic',
    baseUrl: 'https://api.anthropic.com',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  },
  openai: {
    kind: 'openai',
    what: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
  },
  ollama: {...local, what: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1'},
  lmstudio: {...local, what: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1'},
  llamacpp: {...local, what: 'llama.cpp’s llama-server', baseUrl: 'http://127.0.0.1:8080/v1'},
  vllm: {...local, what: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1'},
  openrouter: remote('OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  gemini: remote(
    'Google Gemini',
    'https://generativelanguage.googleapis.com/v1beta/openai',
    'GEMINI_API_KEY',
  ),
  groq: remote('Groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  mistral: remote('Mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  deepseek: remote('DeepSeek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  azure: {
    kind: 'openai',
    what: 'OpenAI’s models on Azure, by the names of your deployments',
    addressForm: 'https://RESOURCE.openai.azure.com/openai/v1',
    ownHosts: /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/,
    apiKeyEnv: 'AZURE_OPENAI_API_KEY',
  },
};

export function presetOf(name: string): Preset | undefined {
  return Object.hasOwn(presets, name) ? presets[name] : undefined;
}

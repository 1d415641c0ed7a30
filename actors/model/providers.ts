/** Where each configured provider is, with which key, checked once. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {ProviderConfig} from './router-api.ts';

export interface Provider {
  readonly name: string;
  readonly kind: ProviderConfig['kind'];
  readonly baseUrl: string;
  /** The variable that holds the key; empty: the server wants none. */
  readonly apiKeyEnv: string;
  /** On this machine: its use costs nothing. */
  readonly isLocal: boolean;
  /** OpenAI itself: only its Responses offer every model, and tools with reasoning. */
  readonly isOpenAi: boolean;
}

const builtIn: Readonly<Record<string, ProviderConfig>> = {
  anthropic: {kind: 'anthropic', apiKeyEnv: 'ANTHROPIC_API_KEY'},
  openai: {kind: 'openai', apiKeyEnv: 'OPENAI_API_KEY'},
};

const officialUrls = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  'openai-compatible': undefined,
};

const officialKeys = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  'openai-compatible': '',
};

/** The built-in providers and the configured ones, which win. Throws AppError `config` for one that can't work. */
export function resolveProviders(
  configured: Readonly<Record<string, ProviderConfig>>,
): ReadonlyMap<string, Provider> {
  const entries = Object.entries({...builtIn, ...configured});
  return new Map(entries.map(([name, config]) => [name, resolveProvider(name, config)]));
}

function resolveProvider(name: string, {kind, baseUrl, apiKeyEnv}: ProviderConfig): Provider {
  if (!/^[\w.-]+$/.test(name)) {
    throw new AppError('config', `providers: the name "${name}" must be letters, digits, - _ .`);
  }
  const url = parseUrl(name, baseUrl ?? officialUrls[kind]);
  // A key goes to a server other than its provider's own only when the user names the variable.
  const key = baseUrl === undefined && apiKeyEnv === '' ? officialKeys[kind] : apiKeyEnv;
  const {href, hostname} = url;
  const isOpenAi = kind !== 'anthropic' && /(?:^|\.)api\.openai\.com$/.test(hostname);
  return {name, kind, baseUrl: href, apiKeyEnv: key, isLocal: isLoopback(hostname), isOpenAi};
}

function parseUrl(name: string, text: string | undefined): URL {
  const key = `providers.${name}.base_url`;
  if (text === undefined) {
    throw new AppError('config', `${key} is missing: give the server's address, ending in /v1`);
  }
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new AppError('config', `${key}: "${text}" is no http or https address`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('config', `${key} holds a password: name its variable in api_key_env`);
  }
  return url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

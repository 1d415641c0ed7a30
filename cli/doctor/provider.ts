/** Whether a provider has its key and answers. */

import type {Provider} from '../../actors/model/providers.ts';
import type {Finding} from './finding.ts';

export interface ProviderUse {
  /** Empty when there is none. Goes to the provider's own server and nowhere else. */
  readonly key: string;
  readonly online: boolean;
  /** Models of this provider that the configuration would call. */
  readonly used: readonly string[];
}

const timeoutMs = 2_000;
const maxBytes = 2_000_000;

/** Never rejects. A provider that nothing uses is never a failure. */
export async function checkProvider(provider: Provider, use: ProviderUse): Promise<Finding> {
  const what = `provider ${provider.name}`;
  const keyText = describeKey(provider, use);
  const bad = use.used.length > 0 ? 'failed' : 'warning';
  if (provider.apiKeyEnv !== '' && use.key === '') {
    return {what, status: use.used.length > 0 ? 'failed' : 'ok', detail: keyText};
  }
  if (!use.online && isVendor(provider)) {
    return {what, status: 'ok', detail: `${keyText}; not asked (--online asks)`};
  }
  const answer = await listModels(provider, use.key);
  if (!answer.ok) {
    return {what, status: bad, detail: `${keyText}; ${provider.baseUrl} ${answer.problem}`};
  }
  const missing = use.used.filter(
    (model) => answer.models.length > 0 && !answer.models.includes(bareName(model)),
  );
  return missing.length > 0
    ? {what, status: 'warning', detail: `reachable, but does not list ${missing.join(', ')}`}
    : {what, status: 'ok', detail: `${keyText}; ${provider.baseUrl} answers`};
}

function describeKey({apiKeyEnv}: Provider, {key}: ProviderUse): string {
  if (apiKeyEnv === '') return 'needs no key';
  return key === '' ? `${apiKeyEnv} is not set` : `${apiKeyEnv} is set`;
}

function isVendor({baseUrl}: Provider): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === 'api.anthropic.com' || host === 'api.openai.com';
}

/** Only a server of the user's own is known to list the very names that it takes. */
function bareName(model: string): string {
  return model.slice(model.indexOf('/') + 1);
}

type Answer =
  | {readonly ok: true; readonly models: readonly string[]}
  | {readonly ok: false; readonly problem: string};

async function listModels(provider: Provider, key: string): Promise<Answer> {
  const base = provider.baseUrl.replace(/\/+$/, '');
  const url = provider.kind === 'anthropic' ? `${base}/v1/models` : `${base}/models`;
  const headers = provider.kind === 'anthropic' ? anthropicHeaders(key) : bearer(key);
  try {
    const response = await fetch(url, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) {
      const models = isVendor(provider) ? [] : await readNames(response);
      return {ok: true, models};
    }
    await response.body?.cancel();
    const hint = response.status === 401 || response.status === 403 ? ': the key was refused' : '';
    return {ok: false, problem: `answers ${response.status}${hint}`};
  } catch (error) {
    return {ok: false, problem: reasonOf(error)};
  }
}

function anthropicHeaders(key: string): Record<string, string> {
  return {'x-api-key': key, 'anthropic-version': '2023-06-01'};
}

function bearer(key: string): Record<string, string> {
  return key === '' ? {} : {authorization: `Bearer ${key}`};
}

/** The listed names; none when the server answers something else. */
async function readNames(response: Response): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return [];
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return [...text.matchAll(/"id"\s*:\s*"([^"\\]{1,200})"/g)].flatMap(([, name]) => name ?? []);
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `does not answer within ${timeoutMs / 1_000} s`;
  }
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `can't be reached${code}; is the server running?`;
}

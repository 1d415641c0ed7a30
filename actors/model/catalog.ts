/** Reads the list of models from a provider. */

import {z} from 'zod';

import type {Provider} from './providers.ts';
import {isRedirect, placeOf, proxyText} from './wire/fault-text.ts';

export type Catalog =
  | {readonly kind: 'listed'; readonly models: readonly string[]}
  /** The provider answers, but not with a list. It may still work. */
  | {readonly kind: 'unlisted'; readonly detail: string}
  | {readonly kind: 'keyRefused'; readonly detail: string}
  | {readonly kind: 'unreachable'; readonly detail: string};

const maxBytes = 8 * 1024 * 1024;
const listSchema = z.looseObject({data: z.array(z.looseObject({id: z.string().max(300)}))});

/** Never rejects. The key is sent only to the provider's own address; redirects are not followed. */
export async function listModels(
  provider: Provider,
  key: string,
  timeoutMs: number,
): Promise<Catalog> {
  const {baseUrl, kind} = provider;
  const base = baseUrl.replace(/\/+$/, '');
  const root = base.replace(/\/v1$/, '');
  const url = kind === 'anthropic' ? `${root}/v1/models?limit=1000` : `${base}/models`;
  const headers = kind === 'anthropic' ? anthropicHeaders(key) : bearer(key);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {headers, redirect: 'manual', signal});
    if (response.ok) return await readList(response);
    await response.body?.cancel();
    return unsuccessful(base, response);
  } catch (error) {
    return {
      kind: 'unreachable',
      detail: `${base} ${reasonOf(error, timeoutMs)}${proxyText(provider)}`,
    };
  }
}

function unsuccessful(base: string, {status, headers}: Response): Catalog {
  if (isRedirect(status)) {
    const where = placeOf(headers.get('location'), base);
    return {kind: 'unreachable', detail: `${base} redirects elsewhere (${status}, ${where})`};
  }
  const isRefused = status === 401 || status === 403;
  return {kind: isRefused ? 'keyRefused' : 'unlisted', detail: `${base} answers ${status}`};
}

function anthropicHeaders(key: string): Record<string, string> {
  return {'x-api-key': key, 'anthropic-version': '2023-06-01'};
}

function bearer(key: string): Record<string, string> {
  return key === '' ? {} : {authorization: `Bearer ${key}`};
}

async function readList(response: Response): Promise<Catalog> {
  const unlisted = {kind: 'unlisted', detail: 'it answers, but lists no models'} as const;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return unlisted;
  }
  const list = listSchema.safeParse(tryJson(Buffer.concat(chunks).toString('utf8'))).data;
  if (!list) return unlisted;
  // Gemini prefixes the names of its models with their path.
  return {kind: 'listed', models: list.data.map(({id}) => id.replace(/^models\//, ''))};
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `does not answer within ${timeoutMs / 1_000} s`;
  }
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `can't be reached${code}`;
}

/** Reads the list of models from a provider. */

import {z} from 'zod';

import type {Provider} from './providers.ts';
import type {ServedWindows} from './router.ts';
import {isRedirect, placeOf, proxyText} from './wire/faults.ts';

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

// The context windows of models that an Ollama server serves. Its API in OpenAI's form can't set one, and it drops the beginning of a
// longer conversation silently, so the server is asked when a run opens.

const maxWaitMs = 1_000;
/** Agents need more than this for most tasks. */
const smallWindow = 32_000;

/** The windows, those of an Ollama server as it says. Never rejects. `providerOf`: the provider of `provider/model`. */
export async function servedWindows(
  windows: Readonly<Record<string, number>>,
  providerOf: (name: string) => Provider | undefined,
): Promise<ServedWindows> {
  const asked = await Promise.all(
    Object.entries(windows).map(async ([name, window]) => {
      const provider = providerOf(name);
      if (!provider || !mustAsk(provider)) return {name, window};
      const served = await servedWindow(provider, name.slice(name.indexOf('/') + 1));
      const known = typeof served === 'number' ? served : window;
      return {name, window: known, warning: warningOn(name, served)};
    }),
  );
  return {
    windows: Object.fromEntries(asked.map(({name, window}) => [name, window])),
    warnings: asked.flatMap(({warning}) => warning ?? []),
  };
}

function mustAsk({name, baseUrl, isLocal, contextWindow}: Provider): boolean {
  const isOllama = name === 'ollama' || URL.parse(baseUrl)?.port === '11434';
  return isOllama && isLocal && contextWindow === undefined;
}

function warningOn(name: string, window: number | 'unsaid' | undefined): string | undefined {
  const provider = name.slice(0, name.indexOf('/'));
  if (window === 'unsaid')
    return `${name}: the server does not say how many tokens of a conversation it keeps, and drops the rest silently; set providers.${provider}.context_window to its OLLAMA_CONTEXT_LENGTH`;
  if (window === undefined || window >= smallWindow) return undefined;
  return `${name}: the server keeps ${window} tokens of a conversation, too few for most tasks; start it with OLLAMA_CONTEXT_LENGTH=${smallWindow} or more`;
}

const shown = z.looseObject({parameters: z.string().optional()});
const running = z.looseObject({
  models: z.array(z.looseObject({name: z.string(), context_length: z.int().positive().optional()})),
});

/** `num_ctx` of the model, or the length with which it is loaded; `unsaid`: the server says neither; undefined: it does not answer. */
async function servedWindow(
  {baseUrl}: Provider,
  model: string,
): Promise<number | 'unsaid' | undefined> {
  const root = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const [details, loaded] = await Promise.all([
    ask(`${root}/api/show`, {method: 'POST', body: JSON.stringify({model})}),
    ask(`${root}/api/ps`, {}),
  ]);
  if (details === undefined && loaded === undefined) return undefined;
  return numCtx(details) ?? loadedLength(loaded, model) ?? 'unsaid';
}

function numCtx(details: unknown): number | undefined {
  const set = /^num_ctx\s+(\d+)/m.exec(shown.safeParse(details).data?.parameters ?? '')?.[1];
  return set === undefined ? undefined : Number(set);
}

function loadedLength(loaded: unknown, model: string): number | undefined {
  const models = running.safeParse(loaded).data?.models ?? [];
  return models.find(({name}) => name.replace(/:latest$/, '') === model.replace(/:latest$/, ''))
    ?.context_length;
}

async function ask(url: string, request: RequestInit): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(maxWaitMs);
    const response = await fetch(url, {...request, redirect: 'manual', signal});
    if (response.ok) return await response.json();
    await response.body?.cancel();
    return undefined;
  } catch {
    return undefined;
  }
}

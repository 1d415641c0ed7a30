/**
 * The context windows of models that an Ollama server serves. Its API in OpenAI's form can't set one, and it drops the beginning of a
 * longer conversation silently, so the server is asked when a run opens.
 */

import {z} from 'zod';

import type {Provider} from './providers.ts';
import type {ServedWindows} from './router-api.ts';

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

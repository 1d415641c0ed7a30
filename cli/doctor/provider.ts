/** Checks the keys of providers, and whether the models in use answer. */

import type {Model} from '../../actors/model/model.ts';
import {presetOf, type Provider} from '../../actors/model/providers.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {t} from '../../machines/message.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import {say, type Reader} from '../language.ts';
import type {Finding} from './finding.ts';

/** Undefined for a well-known provider that is not configured, not used, and without a key. */
export function checkKey(
  provider: Provider,
  {key, isWanted}: {readonly key: string; readonly isWanted: boolean},
  reader: Reader,
): Finding | undefined {
  const {name, apiKeyEnv, isLocal} = provider;
  const what = say(t`provider ${name}`, reader);
  const isFirstChoice = name === 'anthropic' || name === 'openai';
  if (!isWanted && !isFirstChoice && (isLocal || key === '')) return undefined;
  if (apiKeyEnv === '')
    return {what, status: 'ok', detail: say(t`needs no key; ${provider.baseUrl}`, reader)};
  if (key !== '') return {what, status: 'ok', detail: say(t`${apiKeyEnv} is set`, reader)};
  return {what, status: 'skipped', detail: say(t`${apiKeyEnv} is not set`, reader)};
}

/** A vendor is asked only at the user's request: it costs money. */
export function isVendor({name, baseUrl, isLocal}: Provider): boolean {
  const preset = presetOf(name);
  const host = URL.parse(baseUrl)?.hostname ?? '';
  const own = URL.parse(preset?.baseUrl ?? '')?.hostname === host;
  return !isLocal && (own || preset?.ownHosts?.test(host) === true);
}

/** A tiny request with a tool: the smallest form of a run's requests. */
const tinyRequest: Omit<ModelRequest, 'model'> = {
  purpose: 'act',
  system: 'Answer in one word.',
  transcript: openTranscript('Are you there?'),
  tools: ['note'],
  toolChoice: 'auto',
  maxOutputTokens: 64,
};
const tool = {
  name: 'note',
  description: 'Keep a note.',
  schema: {type: 'object', properties: {text: {type: 'string'}}},
};

/** Asks for a tiny completion. Never rejects. */
export async function checkModel(model: Model, waitMs: number, reader: Reader): Promise<Finding> {
  const started = performance.now();
  const signal = AbortSignal.timeout(waitMs);
  const context = {tools: [tool], signal, onDelta: () => {}};
  const outcome = await model.call({...tinyRequest, model: model.name}, context);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const what = say(t`model ${model.name}`, reader);
  if (outcome.kind === 'cancelled') {
    return {
      what,
      status: 'warning',
      detail: say(
        t`has not answered within ${waitMs / 1_000} s; it may still be loading: a run waits longer`,
        reader,
      ),
    };
  }
  const answers = say(t`answers within ${seconds} s`, reader);
  if (outcome.kind === 'ok') return {what, status: 'ok', detail: answers};
  const [status, detail] = judged(outcome, answers);
  return {what, status, detail};
}

function judged(
  {kind, message}: Exclude<ModelOutcome, {readonly kind: 'ok'}>,
  answers: string,
): [Finding['status'], string] {
  // Truncated or refused, it has answered.
  if (kind === 'truncated' || kind === 'refused') return ['ok', answers];
  const isPassing = kind === 'rateLimited' || kind === 'overloaded' || kind === 'protocol';
  return [isPassing ? 'warning' : 'failed', message];
}

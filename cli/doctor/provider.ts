/** Checks the keys of providers, and whether the models in use answer. */

import type {Model} from '../../actors/model/model.ts';
import {presetOf} from '../../actors/model/presets.ts';
import type {Provider} from '../../actors/model/providers.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import type {Finding} from './finding.ts';
import type {DoctorTexts} from './texts.ts';

/** Undefined for a well-known provider that is not configured, not used, and without a key. */
export function checkKey(
  provider: Provider,
  {key, isWanted}: {readonly key: string; readonly isWanted: boolean},
  texts: DoctorTexts,
): Finding | undefined {
  const {name, apiKeyEnv, isLocal} = provider;
  const what = texts.parts.provider(name);
  const isFirstChoice = name === 'anthropic' || name === 'openai';
  if (!isWanted && !isFirstChoice && (isLocal || key === '')) return undefined;
  if (apiKeyEnv === '') return {what, status: 'ok', detail: texts.needsNoKey(provider.baseUrl)};
  if (key !== '') return {what, status: 'ok', detail: texts.keySet(apiKeyEnv)};
  return {what, status: 'skipped', detail: texts.keyMissing(apiKeyEnv)};
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
export async function checkModel(
  model: Model,
  waitMs: number,
  texts: DoctorTexts,
): Promise<Finding> {
  const started = performance.now();
  const signal = AbortSignal.timeout(waitMs);
  const context = {tools: [tool], signal, onDelta: () => {}};
  const outcome = await model.call({...tinyRequest, model: model.name}, context);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const what = texts.parts.model(model.name);
  if (outcome.kind === 'cancelled') {
    return {what, status: 'warning', detail: texts.noAnswer(waitMs / 1_000)};
  }
  const answers = texts.answers(seconds);
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

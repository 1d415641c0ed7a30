/** Language models that run on this machine: offered where none is configured. */

import {toProviders} from '../../actors/config/resolve.ts';
import {offlineModel} from '../../actors/config/roles.ts';
import type {Config} from '../../actors/config/schema.ts';
import {listModels} from '../../actors/model/catalog.ts';
import {presetOf, type Provider, resolveProviders} from '../../actors/model/providers.ts';
import {type Message, t} from '../../machines/message.ts';
import {resolveLoaded, routerOf} from '../config/in-effect.ts';
import type {LoadedConfig} from '../config/load.ts';
import type {Override} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';
import type {Environment} from '../terminal.ts';

/** A port without a server refuses at once: only a server that stays silent takes this time. All are asked at once. */
const askMs = 500;
const maxNames = 4;

const roleKeys = ['agent.decision_model', 'ask.model', 'interview.model', 'discuss.participants'];

/** True if the offline model works because no other one is configured. */
export function lacksModel(loaded: LoadedConfig, env: Environment): boolean {
  if (roleKeys.some((key) => loaded.named.has(key))) return false;
  const found = resolveLoaded(loaded, routerOf(loaded, env), 'agent');
  return found.ok && found.resolved.settings.agent.decisionModel === offlineModel;
}

export interface LocalModels {
  /** `ollama (qwen3, llama3.2), vllm (…)` */
  readonly names: string;
  /** Uses the first one. */
  readonly command: string;
}

/** The models of servers on this machine. Undefined: no server lists one. Never rejects. */
export async function localModels({
  config,
}: Pick<LoadedConfig, 'config'>): Promise<LocalModels | undefined> {
  const local = [...resolveProviders(toProviders(config)).values()].filter(
    ({name, isLocal, apiKeyEnv}) => isLocal && apiKeyEnv === '' && presetOf(name) !== undefined,
  );
  const listed = await Promise.all(
    local.map(async (provider) => ({
      name: provider.name,
      models: await chatModels(provider, askMs),
    })),
  );
  const found = listed.filter(({models}) => models.length > 0);
  const [first] = found;
  if (!first) return undefined;
  const names = found.map(({name, models}) => `${name} (${shownNames(models)})`).join(', ');
  return {names, command: `quorate -m ${first.name}/${shownNames(first.models.slice(0, 1))}`};
}

export function localOffer({names, command}: LocalModels): Message {
  return t`Found on this machine: ${names}. To use it: ${command} "TASK"`;
}

/** For a person who starts without a model: the ways to one. */
export function firstSteps(found: LocalModels | undefined): readonly Message[] {
  return [
    t`No language model is set: only a few requests are done, by rule.`,
    t`See it work: quorate demo`,
    found
      ? t`Use a model on this machine: ${found.command} (found: ${found.names})`
      : t`Use a model on this machine: start Ollama or LM Studio, then quorate -m ollama/MODEL`,
    t`Use a key: export ANTHROPIC_API_KEY=… or OPENAI_API_KEY=…; quorate models names others`,
  ];
}

/** Throws AppError `usage` for `-m PROVIDER`, with the models that the provider lists. */
export async function requireModelNames(
  overrides: readonly Override[],
  config: Config,
  env: Environment,
): Promise<void> {
  const providers = resolveProviders(toProviders(config));
  const given = overrides.find(
    ({value, source}) => /^-m\b/.test(source) && providers.has(String(value)),
  );
  const provider = given && providers.get(String(given.value));
  if (!provider) return;
  const {name, apiKeyEnv} = provider;
  const models = await chatModels(provider, askMs, env[apiKeyEnv]?.trim() ?? '');
  const example = `-m ${name}/${models[0] === undefined ? 'MODEL' : oneLine(models[0], 100)}`;
  const known =
    models.length === 0
      ? t`quorate models ${name} lists them`
      : t`${name} lists ${shownNames(models)}`;
  throw usageError(t`-m ${name} names a provider without a model, as in ${example}; ${known}`);
}

/** Without models for embeddings. */
async function chatModels(
  provider: Provider,
  timeoutMs: number,
  key = '',
): Promise<readonly string[]> {
  const catalog = await listModels(provider, key, timeoutMs);
  return catalog.kind === 'listed' ? catalog.models.filter((name) => !/embed/i.test(name)) : [];
}

function shownNames(models: readonly string[]): string {
  const shown = models.slice(0, maxNames).map((name) => oneLine(name, 60));
  return [...shown, ...(models.length > maxNames ? ['…'] : [])].join(', ');
}

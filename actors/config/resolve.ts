/** Resolves the configuration into the settings with which a run is opened. */

import type {AllowRule} from '../../machines/domain/allow-rule.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {defaultForm, type InteractionForm} from '../../machines/domain/interaction-form.ts';
import type {Seat} from '../../machines/domain/review.ts';
import {readTrigger, type SpawnRule} from '../../machines/domain/settings.ts';
import {t} from '../../machines/message.ts';
import {ruleText, strictestRule} from '../../machines/panel/rule.ts';
import {namesSecret, secretsIn} from '../../machines/places/secrets.ts';
import type {Price} from '../model/model.ts';
import {presetOf, resolveProviders, usualOutputTokens} from '../model/providers.ts';
import type {ProviderConfig} from '../model/router.ts';
import {
  type Filled,
  foreignKeys,
  formConfig,
  isByRuleIn,
  isOfflineIn,
  modelsIn,
  offlineLine,
  replacedIn,
  type ResolvedSettings,
} from './forms.ts';
import {
  allPolicies,
  canonical,
  checkRule,
  isPolicy,
  lackOfModels,
  type Models,
  type NamedKeys,
  nameSeats,
  placeOf,
  policySeats,
  resolveModels,
  type RoleContext,
  toSeats,
} from './roles.ts';
import type {Config} from './schema.ts';
import {contextSettings} from './sections/bounds.ts';
import {agentSettings} from './sections/forms.ts';
import {type CamelKeys, camelKeys} from './sections/row.ts';

/** The forms that a run can have at its root. */
export type RunForm = InteractionForm;

/** The limits of a run: US dollars, model calls, and running time. Waiting for a person is not running time. */
export type RunLimits = Readonly<CamelKeys<Config['limits']>>;

export interface ResolvedConfig {
  readonly settings: ResolvedSettings;
  readonly limits: RunLimits;
  /** True if only the offline model works in the run: rules do everything. */
  readonly offline: boolean;
  /** For the person, in this order. If rules do the work, the first line says so and how to configure a model. */
  readonly warnings: readonly string[];
  /** Every model that the run may call, as `provider/model`, without duplicates. */
  readonly models: readonly string[];
}

/**
 * Resolves names, keys, seats and rules. `named` has the dotted keys that the user set in a file, a variable or a flag: a
 * model named there is an error if it cannot be used, while an unusable default is replaced with a warning. Throws AppError
 * `config` or `credentials`; the message names the key, the value and the next step.
 */
export function resolveConfig(
  config: Config,
  given: RoleContext,
  form: InteractionForm = defaultForm,
): ResolvedConfig {
  const {hasPanel, plans, reportsLack} = formConfig(form);
  const context = {...given, named: namedFor(form, given.named, config)};
  const models = resolveModels(config, context);
  const panel = seatPanel(config, models, context);
  checkPolicies('agent.review_models', models.configured);
  checkPolicies('quorum.screen', config.quorum.screen);
  if (plans) checkStrategy(config.agent, given);
  if (hasPanel) checkRule(config.quorum, panel);
  const filled = {models, panel};
  const {participants, moderator, lead, judge} = models;
  const called = modelsIn(form, filled, config).filter((model) => !isPolicy(model));
  checkBudget(config, called, context);
  return {
    settings: {
      agent: agentSettings(config.agent, models),
      quorum: {
        rule: panel.every(({kind}) => kind === 'policy')
          ? ruleText(strictestRule)
          : config.quorum.rule,
        screen: screenOf(config.quorum.screen, context),
        ...(reportsLack ? lackOfModels(config, filled) : {}),
        ...camelKeys(config.quorum, ['rule', 'screen', 'weights', 'veto']),
        perTurn: true,
      },
      ask: {...camelKeys(config.ask), model: models.ask},
      discuss: {
        ...camelKeys(config.discuss),
        participants,
        moderator: {id: 'moderator', model: moderator},
      },
      debate: {...models.sides, ...camelKeys(config.debate, ['models'])},
      interview: {...camelKeys(config.interview), model: lead, reviewer: judge},
      guardrails: camelKeys(config.guardrails),
      context: contextSettings(config.context),
      panel,
      spawn: toSpawnRules(config),
      maxOutputTokens: outputLimit(called, given),
      windows: Object.fromEntries(called.map((model) => [model, given.router.window(model)])),
    },
    limits: camelKeys(config.limits),
    offline: isOfflineIn(form, filled, config),
    warnings: [
      ...offlineLines(form, filled, config, given),
      ...(plans ? selfJudgeWarnings(models, panel) : []),
      ...replacedIn(form, filled, config),
      ...(hasPanel ? oneModelWarnings(panel) : []),
      ...(hasPanel ? absentVetoes(config, panel, context) : []),
      ...(plans ? ensembleWarnings(config, panel) : []),
      ...providerWarnings(config),
      ...unpricedWarnings(called, context),
    ],
    models: called,
  };
}

/** Drops the keys of models that the run does not call: a missing API key for them is not an error. */
function namedFor(form: InteractionForm, named: NamedKeys, config: Config): NamedKeys {
  const foreign = foreignKeys(form, config);
  if (!('get' in named)) return named.difference(foreign);
  return new Map([...named].filter(([key]) => !foreign.has(key)));
}

/** The first warning, if rules do the main work of the form. */
function offlineLines(
  form: InteractionForm,
  filled: Filled,
  config: Config,
  given: RoleContext,
): string[] {
  const {offline} = formConfig(form);
  return offline && isByRuleIn(form, filled, config) ? [offlineLine(offline, config, given)] : [];
}

function outputLimit(models: readonly string[], {router}: RoleContext): number {
  const limits = models.map((model) => router.outputLimit(model) ?? usualOutputTokens);
  return limits.length === 0 ? usualOutputTokens : Math.max(...limits);
}

function seatPanel(config: Config, models: Models, context: RoleContext): Seat[] {
  const fast = config.agent.phase_scope === 'fast';
  return toSeats(config.quorum, {
    sitting: nameSeats(fast ? policySeats : models.review),
    configured: nameSeats(models.configured),
    canonical: (name) => tryCanonical(name, context),
    vetoNamed: context.named.has('quorum.veto'),
  });
}

/** Policies that the program adds also screen, unless `quorum.screen` is set. */
function screenOf(names: readonly string[], context: RoleContext): string[] {
  const {named, policies = []} = context;
  const own = named.has('quorum.screen') ? [] : policies.map((name) => `policy/${name}`);
  return [...names, ...own].map((name) => screener(name, context));
}

/** Throws AppError `config` for a name that is not the name of a policy reviewer. */
function screener(name: string, context: RoleContext): string {
  if (isPolicy(name)) return canonical(name, context);
  throw new AppError(
    'config',
    t`quorum.screen names "${name}", but only policy reviewers can screen; seat models with agent.review_models`,
  );
}

/** A policy always returns the same verdict: a second seat would count it twice. */
function checkPolicies(key: string, names: readonly string[]): void {
  const twice = names.find((name, at) => isPolicy(name) && names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new AppError('config', t`${key} names ${twice} twice; a policy can have only one seat`);
}

function tryCanonical(name: string, context: RoleContext): string | undefined {
  try {
    return canonical(name, context);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** A budget that the user set must be enforceable, which requires a known price above zero for every model of the run. */
function checkBudget(config: Config, models: readonly string[], context: RoleContext): void {
  const {router, named} = context;
  if (!named.has('limits.max_cost_usd')) return;
  const free = new Set(
    Object.entries(config.prices)
      .filter(([, {input, output}]) => input === 0 || output === 0)
      .map(([name]) => tryCanonical(name, context)),
  );
  const name = models.find((model) => router.price(model) === undefined || free.has(model));
  if (name === undefined) return;
  throw new AppError(
    'config',
    free.has(name)
      ? t`limits.max_cost_usd is set, but the price of ${name} is zero; ${howToPrice(name)} or remove the budget`
      : t`limits.max_cost_usd is set, but the price of ${name} is not known; ${howToPrice(name)} or remove the budget`,
  );
}

/** One line that names every model whose calls the budget counts only if their cost is reported. */
function unpricedWarnings(models: readonly string[], {router}: RoleContext): string[] {
  const names = models.filter((model) => router.price(model) === undefined);
  const [first, ...others] = names;
  if (first === undefined) return [];
  const [are, their] = others.length === 0 ? ['price', 'its'] : ['prices', 'their'];
  return [
    `the ${are} of ${names.join(', ')} ${others.length === 0 ? 'is' : 'are'} not known: limits.max_cost_usd (--max-cost) ` +
      `counts ${their} calls only if the provider reports their cost; ${howToPrice(first)}`,
  ];
}

function howToPrice(model: string): string {
  return `add prices."${model}" = {input = …, output = …} (USD per million tokens)`;
}

/** Warns about vetoes that the user gave to seats that other reviewers have taken. */
function absentVetoes(config: Config, panel: readonly Seat[], context: RoleContext): string[] {
  if (!context.named.has('quorum.veto')) return [];
  const sits = (name: string) =>
    name === allPolicies ||
    panel.some(({id, model}) => id === name || model === tryCanonical(name, context));
  return config.quorum.veto
    .filter((name) => !sits(name))
    .map((name) => `the veto of ${name} does not apply: another reviewer has its seat`);
}

// Checks and warnings for the settings of the agent form.

/** Throws AppError `config` for the strategy `debate` with a single planner. */
export function checkStrategy(agent: Config['agent'], context: RoleContext): void {
  if (agent.strategy !== 'debate' || agent.consensus_level === 'ensemble') return;
  throw new AppError(
    'config',
    t`${placeOf('agent.strategy', context)}: solo with debate is a contradiction, because a debate needs the plans of several models; write "quorum", or consensus_level = "ensemble"`,
  );
}

/** Warns when an ensemble cannot take place: it needs at least two planners and the scope `full` or `plan-only`. */
export function ensembleWarnings({agent}: Config, panel: readonly Seat[]): string[] {
  if (agent.consensus_level !== 'ensemble') return [];
  if (agent.phase_scope === 'fast')
    return ['with the scope fast one model plans alone; the ensemble is not used'];
  const planners = new Set(panel.filter(({kind}) => kind === 'model').map(({model}) => model));
  if (planners.size > 1) return [];
  return [
    `an ensemble needs two models on the panel (agent.review_models), and there ${planners.size === 1 ? 'is one' : 'are none'}: one planner plans alone`,
  ];
}

/** Warns when the decision model has every seat, so that only the screening policies review its work as well. */
function selfJudgeWarnings({decision}: Pick<Models, 'decision'>, panel: readonly Seat[]): string[] {
  const isAlone = panel.length > 0 && panel.every(({model}) => model === decision);
  if (!isAlone) return [];
  return [
    `${decision} is the only reviewer of its own plans and actions; seat another model with -m review=NAME or agent.review_models`,
  ];
}

/** One line for each model that has several seats of the panel. */
function oneModelWarnings(panel: readonly Seat[]): string[] {
  return [...Map.groupBy(panel, ({model}) => model)].flatMap(([model, seats]) =>
    seats.length === 1
      ? []
      : [
          `${seats.length} seats of the panel have one model, ${model}: their votes are not independent`,
        ],
  );
}

// The additional environment variables of commands, as named in the configuration. Secrets are left out.

export interface CommandEnv {
  readonly values: Readonly<Record<string, string>>;
  /** One sentence for each configured variable that commands do not receive because it holds a secret. */
  readonly warnings: readonly string[];
}

/** Unset variables are skipped. A variable whose name or value indicates a secret is not passed to commands. */
export function commandEnv(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CommandEnv {
  const isSecret = (name: string): boolean =>
    namesSecret(name) || secretsIn({[name]: env[name]}).length > 0;
  const values = names.flatMap((name) => {
    const value = env[name];
    return value === undefined || isSecret(name) ? [] : [[name, value]];
  });
  return {
    values: Object.fromEntries(values),
    warnings: names
      .filter(isSecret)
      .map(
        (name) => `commands.env names ${name}, which holds a secret: it is not passed to commands`,
      ),
  };
}

// Converts the providers and prices of the configuration for the router.

/** The `[providers.…]` tables, by name. */
export function toProviders(config: Config): Record<string, ProviderConfig> {
  return Object.fromEntries(
    Object.entries(config.providers).map(([name, given]) => [
      name,
      {
        ...camelKeys(given),
        kind: given.kind ?? presetOf(name)?.kind ?? 'openai-compatible',
      },
    ]),
  );
}

/** `[prices]`, by the model names as written there. Without `cached_input`, cached input costs as much as other input. */
export function toPrices(config: Config): Record<string, Price> {
  return Object.fromEntries(
    Object.entries(config.prices).map(([model, price]) => [
      model,
      {input: price.input, cachedInput: price.cached_input ?? price.input, output: price.output},
    ]),
  );
}

/** One line for each provider whose key would be sent unencrypted to another machine. */
function providerWarnings(config: Config): string[] {
  return [...resolveProviders(toProviders(config)).values()]
    .filter(({baseUrl, apiKeyEnv, isLocal}) => {
      return apiKeyEnv !== '' && !isLocal && baseUrl.startsWith('http:');
    })
    .map(
      ({name, apiKeyEnv, baseUrl}) =>
        `providers.${name} sends the key in ${apiKeyEnv} unencrypted to ${baseUrl}; use https`,
    );
}

// Rules from the configuration: spawn rules, and commands that a person has permanently allowed.

export function toSpawnRules({spawn}: Config): readonly SpawnRule[] {
  return spawn.flatMap((rule) => {
    const reading = readTrigger(rule.when);
    if (!reading.ok) return [];
    const {event, nth} = reading;
    return [{event, nth, ...camelKeys(rule, ['when'])}];
  });
}

export function toAllowRules({allow}: Config): readonly AllowRule[] {
  return allow.map((rule) => camelKeys(rule));
}

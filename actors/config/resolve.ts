/** From the configuration as written to the settings that a run is opened with. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import type {Seat} from '../../machines/domain/review.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {ruleText, strictestRule} from '../../machines/panel/rule.ts';
import {usualOutputTokens} from '../model/providers.ts';
import {checkStrategy, ensembleWarnings, selfJudgeWarnings} from './agent.ts';
import {type CamelKeys, camelKeys} from './casing.ts';
import {type DiscussRoles, keysForDiscuss, resolveDiscuss} from './discuss.ts';
import {gaveWayLines} from './gave-way.ts';
import {type InterviewRoles, keysForInterview, resolveInterview} from './interview.ts';
import {offlineLine} from './offline-lines.ts';
import {allPolicies, checkRule, isPolicy, nameSeats, policySeats, toSeats} from './panel.ts';
import {providerWarnings} from './providers.ts';
import {
  canonical,
  lackOfModels,
  offlineModel,
  resolveRoles,
  type NamedKeys,
  type RoleContext,
  type Roles,
} from './roles.ts';
import {formsIn, toSpawnRules} from './rules.ts';
import type {Config} from './schema.ts';
import {agentSettings} from './sections/agent.ts';
import {contextSettings} from './sections/bounds.ts';

/** The forms that a run can have at its root. */
export type RunForm = InteractionForm;

/** The budget of a run: US dollars, calls, and running time. Waiting for a person is not running time. */
export type RunLimits = Readonly<CamelKeys<Config['limits']>>;

export interface ResolvedConfig {
  readonly settings: Omit<Settings, 'tools'> & Required<Pick<Settings, 'interview'>>;
  readonly limits: RunLimits;
  /** True when no model can be used and everything goes by rule. */
  readonly offline: boolean;
  /** For the person, in this order; when offline the first line says so and how to configure a model. */
  readonly warnings: readonly string[];
  /** Every model that the run may call, `provider/model`, once each. */
  readonly models: readonly string[];
}

/**
 * Resolves names, keys, seats and rules. `named` holds the dotted keys that the user set, in a file, a variable or a
 * flag: what was asked for by name is an error when it can't be had, while a default gives way with a warning.
 * Throws AppError `config` or `credentials`; the message names the key, the value and the next step.
 */
export function resolveConfig(
  config: Config,
  given: RoleContext,
  form: InteractionForm = 'agent',
): ResolvedConfig {
  const context = {...given, named: namedFor(form, given.named, config)};
  const roles = resolveRoles(config, context);
  const panel = seatPanel(config, roles, context);
  checkPolicies('agent.review_models', roles.configured);
  checkPolicies('quorum.screen', config.quorum.screen);
  if (form === 'agent') checkStrategy(config.agent, given);
  if (hasPanel(form)) checkRule(config.quorum, panel);
  const discuss = resolveDiscuss(config, roles, context);
  const interview = resolveInterview(config, roles, context);
  const parts = {roles, panel, discuss, interview};
  const called = modelsOf(form, config, parts);
  checkBudget(config, called, context);
  return {
    settings: {
      agent: agentSettings(config.agent, roles),
      quorum: {
        rule: panel.every(({kind}) => kind === 'policy')
          ? ruleText(strictestRule)
          : config.quorum.rule,
        screen: screenOf(config.quorum.screen, context),
        ...lackOfModels(form, config, {roles, panel}),
        ...camelKeys(config.quorum, ['rule', 'screen', 'weights', 'veto']),
      },
      ask: {...camelKeys(config.ask), model: roles.ask},
      ...discuss.settings,
      interview: interview.settings,
      guardrails: camelKeys(config.guardrails),
      context: contextSettings(config.context),
      panel,
      spawn: toSpawnRules(config),
      maxOutputTokens: outputLimit(called, given),
    },
    limits: camelKeys(config.limits),
    offline: isWhollyByRule(form, parts),
    warnings: [
      ...(form !== 'command' && isByRule(form, parts) ? [offlineLine(form, config, given)] : []),
      ...(form === 'agent' ? selfJudgeWarnings(roles, panel) : []),
      ...roleWarnings(form, parts, config.agent.phase_scope === 'fast'),
      ...(hasPanel(form) ? absentVetoes(config, panel, context) : []),
      ...(form === 'agent' ? ensembleWarnings(config, panel) : []),
      ...providerWarnings(config),
    ],
    models: called,
  };
}

/** Who works in which form. */
interface Filled {
  readonly roles: Roles;
  readonly panel: readonly Seat[];
  readonly discuss: DiscussRoles;
  readonly interview: InterviewRoles;
}

function hasPanel(form: InteractionForm): boolean {
  return form === 'agent' || form === 'review';
}

function isWhollyByRule(form: InteractionForm, {roles, discuss, interview}: Filled): boolean {
  if (form === 'discuss') return discuss.isOffline;
  return form === 'interview' ? interview.isOffline : roles.offline;
}

/** Whether rules do the work that the form is for. */
function isByRule(form: InteractionForm, filled: Filled): boolean {
  const {roles} = filled;
  if (form === 'agent') return [roles.decision, roles.exploration].includes(offlineModel);
  return form === 'ask' ? roles.ask === offlineModel : isWhollyByRule(form, filled);
}

/** A model that a run does not call may want its key: that is no error for this run. */
function namedFor(form: InteractionForm, named: NamedKeys, config: Config): NamedKeys {
  const own: Readonly<Record<InteractionForm, readonly string[]>> = {
    agent: ['agent.decision_model', 'agent.exploration_model', 'agent.review_models'],
    ask: ['ask.model'],
    discuss: keysForDiscuss(config),
    interview: keysForInterview(config),
    review: ['agent.review_models'],
    command: [],
  };
  const kept = formsIn(form, config).flatMap((each) => own[each]);
  const foreign = new Set(Object.values(own).flat()).difference(new Set(kept));
  if (!('get' in named)) return named.difference(foreign);
  return new Map([...named].filter(([key]) => !foreign.has(key)));
}

/** Those that the form may call, and what rules spawn below it, once each. */
function modelsOf(
  form: InteractionForm,
  config: Config,
  {roles, panel, discuss, interview}: Filled,
): string[] {
  const seats = panel.map(({model}) => model);
  const {moderator} = discuss.settings.discuss;
  const debateModels = config.agent.strategy === 'debate' ? [moderator.model] : [];
  const models: Readonly<Record<InteractionForm, readonly string[]>> = {
    agent: [roles.decision, roles.exploration, ...seats, ...debateModels],
    ask: [roles.ask],
    discuss: discuss.models,
    interview: interview.models,
    review: seats,
    command: [],
  };
  const called = formsIn(form, config).flatMap((each) => models[each]);
  return [...new Set(called)].filter((model) => !isPolicy(model));
}

function outputLimit(models: readonly string[], {router}: RoleContext): number {
  const limits = models.map((model) => router.outputLimit(model) ?? usualOutputTokens);
  return limits.length === 0 ? usualOutputTokens : Math.max(...limits);
}

/** Of models that gave way in a role that the form has. */
function roleWarnings(
  form: InteractionForm,
  {roles: {warnings}, discuss, interview}: Filled,
  isFast: boolean,
): readonly string[] {
  const {decision, exploration, review} = warnings;
  const seated: Readonly<Record<InteractionForm, readonly string[]>> = {
    agent: isFast ? [] : gaveWayLines([...decision, ...exploration, ...review]),
    ask: gaveWayLines(warnings.ask),
    discuss: discuss.warnings,
    interview: interview.warnings,
    review: isFast ? [] : gaveWayLines(review),
    command: [],
  };
  return seated[form];
}

function seatPanel(config: Config, roles: Roles, context: RoleContext): Seat[] {
  const fast = config.agent.phase_scope === 'fast';
  return toSeats(config.quorum, {
    sitting: nameSeats(fast ? policySeats : roles.review),
    configured: nameSeats(roles.configured),
    canonical: (name) => tryCanonical(name, context),
    vetoNamed: context.named.has('quorum.veto'),
  });
}

/** A program's own policies screen, too, unless somebody has said which do. */
function screenOf(names: readonly string[], context: RoleContext): string[] {
  const {named, policies = []} = context;
  const own = named.has('quorum.screen') ? [] : policies.map((name) => `policy/${name}`);
  return [...names, ...own].map((name) => screener(name, context));
}

/** Throws AppError `config` for a name that is no policy reviewer's. */
function screener(name: string, context: RoleContext): string {
  if (isPolicy(name)) return canonical(name, context);
  throw new AppError(
    'config',
    `quorum.screen names "${name}", but only policy reviewers screen; seat models with agent.review_models`,
  );
}

/** A rule says the same as often as it is asked: a second seat would only count its word twice. */
function checkPolicies(key: string, names: readonly string[]): void {
  const twice = names.find((name, at) => isPolicy(name) && names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new AppError('config', `${key} names ${twice} twice; a policy is heard once`);
}

function tryCanonical(name: string, context: RoleContext): string | undefined {
  try {
    return canonical(name, context);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** A budget that somebody set must be enforceable: a price that is missing or that was set to zero can't be. */
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
    `limits.max_cost_usd is set, but the price of ${name} is ${free.has(name) ? 'zero' : 'not known'}; ` +
      `add prices."${name}" = {input = …, output = …} (USD per million tokens) or remove the budget`,
  );
}

/** Vetoes that the user gave to seats that others sit on: such a veto must not be lost in silence. */
function absentVetoes(config: Config, panel: readonly Seat[], context: RoleContext): string[] {
  if (!context.named.has('quorum.veto')) return [];
  const sits = (name: string) =>
    name === allPolicies ||
    panel.some(({id, model}) => id === name || model === tryCanonical(name, context));
  return config.quorum.veto
    .filter((name) => !sits(name))
    .map((name) => `the veto of ${name} does not count: another reviewer has its seat`);
}

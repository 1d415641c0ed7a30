/** The settings of one run: those that it is opened with in place of its runtime's, and changes by a person while it is open. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {InterviewSettings, Participant, Settings} from '../../machines/domain/settings.ts';
import {pricesOf} from '../model/prices.ts';
import {
  checkStrategy,
  ensembleWarnings,
  resolveConfig,
  type ResolvedConfig,
  type RunForm,
} from './resolve.ts';
import {isPolicy, type RoleContext} from './roles.ts';
import {type Config, type ConfigInput, keyText, parseConfig, rowAt} from './schema.ts';
import {type RenewedPart, snakeCase} from './sections/row.ts';

export interface ChangeGround {
  /** The configuration of the runtime. It applies to keys that the run does not override. */
  readonly config: ConfigInput;
  readonly context: Omit<RoleContext, 'named'>;
  readonly form: InteractionForm;
  /** The current settings of the run. */
  readonly now: Settings;
}

/**
 * Returns the event for the run: `{type: "settings.changed", settings, limits}`, with only the changed values. Throws AppError
 * `usage` for a key that cannot change in an open run and for a change without effect, `config` or `credentials` as
 * `resolveConfig` does.
 */
export function settingsEvent(
  given: ConfigInput,
  {config, context, form, now}: ChangeGround,
): JsonObject {
  const named = new Set(keysOf(given));
  if (named.size === 0) throw new AppError('usage', 'no setting is changed');
  for (const key of named) refuseFixed(key);
  const current = currentConfig(now, given, context);
  const full = parseConfig(merged(merged(config, current), given));
  const resolved = resolveConfig(full, {...context, named}, form);
  if (renewedBy(named).has('planning')) checkStrategy(full.agent, {...context, named});
  const [vain] = named.has('agent.consensus_level')
    ? ensembleWarnings(full, resolved.settings.panel)
    : [];
  if (vain !== undefined) throw new AppError('usage', `agent.consensus_level: ${vain}`);
  const changes = changesOf(resolved, named, now);
  const prices = pricesOf(namedIn(changes, resolved), context.router.price);
  return asJson({
    type: 'settings.changed',
    ...changes,
    ...(isEmpty(prices) ? {} : {prices}),
  });
}

function changesOf(
  {settings, limits}: ResolvedConfig,
  named: ReadonlySet<string>,
  now: Settings,
): object {
  const {agent, quorum, ask, discuss, debate, interview, panel} = settings;
  const {proponent, opponent} = debate;
  const renewed = renewedBy(named);
  const own = (section: string, all: object): object =>
    Object.fromEntries(
      Object.entries(all).filter(([key]) => named.has(`${section}.${snakeCase(key)}`)),
    );
  const isByRule = renewed.has('panel') && panel.every(({kind}) => kind === 'policy');
  const speaking = own('discuss', discuss);
  const leading = {
    ...own('interview', interview),
    ...(renewed.has('leaders') ? changedLeaders(interview, now) : {}),
  };
  const debating = {
    ...own('debate', debate),
    ...(renewed.has('sides') ? {proponent, opponent} : {}),
  };
  return {
    settings: {
      agent: own('agent', agent),
      quorum: {...own('quorum', quorum), ...(isByRule ? {rule: quorum.rule} : {})},
      ask: own('ask', ask),
      ...(isEmpty(speaking) ? {} : {discuss: speaking}),
      ...(isEmpty(leading) ? {} : {interview: leading}),
      ...(isEmpty(debating) ? {} : {debate: debating}),
      ...(renewed.has('panel') ? {panel} : {}),
    },
    limits: own('limits', limits),
  };
}

/** The models that occur in the changes. */
function namedIn(changes: object, {models}: ResolvedConfig): string[] {
  const text = JSON.stringify(changes);
  return models.filter((model) => text.includes(JSON.stringify(model)));
}

function renewedBy(named: ReadonlySet<string>): ReadonlySet<RenewedPart> {
  return new Set([...named].flatMap((key) => rowAt(key.split('.'))?.renews ?? []));
}

function changedLeaders(
  {model, reviewer}: InterviewSettings,
  {interview: now}: Pick<Settings, 'interview'>,
): Partial<InterviewSettings> {
  return model === now?.model && reviewer === now.reviewer ? {} : {model, reviewer};
}

function isEmpty(changed: object): boolean {
  return Object.keys(changed).length === 0;
}

/** The dotted keys of `given`. A section that is a list counts as one key. */
export function keysOf(given: ConfigInput): string[] {
  return Object.entries(given).flatMap(([section, keys]) => {
    if (Array.isArray(keys)) return [section];
    return Object.keys(keys ?? {}).map((key) => keyText([section, key]));
  });
}

function refuseFixed(key: string): void {
  if (rowAt(key.split('.'))?.isChangeable === true) return;
  throw new AppError(
    'usage',
    `${key} cannot change in an open run: it keeps the value from the start of the run; set it for the next run`,
  );
}

/** The sections that all runs of a runtime share. */
const sharedSections: ReadonlySet<string> = new Set([
  'mcp',
  'prices',
  'providers',
  'sandbox',
  'secrets',
  'tools',
]);

export interface OwnGround {
  readonly config: ConfigInput;
  readonly context: RoleContext;
  readonly form: RunForm;
}

/** Throws AppError `usage` for a shared section, `config` or `credentials` as `parseConfig` and `resolveConfig` do. */
export function resolveOwn(
  settings: ConfigInput,
  {config, context, form}: OwnGround,
): {readonly config: Config; readonly resolved: ResolvedConfig} {
  const fixed = Object.keys(settings).find((section) => sharedSections.has(section));
  if (fixed !== undefined) {
    throw new AppError('usage', `${fixed} belongs to the runtime: a run cannot override it`);
  }
  const own = parseConfig(merged(config, settings));
  const named = new Set([...context.named.keys(), ...keysOf(settings)]);
  return {config: own, resolved: resolveConfig(own, {...context, named}, form)};
}

type Router = RoleContext['router'];

/**
 * Returns the current settings of the run as configuration. They override the configuration of the runtime: a rule is checked
 * against the current panel, a strategy against the current consensus level. Models that can no longer be called are left out,
 * because the change may replace them.
 */
export function currentConfig(
  {agent, quorum, ask, discuss, debate, interview, panel}: Settings,
  given: ConfigInput,
  {router}: {readonly router: Router},
): ConfigInput {
  const {explorationModel, decisionModel} = agent;
  const models = panel.map(({model}) => model);
  const isSeated = models.length > 0 && models.every((model) => isAtHand(model, router));
  const isReseated = given.agent?.review_models !== undefined;
  return {
    agent: {
      consensus_level: agent.consensusLevel,
      strategy: agent.strategy,
      phase_scope: agent.phaseScope,
      ...(isAtHand(explorationModel, router) ? {exploration_model: explorationModel} : {}),
      ...(isAtHand(decisionModel, router) ? {decision_model: decisionModel} : {}),
      ...(isSeated ? {review_models: models} : {}),
    },
    quorum: {
      rule: quorum.rule,
      min_participation: quorum.minParticipation,
      ...(isSeated && !isReseated ? voicesOf(panel) : {}),
    },
    ask: isAtHand(ask.model, router) ? {model: ask.model} : {},
    ...sidesOf({discuss, debate}, router),
    ...(interview ? {interview: leadersOf(interview, decisionModel, router)} : {}),
  };
}

/** Returns `config` with the keys of `over` in place of its own, section by section. */
export function merged(config: ConfigInput, over: ConfigInput): ConfigInput {
  const sections = Object.entries(over).map(([section, keys]) => {
    const before: object = Object.entries(config).find(([name]) => name === section)?.[1] ?? {};
    return [section, Array.isArray(keys) ? keys : {...before, ...keys}];
  });
  return {...config, ...Object.fromEntries(sections)};
}

/** The weights and vetoes of the seats. */
function voicesOf(panel: Settings['panel']): NonNullable<ConfigInput['quorum']> {
  const weighted = panel.filter(({weight}) => weight !== 1);
  return {
    weights: Object.fromEntries(weighted.map(({id, weight}) => [id, weight])),
    veto: panel.filter(({veto}) => veto).map(({id}) => id),
  };
}

/**
 * Runs of earlier versions have no settings of a discussion or a debate. If the sides of the debate are the first two
 * participants, `debate.models` stays empty, so that they continue to follow the participants.
 */
function sidesOf(
  {discuss, debate}: Partial<Pick<Settings, 'discuss' | 'debate'>>,
  router: Router,
): ConfigInput {
  if (!discuss || !debate) return {};
  const {participants} = discuss;
  const [first, second = first] = participants;
  const sides = [debate.proponent, debate.opponent];
  const isOwn = debate.proponent.id !== first?.id || debate.opponent.id !== second?.id;
  const models = modelsOf(isOwn ? sides : []);
  return {
    discuss: {participants: modelsOf(participants).filter((model) => isAtHand(model, router))},
    debate: {models: models.filter((model) => isAtHand(model, router))},
  };
}

/** A leading model equal to the decision model continues to follow it; so does a reviewer equal to the leading model. */
function leadersOf(
  {model, reviewer}: InterviewSettings,
  decision: string,
  router: Router,
): NonNullable<ConfigInput['interview']> {
  return {
    ...(model === decision ? {model: ''} : isAtHand(model, router) ? {model} : {}),
    ...(reviewer === model ? {reviewer: ''} : isAtHand(reviewer, router) ? {reviewer} : {}),
  };
}

function modelsOf(participants: readonly Participant[]): string[] {
  return participants.map(({model}) => model);
}

function isAtHand(model: string, router: Router): boolean {
  return isPolicy(model) || router.check(model).ok;
}

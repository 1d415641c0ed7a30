/** The settings of one run: those that it is opened with in place of its runtime's, and changes by a person while it is open. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {asJson, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {
  changeSettings,
  type InterviewSettings,
  type Settings,
} from '../../machines/domain/settings.ts';
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
  readonly now: RunSettings;
}

/** The current settings of a run. */
export interface RunSettings {
  readonly settings: Settings;
  /** The configuration that they were resolved from. Absent: that of the runtime. */
  readonly config?: ConfigInput;
}

/**
 * Returns the event for the run: `{type: "settings.changed", config, settings, limits}`, with only the changed values. Throws AppError
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
  const current = callable(now.config ?? {}, given, context);
  const full = parseConfig(merged(merged(config, current), given));
  const resolved = resolveConfig(full, {...context, named}, form);
  if (renewedBy(named).has('planning')) checkStrategy(full.agent, {...context, named});
  const [vain] = named.has('agent.consensus_level')
    ? ensembleWarnings(full, resolved.settings.panel)
    : [];
  if (vain !== undefined) throw new AppError('usage', `agent.consensus_level: ${vain}`);
  const changes = changesOf(resolved, named, now.settings);
  const prices = pricesOf(namedIn(changes, resolved), context.router.price);
  return asJson({
    type: 'settings.changed',
    config: given,
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

/** The configuration of one run. */
export interface OwnConfig {
  /** Without defaults. */
  readonly given: ConfigInput;
  readonly config: Config;
  readonly resolved: ResolvedConfig;
}

/** Throws AppError `usage` for a shared section, `config` or `credentials` as `parseConfig` and `resolveConfig` do. */
export function resolveOwn(settings: ConfigInput, {config, context, form}: OwnGround): OwnConfig {
  const fixed = Object.keys(settings).find((section) => sharedSections.has(section));
  if (fixed !== undefined) {
    throw new AppError('usage', `${fixed} belongs to the runtime: a run cannot override it`);
  }
  const given = merged(config, settings);
  const own = parseConfig(given);
  const named = new Set([...context.named.keys(), ...keysOf(settings)]);
  return {given, config: own, resolved: resolveConfig(own, {...context, named}, form)};
}

/** The sections that a run resolves, and that its opening records. */
const ownSections: ReadonlySet<string> = new Set([
  'agent',
  'quorum',
  'ask',
  'discuss',
  'debate',
  'interview',
  'limits',
]);

export function recordedConfig(config: ConfigInput): ConfigInput {
  return Object.fromEntries(Object.entries(config).filter(([section]) => ownSections.has(section)));
}

/** Returns the settings after the events that a run has received. */
export function settingsAfter(before: RunSettings, events: readonly JsonObject[]): RunSettings {
  const changes = events.filter(({type}) => type === 'settings.changed');
  return changes.reduce<RunSettings>(
    ({settings, config = {}}, {settings: change = {}, config: given = {}}) => ({
      settings: isJsonObject(change) ? changeSettings(settings, change) : settings,
      config: isJsonObject(given) ? merged(config, given) : config,
    }),
    before,
  );
}

/**
 * Without the panel if one of its models can no longer be called, because the change may replace it, and without weights and vetoes
 * of a panel that is replaced.
 */
function callable(
  now: ConfigInput,
  {agent: {review_models: reseated} = {}}: ConfigInput,
  {router}: {readonly router: RoleContext['router']},
): ConfigInput {
  const {review_models: reviewers = [], ...roles} = now.agent ?? {};
  const {weights: _, veto: __, ...voting} = now.quorum ?? {};
  const isSeated = reviewers.every((model) => isPolicy(model) || router.check(model).ok);
  if (!isSeated) return {...now, agent: roles, quorum: voting};
  return reseated ? {...now, quorum: voting} : now;
}

/** Returns `config` with the keys of `over` in place of its own, section by section. */
export function merged(config: ConfigInput, over: ConfigInput): ConfigInput {
  const sections = Object.entries(over).map(([section, keys]) => {
    const before: object = Object.entries(config).find(([name]) => name === section)?.[1] ?? {};
    return [section, Array.isArray(keys) ? keys : {...before, ...keys}];
  });
  return {...config, ...Object.fromEntries(sections)};
}

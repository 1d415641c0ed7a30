/** Turns configuration keys that a person changes in an open run into the event that is journalled. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {InterviewSettings, Settings} from '../../machines/domain/settings.ts';
import {pricesOf} from '../model/recorded-prices.ts';
import {checkStrategy, ensembleWarnings} from './agent.ts';
import {snakeCase} from './casing.ts';
import {currentConfig, merged} from './current-config.ts';
import {keyText, parseConfig, rowAt} from './keys.ts';
import {resolveConfig, type ResolvedConfig} from './resolve.ts';
import type {RoleContext} from './roles.ts';
import type {ConfigInput} from './schema.ts';
import type {RenewedPart} from './sections/row.ts';

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

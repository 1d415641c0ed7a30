/** From keys of the configuration that a person changes in mid-run to what is journalled of it. */

import {AppError} from '../../machines/domain/app-error.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import {parseConfig} from './keys.ts';
import {resolveConfig, type RunForm} from './resolve.ts';
import type {RoleContext} from './roles.ts';
import type {ConfigInput} from './schema.ts';

/** What may change, by section; the panel is seated anew by the last. */
const changeable: Readonly<Record<string, readonly string[]>> = {
  agent: [
    'hil_mode',
    'exploration_model',
    'decision_model',
    'max_plan_revisions',
    'max_replans',
    'max_iterations',
    'max_tool_turns',
    'max_tool_retries',
    'max_parallel_tasks',
    'require_final_review',
    'confirm_execution',
    'review_models',
  ],
  quorum: [
    'rule',
    'min_participation',
    'deadline_ms',
    'feedback_grace_ms',
    'screen',
    'weights',
    'veto',
  ],
  ask: ['model', 'max_steps', 'max_retries', 'max_history'],
  discuss: ['participants', 'moderator', 'deadline_ms'],
  limits: ['max_cost_usd', 'max_model_calls', 'timeout_ms'],
};
const seating: ReadonlySet<string> = new Set(['review_models', 'weights', 'veto']);

export interface ChangeGround {
  /** The configuration that the runtime was made with: keys that are not changed are read from it where one needs another. */
  readonly config: ConfigInput;
  readonly context: Omit<RoleContext, 'named'>;
  readonly form: RunForm;
}

/**
 * The event that a run is told: `{type: "settings.changed", settings, limits}`, with what was given and no more. Throws
 * AppError `usage` for what can't change in mid-run, `config` or `credentials` as `resolveConfig` does.
 */
export function settingsEvent(
  given: ConfigInput,
  {config, context, form}: ChangeGround,
): JsonObject {
  const keys = keysOf(given);
  if (keys.length === 0) throw new AppError('usage', 'no setting is changed');
  for (const [section, key] of keys) refuseFixed(section, key);
  const named = new Set(keys.map((each) => each.join('.')));
  const {settings, limits} = resolveConfig(
    parseConfig(merged(config, given)),
    {...context, named},
    form,
  );
  const sections: Readonly<Record<string, object>> = {
    agent: settings.agent,
    quorum: settings.quorum,
    ask: settings.ask,
    discuss: settings.discuss,
    limits,
  };
  const own = (wanted: string): readonly string[] =>
    keys.flatMap(([section, key]) =>
      section === wanted && !seating.has(key) ? [camelCase(key)] : [],
    );
  const changed = (wanted: string): object => {
    const names = own(wanted);
    const all = Object.entries(sections[wanted] ?? {});
    return Object.fromEntries(all.filter(([key]) => names.includes(key)));
  };
  const isSeated = keys.some(([, key]) => seating.has(key));
  const isByRule = isSeated && settings.panel.every(({kind}) => kind === 'policy');
  return asJson({
    type: 'settings.changed',
    settings: {
      agent: changed('agent'),
      quorum: {...changed('quorum'), ...(isByRule ? {rule: settings.quorum.rule} : {})},
      ask: changed('ask'),
      ...(own('discuss').length > 0 ? {discuss: changed('discuss')} : {}),
      ...(isSeated ? {panel: settings.panel} : {}),
    },
    limits: changed('limits'),
  });
}

export function keysOf(given: ConfigInput): (readonly [section: string, key: string])[] {
  return Object.entries(given).flatMap(([section, keys]) =>
    Object.keys(keys ?? {}).map((key) => [section, key] as const),
  );
}

function refuseFixed(section: string, key: string): void {
  if (changeable[section]?.includes(key) === true) return;
  throw new AppError('usage', `${section}.${key} can't be changed in a run that is open`);
}

/** The keys of `given` take the place of those of the configuration. */
export function merged(config: ConfigInput, given: ConfigInput): ConfigInput {
  const sections = Object.entries(given).map(([section, keys]) => {
    const before: object = Object.entries(config).find(([name]) => name === section)?.[1] ?? {};
    return [section, {...before, ...keys}];
  });
  return {...config, ...Object.fromEntries(sections)};
}

function camelCase(key: string): string {
  return key.replaceAll(/_(?<letter>[a-z])/g, (_, letter: string) => letter.toUpperCase());
}

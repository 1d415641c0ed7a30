/** The flags that change the configuration, as overrides of its keys. */

import {AppError} from '../machines/domain/app-error.ts';
import {didYouMean} from '../machines/domain/nearest.ts';
import {tryParseRule} from '../machines/panel/rule.ts';

/** One key that a flag sets. The value is checked again with all others when the configuration is put together. */
export interface Override {
  /** Dotted: `agent.hil_mode`. */
  readonly key: string;
  readonly value: string | number | boolean | readonly string[];
  /** The flag, for messages: `--hil`. */
  readonly source: string;
}

export interface ConfigFlags {
  readonly scope?: string;
  readonly rule?: string;
  readonly hil?: string;
  readonly finalReview?: boolean;
  readonly maxCost?: string;
  readonly maxCalls?: string;
  readonly timeout?: string;
  readonly model?: readonly string[];
  readonly db?: string;
  readonly docs?: readonly string[];
}

/** Throws AppError `usage` for a value that the flag does not take. */
export function toOverrides(flags: ConfigFlags): Override[] {
  const {scope, rule, hil, maxCost, maxCalls, timeout} = flags;
  const list: (Override | undefined)[] = [
    ...toModels(flags.model ?? []),
    scope === undefined ? undefined : oneOf('--scope', 'agent.phase_scope', scope, scopes),
    rule === undefined ? undefined : toRule(rule),
    hil === undefined ? undefined : oneOf('--hil', 'agent.hil_mode', hil, hilModes),
    flags.finalReview
      ? {key: 'agent.require_final_review', value: true, source: '--final-review'}
      : undefined,
    maxCost === undefined ? undefined : toNumber('--max-cost', 'limits.max_cost_usd', maxCost),
    maxCalls === undefined
      ? undefined
      : toNumber('--max-calls', 'limits.max_model_calls', maxCalls),
    timeout === undefined ? undefined : toTimeout(timeout),
    ...toAsked(flags),
  ];
  return list.filter((override) => override !== undefined);
}

/** What a question is asked of. */
function toAsked({db, docs}: ConfigFlags): Override[] {
  return [
    ...(db === undefined ? [] : [{key: 'database.path', value: db, source: '--db'}]),
    ...(docs === undefined ? [] : [{key: 'search.paths', value: docs, source: '--docs'}]),
  ];
}

const scopes = ['full', 'fast', 'plan-only'];
const hilModes = ['interactive', 'auto_reject', 'auto_approve'];

function oneOf(source: string, key: string, value: string, choices: readonly string[]): Override {
  return {key, value: checkChoice(source, value, choices), source};
}

/** The value when it is one of the choices. Throws AppError `usage` otherwise. */
export function checkChoice(flag: string, value: string, choices: readonly string[]): string {
  if (choices.includes(value)) return value;
  throw new AppError(
    'usage',
    `${flag} takes ${choices.join(', ')}, not "${value}"${didYouMean(value, choices)}`,
  );
}

function toRule(value: string): Override {
  if (tryParseRule(value)) return {key: 'quorum.rule', value, source: '--rule'};
  throw new AppError(
    'usage',
    `--rule: "${value}" is no quorum rule; write majority, unanimous, at_least:N or N% (N from 1 to 100)`,
  );
}

function toNumber(source: string, key: string, text: string): Override {
  if (/^\d+(\.\d+)?$/.test(text)) return {key, value: Number(text), source};
  throw new AppError('usage', `${source} takes a number, not "${text}"`);
}

const unitsMs: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

function toTimeout(text: string): Override {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text);
  const value = Math.round(Number(match?.[1]) * (unitsMs[match?.[2] ?? ''] ?? Number.NaN));
  if (value > 0) return {key: 'limits.timeout_ms', value, source: '--timeout'};
  throw new AppError(
    'usage',
    `--timeout takes a time such as 90s, 10m, 2h or milliseconds, not "${text}"`,
  );
}

/** Keys of the roles of one model; `review` and `participants` are lists. */
const roleKeys: Readonly<Record<string, string>> = {
  exploration: 'agent.exploration_model',
  decision: 'agent.decision_model',
  moderator: 'discuss.moderator',
  ask: 'ask.model',
};
const listKeys: Readonly<Record<string, string>> = {
  review: 'agent.review_models',
  participants: 'discuss.participants',
};
const roleNames = ['exploration', 'decision', 'review', 'participants', 'moderator', 'ask'];

/** A model without a role takes every role that no other flag names. */
function toModels(flags: readonly string[]): Override[] {
  const models = flags.map(readModel);
  const everywhere = models.filter(({role}) => role === undefined);
  if (everywhere.length > 1) {
    throw new AppError(
      'usage',
      `-m names two models for every role (${everywhere.map(({name}) => name).join(', ')}); ` +
        'give each a role, such as -m decision=NAME -m review=NAME',
    );
  }
  return roleNames.flatMap((role): Override[] => {
    const own = models.filter((model) => model.role === role);
    const names = (own.length > 0 ? own : everywhere).map(({name}) => name);
    const [single, list] = [roleKeys[role], listKeys[role]];
    const last = names.at(-1);
    if (last === undefined) return [];
    const source = own.length > 0 ? `-m ${role}=${last}` : `-m ${last}`;
    if (list !== undefined) return [{key: list, value: names, source}];
    return single === undefined ? [] : [{key: single, value: last, source}];
  });
}

function readModel(flag: string): {role: string | undefined; name: string} {
  const equals = flag.indexOf('=');
  const role = equals < 0 ? undefined : flag.slice(0, equals);
  const name = flag.slice(equals + 1).trim();
  if (role !== undefined && !roleNames.includes(role)) {
    throw new AppError(
      'usage',
      `-m: there is no role "${role}" among ${roleNames.join(', ')}${didYouMean(role, roleNames)}`,
    );
  }
  if (name === '') {
    throw new AppError('usage', `-m ${flag} names no model; write -m [ROLE=]PROVIDER/MODEL`);
  }
  return {role, name};
}

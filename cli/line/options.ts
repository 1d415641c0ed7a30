/** The global options, and the configuration keys that they set. */

import {listed, type Message, t} from '../../machines/message.ts';
import {ruleForms, ruleHelp, tryParseRule} from '../../machines/panel/rule.ts';
import type {Option, Override, Subject} from './command.ts';
import {meant, usageError} from './usage-error.ts';

export const scopes = ['full', 'fast', 'plan-only'];
export const strategies = ['quorum', 'debate'];
export const hilModes = ['interactive', 'auto_reject', 'auto_approve'];
export const languages = ['ja', 'en'];
export const formats = ['text', 'json', 'jsonl'] as const;

const modelText: Message = t`the model for a role: exploration, decision, review, ask, participants, moderator, interview,
interview-reviewer; without a role: for all. review=a,b seats two reviewers, as do
-m review=a -m review=b; participants= works the same way`;

// `-m [ROLE=]MODEL`: assigns models to roles.

/** The keys of the roles; some hold several models. */
const roles: Readonly<Record<string, {readonly key: string; readonly several?: true}>> = {
  exploration: {key: 'agent.exploration_model'},
  decision: {key: 'agent.decision_model'},
  review: {key: 'agent.review_models', several: true},
  ask: {key: 'ask.model'},
  participants: {key: 'discuss.participants', several: true},
  moderator: {key: 'discuss.moderator'},
  interview: {key: 'interview.model'},
  'interview-reviewer': {key: 'interview.reviewer'},
};
export const roleNames = Object.keys(roles);

const severals = roleNames.filter((role) => roles[role]?.several === true);

export const globalOptions: readonly Option[] = [
  {
    name: 'model',
    subject: 'models',
    short: 'm',
    takes: '[ROLE=]NAME',
    text: modelText,
    override: modelOverrides,
  },
  {
    name: 'plan',
    subject: 'plan',
    takes: 'FILE',
    text: t`run the plan in FILE, once the panel has approved it: the result of --output json, or its .plan`,
  },
  {
    name: 'scope',
    subject: 'phases',
    takes: 'SCOPE',
    override: oneOf('--scope', 'agent.phase_scope', scopes),
  },
  {
    name: 'plan-only',
    subject: 'phases',
    text: t`stop after the vote on the plan; --plan FILE runs it later`,
    override: () => [{key: 'agent.phase_scope', value: 'plan-only', source: '--plan-only'}],
  },
  {
    name: 'ensemble',
    subject: 'plans',
    text: t`the models of the panel each draft a plan, score each other, and the best is taken`,
    override: () => [{key: 'agent.consensus_level', value: 'ensemble', source: '--ensemble'}],
  },
  {
    name: 'solo',
    subject: 'plans',
    text: t`the decision model plans alone (default)`,
    override: () => [{key: 'agent.consensus_level', value: 'solo', source: '--solo'}],
  },
  {
    name: 'strategy',
    subject: 'plans',
    takes: 'STRATEGY',
    override: oneOf('--strategy', 'agent.strategy', strategies),
  },
  {
    name: 'debate',
    subject: 'plans',
    text: t`with --ensemble: its plan is debated before the panel votes`,
    override: () => [{key: 'agent.strategy', value: 'debate', source: '--debate'}],
  },
  {
    name: 'rule',
    subject: 'rule',
    takes: 'RULE',
    text: t`when the panel has decided: ${ruleForms.map(({spelling}) => spelling).join(' | ')}`,
    override: lastGiven(toRule),
  },
  {
    name: 'hil',
    subject: 'panel',
    takes: 'MODE',
    text: t`human in the loop: who decides when the panel can't: interactive | auto_reject | auto_approve`,
    override: oneOf('--hil', 'agent.hil_mode', hilModes),
  },
  {
    name: 'final-review',
    subject: 'tasks',
    text: t`have the panel vote on the result, too`,
    override: () => [{key: 'agent.require_final_review', value: true, source: '--final-review'}],
  },
  {
    name: 'cwd',
    short: 'C',
    takes: 'DIR',
    text: t`work in this folder`,
  },
  {
    name: 'max-cost',
    subject: 'limits',
    takes: 'USD',
    text: t`stop before the models cost more than USD`,
    override: lastGiven((text) => toNumber('--max-cost', 'limits.max_cost_usd', text)),
  },
  {
    name: 'max-calls',
    subject: 'limits',
    takes: 'N',
    text: t`stop after N model calls`,
    override: lastGiven((text) => toNumber('--max-calls', 'limits.max_model_calls', text)),
  },
  {
    name: 'max-tasks',
    subject: 'tasks',
    takes: 'N',
    text: t`stop after N tasks`,
    override: lastGiven((text) => toNumber('--max-tasks', 'agent.max_iterations', text)),
  },
  {
    name: 'timeout',
    subject: 'limits',
    takes: 'TIME',
    text: t`stop after this running time: 90s, 10m, 2h, or milliseconds`,
    override: lastGiven(toTimeout),
  },
  {
    name: 'output',
    subject: 'output',
    takes: 'FORMAT',
    text: t`text | json (the result) | jsonl (every event, one a line), on stdout`,
  },
  {
    name: 'log',
    subject: 'log',
    takes: 'FILE',
    text: t`append events to this file, as JSON lines (or QUORATE_LOG)`,
  },
  {
    name: 'detach',
    subject: 'detach',
    text: t`leave the run to a worker (quorate worker), in a journal that machines share`,
  },
  {
    name: 'journal',
    takes: 'URL',
    text: t`the journal on PostgreSQL that machines share: postgres://user@host/database; its
password goes into PGPASSWORD, or the address into the variable that journal.url_env names`,
  },
  {
    name: 'lang',
    takes: 'LANGUAGE',
    text: t`the language of help, progress and questions: ja | en; by default that of LANG`,
  },
  {name: 'quiet', short: 'q', text: t`no progress`},
  {name: 'verbose', short: 'v', text: t`thoughts and reasons, too`},
  {name: 'plain', text: t`plain lines: no full screen, nothing is redrawn`},
];

/** Options that are read before the command. */
export const earlyOptions: readonly Option[] = [
  {
    name: 'continue',
    text: t`continue the newest open run of this folder, as quorate resume does`,
  },
  {
    name: 'completion',
    takes: 'SHELL',
    text: t`print the completion for bash, zsh or fish`,
  },
  {name: 'help', short: 'h', text: t`this text`},
  {name: 'version', short: 'V', text: t`the version`},
];

/** The global options that a command obeys, without the hidden ones. */
export function obeyedOptions(obeys: readonly Subject[]): readonly Option[] {
  return globalOptions.filter(({subject, text}) => text && (!subject || obeys.includes(subject)));
}

/** The last one of a repeated option applies. */
function lastGiven(read: (text: string) => Override): (values: readonly string[]) => Override[] {
  return (values) => values.slice(-1).map(read);
}

/** An override that sets the key to one of the choices. */
export function oneOf(source: string, key: string, choices: readonly string[]) {
  return lastGiven((text) => ({key, value: checkChoice(source, text, choices), source}));
}

/** The value when it is one of the choices. Throws AppError `usage` otherwise. */
export function checkChoice<T extends string>(
  flag: string,
  value: string,
  choices: readonly T[],
): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  const [known, near] = [choices.join(', '), meant(value, choices)];
  throw usageError(t`${flag} takes ${known}, not "${value}"${near}`);
}

function toRule(value: string): Override {
  if (tryParseRule(value)) return {key: 'quorum.rule', value, source: '--rule'};
  throw usageError(t`--rule: "${value}" is not a quorum rule; write ${ruleHelp}`);
}

function toNumber(source: string, key: string, text: string): Override {
  if (/^\d+(\.\d+)?$/.test(text)) return {key, value: Number(text), source};
  throw usageError(t`${source} takes a number, not "${text}"`);
}

const unitsMs: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

function toTimeout(text: string): Override {
  return {key: 'limits.timeout_ms', value: toMs('--timeout', text), source: '--timeout'};
}

/** Throws AppError `usage` for a text that is not a time. */
export function toMs(flag: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text);
  const value = Math.round(Number(match?.[1]) * (unitsMs[match?.[2] ?? ''] ?? Number.NaN));
  if (value > 0) return value;
  throw usageError(t`${flag} takes a time such as 90s, 10m, 2h or milliseconds, not "${text}"`);
}

/** The role of a key; the key itself if it is not a role's. */
export function roleOf(key: string): string {
  return roleNames.find((role) => roles[role]?.key === key) ?? key;
}

/** A model without a role takes every role without a flag of its own. `as`: the flag in messages. Throws AppError `usage`. */
export function modelOverrides(flags: readonly string[], as = '-m'): Override[] {
  const models = flags.flatMap((flag) => readModels(flag, as));
  const everywhere = models.filter(({role}) => role === undefined);
  if (everywhere.length > 1) {
    const given = everywhere.map(({name}) => name).join(', ');
    throw usageError(
      t`${as} names two models for every role (${given}); give each a role, such as ${as} decision=NAME ${as} review=NAME`,
    );
  }
  return Object.entries(roles).flatMap(([role, {key, several}]): Override[] => {
    const own = models.filter((model) => model.role === role);
    const names = (own.length > 0 ? own : everywhere).map(({name}) => name);
    const single = names.at(-1);
    if (single === undefined) return [];
    const source = own.length > 0 ? `${as} ${role}=${single}` : `${as} ${single}`;
    return [{key, value: several ? names : single, source}];
  });
}

/** Throws AppError `usage` for a role in which the command calls no model. */
export function requireRoles(flags: readonly string[], played: readonly string[]): void {
  const idle = flags
    .flatMap((flag) => readModels(flag, '-m'))
    .find(({role}) => role && !played.includes(role));
  if (idle?.role === undefined) return;
  const [flag, own] = [`-m ${idle.role}=${idle.name}`, played.join(', ')];
  throw usageError(
    t`${flag}: this command calls no model in the role ${idle.role}; its roles are ${own}`,
  );
}

interface RoleModel {
  readonly role: string | undefined;
  readonly name: string;
}

/** `a`, `ROLE=a`, `review=a,b`. */
function readModels(flag: string, as: string): RoleModel[] {
  const equals = flag.indexOf('=');
  const role = equals < 0 ? undefined : flag.slice(0, equals);
  if (role !== undefined && !roleNames.includes(role)) {
    const [known, near] = [roleNames.join(', '), meant(role, roleNames)];
    throw usageError(t`${as}: there is no role "${role}" among ${known}${near}`);
  }
  const names = flag.slice(equals + 1).split(',');
  if (names.some((name) => name.trim() === '')) {
    throw usageError(t`${as} ${flag} names no model; write ${as} [ROLE=]PROVIDER/MODEL`);
  }
  const isSeveral = role !== undefined && roles[role]?.several === true;
  if (names.length > 1 && !isSeveral) {
    const all = listed(severals, (before, last) => t`${before} and ${last}`);
    throw usageError(t`${as} ${flag}: only the roles ${all} take several models`);
  }
  return names.map((name) => ({role, name: name.trim()}));
}

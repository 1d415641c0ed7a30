/** The global options, and the configuration keys that they set. */

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import {ruleForms, ruleHelp, tryParseRule} from '../../machines/panel/rule.ts';
import {modelOverrides} from './model-option.ts';
import type {Option, Override, Subject} from './option.ts';

export const scopes = ['full', 'fast', 'plan-only'];
export const strategies = ['quorum', 'debate'];
export const hilModes = ['interactive', 'auto_reject', 'auto_approve'];
export const formats = ['text', 'json', 'jsonl'] as const;

export const globalOptions: readonly Option[] = [
  {
    name: 'model',
    subject: 'models',
    short: 'm',
    takes: '[ROLE=]NAME',
    text:
      'the model for a role: exploration, decision, review, ask, participants, moderator, interview,\n' +
      'interview-reviewer; without a role: for all. review=a,b, or review= several times: a panel of\n' +
      'several; so participants=',
    override: modelOverrides,
  },
  {
    name: 'scope',
    subject: 'phases',
    takes: 'SCOPE',
    values: scopes,
    text: 'full | fast (the policy reviewers vote) | plan-only (ends with the reviewed plan)',
    override: oneOf('--scope', 'agent.phase_scope', scopes),
  },
  {
    name: 'ensemble',
    subject: 'plans',
    text: 'the models of the panel each draft a plan, score each other, and the best is taken',
    override: () => [{key: 'agent.consensus_level', value: 'ensemble', source: '--ensemble'}],
  },
  {
    name: 'solo',
    subject: 'plans',
    text: 'the decision model plans alone, as it does unless the configuration says otherwise',
    override: () => [{key: 'agent.consensus_level', value: 'solo', source: '--solo'}],
  },
  {
    name: 'strategy',
    subject: 'plans',
    takes: 'STRATEGY',
    values: strategies,
    text: 'of an ensemble: quorum | debate (its plan is debated before the panel votes)',
    override: oneOf('--strategy', 'agent.strategy', strategies),
  },
  {
    name: 'rule',
    subject: 'rule',
    takes: 'RULE',
    text: `when the panel has decided: ${ruleForms.map(({spelling}) => spelling).join(' | ')}`,
    override: last(toRule),
  },
  {
    name: 'hil',
    subject: 'panel',
    takes: 'MODE',
    values: hilModes,
    text: "who decides when the panel can't: interactive | auto_reject | auto_approve",
    override: oneOf('--hil', 'agent.hil_mode', hilModes),
  },
  {
    name: 'final-review',
    subject: 'tasks',
    text: 'have the panel vote on the result, too',
    override: () => [{key: 'agent.require_final_review', value: true, source: '--final-review'}],
  },
  {name: 'cwd', short: 'C', takes: 'DIR', values: 'folder', text: 'work in this folder'},
  {
    name: 'max-cost',
    subject: 'limits',
    takes: 'USD',
    text: 'stop before the models cost more',
    override: last((text) => toNumber('--max-cost', 'limits.max_cost_usd', text)),
  },
  {
    name: 'max-calls',
    subject: 'limits',
    takes: 'N',
    text: 'stop before more model calls than this',
    override: last((text) => toNumber('--max-calls', 'limits.max_model_calls', text)),
  },
  {
    name: 'max-tasks',
    subject: 'tasks',
    takes: 'N',
    text: 'stop before more tasks are started than this',
    override: last((text) => toNumber('--max-tasks', 'agent.max_iterations', text)),
  },
  {
    name: 'timeout',
    subject: 'limits',
    takes: 'TIME',
    text: 'stop after this running time: 90s, 10m, 2h, or milliseconds',
    override: last(toTimeout),
  },
  {
    name: 'output',
    subject: 'output',
    takes: 'FORMAT',
    values: formats,
    text: 'text | json (the result) | jsonl (every event, one a line), on stdout',
  },
  {
    name: 'log',
    subject: 'log',
    takes: 'FILE',
    values: 'file',
    text: 'append what happens to this file, as JSON lines (or QUORATE_LOG)',
  },
  {name: 'quiet', short: 'q', text: 'no progress'},
  {name: 'verbose', short: 'v', text: 'thoughts and reasons, too'},
];

/** The global options that a command obeys. */
export function obeyedOptions(obeys: readonly Subject[]): readonly Option[] {
  return globalOptions.filter(({subject}) => !subject || obeys.includes(subject));
}

/** The last one of a repeated option applies. */
function last(read: (text: string) => Override): (values: readonly string[]) => Override[] {
  return (values) => values.slice(-1).map(read);
}

/** An override that sets the key to one of the choices. */
export function oneOf(source: string, key: string, choices: readonly string[]) {
  return last((text) => ({key, value: checkChoice(source, text, choices), source}));
}

/** The value when it is one of the choices. Throws AppError `usage` otherwise. */
export function checkChoice<T extends string>(
  flag: string,
  value: string,
  choices: readonly T[],
): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw new AppError(
    'usage',
    `${flag} takes ${choices.join(', ')}, not "${value}"${didYouMean(value, choices)}`,
  );
}

function toRule(value: string): Override {
  if (tryParseRule(value)) return {key: 'quorum.rule', value, source: '--rule'};
  throw new AppError('usage', `--rule: "${value}" is not a quorum rule; write ${ruleHelp}`);
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
  return {key: 'limits.timeout_ms', value: toMs('--timeout', text), source: '--timeout'};
}

/** Throws AppError `usage` for a text that is not a time. */
export function toMs(flag: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text);
  const value = Math.round(Number(match?.[1]) * (unitsMs[match?.[2] ?? ''] ?? Number.NaN));
  if (value > 0) return value;
  throw new AppError(
    'usage',
    `${flag} takes a time such as 90s, 10m, 2h or milliseconds, not "${text}"`,
  );
}

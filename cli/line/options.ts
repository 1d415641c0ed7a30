/** The global options, and the configuration keys that they set. */

import {ruleForms, ruleHelp, tryParseRule} from '../../machines/panel/rule.ts';
import type {Texts} from '../language.ts';
import {modelOverrides} from './model-option.ts';
import type {Option, Override, Subject} from './option.ts';
import {meant, usageError} from './usage-error.ts';

export const scopes = ['full', 'fast', 'plan-only'];
export const strategies = ['quorum', 'debate'];
export const hilModes = ['interactive', 'auto_reject', 'auto_approve'];
export const languages = ['ja', 'en'];
export const formats = ['text', 'json', 'jsonl'] as const;

const modelText: Texts = {
  en:
    'the model for a role: exploration, decision, review, ask, participants, moderator, interview,\n' +
    'interview-reviewer; without a role: for all. review=a,b seats two reviewers, as do\n' +
    '-m review=a -m review=b; participants= works the same way',
  ja:
    '役割のモデル: exploration、decision、review、ask、participants、moderator、interview、\n' +
    'interview-reviewer。役割なし: すべて。review=a,b（または\n' +
    '-m review=a -m review=b）でレビュアーは 2 人。participants= も同様',
};

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
    text: {
      en: 'run the plan in FILE, once the panel has approved it: the result of --output json, or its .plan',
      ja: 'FILE の計画を、合議体の承認を得て実行する: --output json の結果か、その .plan',
    },
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
    text: {
      en: 'stop after the vote on the plan; --plan FILE runs it later',
      ja: '計画への投票の後で止まる。後で --plan FILE が実行する',
    },
    override: () => [{key: 'agent.phase_scope', value: 'plan-only', source: '--plan-only'}],
  },
  {
    name: 'ensemble',
    subject: 'plans',
    text: {
      en: 'the models of the panel each draft a plan, score each other, and the best is taken',
      ja: '合議体のモデルがそれぞれ計画を書き、互いに採点し、最良を採る',
    },
    override: () => [{key: 'agent.consensus_level', value: 'ensemble', source: '--ensemble'}],
  },
  {
    name: 'solo',
    subject: 'plans',
    text: {
      en: 'the decision model plans alone (default)',
      ja: '決定のモデルだけが計画する（既定）',
    },
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
    text: {
      en: 'with --ensemble: its plan is debated before the panel votes',
      ja: '--ensemble とともに: 投票の前に計画を討論する',
    },
    override: () => [{key: 'agent.strategy', value: 'debate', source: '--debate'}],
  },
  {
    name: 'rule',
    subject: 'rule',
    takes: 'RULE',
    text: {
      en: `when the panel has decided: ${ruleForms.map(({spelling}) => spelling).join(' | ')}`,
      ja: `合議体が決まる条件: ${ruleForms.map(({spelling}) => spelling).join(' | ')}`,
    },
    override: last(toRule),
  },
  {
    name: 'hil',
    subject: 'panel',
    takes: 'MODE',
    text: {
      en: "human in the loop: who decides when the panel can't: interactive | auto_reject | auto_approve",
      ja: '合議体が決められないときに決める人（human in the loop）: interactive | auto_reject | auto_approve',
    },
    override: oneOf('--hil', 'agent.hil_mode', hilModes),
  },
  {
    name: 'final-review',
    subject: 'tasks',
    text: {en: 'have the panel vote on the result, too', ja: '結果も合議体の投票にかける'},
    override: () => [{key: 'agent.require_final_review', value: true, source: '--final-review'}],
  },
  {
    name: 'cwd',
    short: 'C',
    takes: 'DIR',
    text: {en: 'work in this folder', ja: 'このフォルダで作業する'},
  },
  {
    name: 'max-cost',
    subject: 'limits',
    takes: 'USD',
    text: {
      en: 'stop before the models cost more than USD',
      ja: 'モデルの費用が USD を超える前に止める',
    },
    override: last((text) => toNumber('--max-cost', 'limits.max_cost_usd', text)),
  },
  {
    name: 'max-calls',
    subject: 'limits',
    takes: 'N',
    text: {
      en: 'stop after N model calls',
      ja: 'モデルを N 回呼んだら止める',
    },
    override: last((text) => toNumber('--max-calls', 'limits.max_model_calls', text)),
  },
  {
    name: 'max-tasks',
    subject: 'tasks',
    takes: 'N',
    text: {
      en: 'stop after N tasks',
      ja: 'タスクを N 個始めたら止める',
    },
    override: last((text) => toNumber('--max-tasks', 'agent.max_iterations', text)),
  },
  {
    name: 'timeout',
    subject: 'limits',
    takes: 'TIME',
    text: {
      en: 'stop after this running time: 90s, 10m, 2h, or milliseconds',
      ja: 'この実行時間で止める: 90s、10m、2h、ミリ秒',
    },
    override: last(toTimeout),
  },
  {
    name: 'output',
    subject: 'output',
    takes: 'FORMAT',
    text: {
      en: 'text | json (the result) | jsonl (every event, one a line), on stdout',
      ja: '標準出力の形式: text | json（結果）| jsonl（1 行に 1 イベント）',
    },
  },
  {
    name: 'log',
    subject: 'log',
    takes: 'FILE',
    text: {
      en: 'append events to this file, as JSON lines (or QUORATE_LOG)',
      ja: '出来事をこのファイルに JSON の行で追記する（または QUORATE_LOG）',
    },
  },
  {
    name: 'lang',
    takes: 'LANGUAGE',
    text: {
      en: 'the language of help, progress and questions: ja | en; by default that of LANG',
      ja: '説明、経過、質問の言語: ja | en。既定は LANG の言語',
    },
  },
  {name: 'quiet', short: 'q', text: {en: 'no progress', ja: '経過を出さない'}},
  {name: 'verbose', short: 'v', text: {en: 'thoughts and reasons, too', ja: '考えと理由も出す'}},
];

/** Options that are read before the command. */
export const earlyOptions: readonly Option[] = [
  {
    name: 'continue',
    text: {
      en: 'continue the newest open run of this folder, as quorate resume does',
      ja: 'このフォルダの最新の未完了の実行を続ける（quorate resume と同じ）',
    },
  },
  {
    name: 'completion',
    takes: 'SHELL',
    text: {
      en: 'print the completion for bash, zsh or fish',
      ja: 'bash、zsh、fish の補完を出力する',
    },
  },
  {name: 'help', short: 'h', text: {en: 'this text', ja: 'この説明'}},
  {name: 'version', short: 'V', text: {en: 'the version', ja: '版'}},
];

/** The global options that a command obeys, without the hidden ones. */
export function obeyedOptions(obeys: readonly Subject[]): readonly Option[] {
  return globalOptions.filter(({subject, text}) => text && (!subject || obeys.includes(subject)));
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
  const [known, near] = [choices.join(', '), meant(value, choices)];
  throw usageError({
    en: `${flag} takes ${known}, not "${value}"${near.en}`,
    ja: `${flag} の値は ${known} のどれかです（"${value}" は使えません）${near.ja}`,
  });
}

function toRule(value: string): Override {
  if (tryParseRule(value)) return {key: 'quorum.rule', value, source: '--rule'};
  throw usageError({
    en: `--rule: "${value}" is not a quorum rule; write ${ruleHelp}`,
    ja: `--rule: "${value}" は定足数の規則ではありません。書き方: ${ruleHelp}`,
  });
}

function toNumber(source: string, key: string, text: string): Override {
  if (/^\d+(\.\d+)?$/.test(text)) return {key, value: Number(text), source};
  throw usageError({
    en: `${source} takes a number, not "${text}"`,
    ja: `${source} の値は数です（"${text}" は使えません）`,
  });
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
  throw usageError({
    en: `${flag} takes a time such as 90s, 10m, 2h or milliseconds, not "${text}"`,
    ja: `${flag} の値は 90s、10m、2h などの時間かミリ秒です（"${text}" は使えません）`,
  });
}

/** Rules, which refuse; doubts, which prevent a judgement; and the ballot that results from them. */

import type {Proposal} from '../../machines/domain/review.ts';
import {containedReason} from '../../machines/panel/contained-approval.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import type {Effect, Unknown} from '../../tools/commands/effect.ts';
import type {SimpleCommand} from '../../tools/commands/understanding.ts';
import {sha256} from '../../tools/read/read.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import {type Call, readCalls} from './call.ts';

export interface PolicyInput {
  readonly proposal: Proposal;
  readonly analysis: CommandAnalysis;
  readonly calls: readonly Call[];
}

export interface Rule {
  readonly id: string;
  /** The refused actions, for the documentation. */
  readonly refuses: string;
  /** An alternative, for the author of the proposal. */
  readonly safer: string;
  /** The offending values. Empty: the rule does not apply. */
  readonly find: (input: PolicyInput) => readonly string[];
}

/** Finds reasons why a policy can't judge a proposal that no rule refuses. */
export type Doubt = (input: PolicyInput) => readonly Unknown[];

/** A policy that decides by rule. */
export interface Policy {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Added to the parts of commands that were not understood. */
  readonly doubts: readonly Doubt[];
}

interface Applied {
  /** The rule also applies to scripts that a call writes and does not run. */
  readonly inScripts?: true;
}

/** A rule about effects, independent of the words of a command. */
export function effectRule(
  rule: Omit<Rule, 'find'> &
    Applied & {readonly when: (effect: Effect, call: Call, input: PolicyInput) => boolean},
): Rule {
  const {when, inScripts, ...rest} = rule;
  const find = (input: PolicyInput) =>
    input.calls.flatMap((call) =>
      [...call.effects, ...(inScripts ? call.scripts.flatMap(({effects}) => effects) : [])]
        .filter((effect) => when(effect, call, input))
        .map(effectText),
    );
  return {...rest, find};
}

/** A rule about the words of single commands, at any position in the shell text. */
export function commandRule(
  rule: Omit<Rule, 'find'> &
    Applied & {readonly when: (command: SimpleCommand, call: Call) => boolean},
): Rule {
  const {when, inScripts, ...rest} = rule;
  const find = ({calls}: PolicyInput) =>
    calls.flatMap((call) =>
      [
        ...(call.command?.commands ?? []),
        ...(inScripts ? call.scripts.flatMap(({commands}) => commands) : []),
      ]
        .filter((command) => when(command, call))
        .map(({text}) => text),
    );
  return {...rest, find};
}

/** A rule about single calls: the offending value, or undefined. */
export function callRule(
  rule: Omit<Rule, 'find'> & {
    readonly of: (call: Call, input: PolicyInput) => string | undefined;
  },
): Rule {
  const {of, ...rest} = rule;
  const find = (input: PolicyInput) =>
    input.calls.map((call) => of(call, input)).filter((value) => value !== undefined);
  return {...rest, find};
}

/** The text of the command, with its effect if the text does not show it. */
export function effectText({by, kind, target, place}: Effect): string {
  return !place || target === '' || by.includes(target) ? by : `${by} (${kind} ${target})`;
}

/** The command that causes an effect. */
export function commandOf({by}: Effect, {command, scripts}: Call): SimpleCommand | undefined {
  return commandBy(
    by,
    [command, ...scripts].flatMap((one) => one?.commands ?? []),
  );
}

export function commandBy(
  by: string,
  commands: readonly SimpleCommand[],
): SimpleCommand | undefined {
  return commands.find(({text}) => text.startsWith(by));
}

/**
 * True if a write replaces the content of an existing file: judged by `basedOn`, or by the diff of the preview if the tool
 * reports none. False for a result, whose writes were voted on before they ran. The `basedOn` of a command is of its scripts.
 */
export function replacesFile({calls, proposal: {kind, text, facts}}: PolicyInput): boolean {
  const basedOn = calls.some(({code}) => code !== undefined) ? undefined : facts.basedOn;
  if (kind === 'result') return false;
  if (basedOn === undefined) return /^@@ -(?!0,0 )\d/m.test(text);
  return (
    basedOn !== 'absent' && !calls.some(({puts}) => puts.some((put) => sha256(put) === basedOn))
  );
}

/** The most reasons that a ballot may have. */
const maxReasons = 20;

/**
 * Rejects with a reason for every offending value. Approves a proposal that is understood. A proposal that is not understood
 * is approved only if it runs confined, can be undone, and confinement resolves every doubt. Otherwise the vote abstains.
 */
export function vote(
  {name, rules, doubts}: Policy,
  proposal: Proposal,
  analysis: CommandAnalysis,
): Ballot {
  const input = {proposal, analysis, calls: readCalls(proposal, analysis)};
  const findings = rules.flatMap((rule) =>
    [...new Set(rule.find(input))].map((value) => ({rule, value})),
  );
  const [first] = findings;
  if (!first) return unrefused(doubts, input);
  const reasons = findings.map(
    ({rule, value}) => `${name}/${rule.id}: ${shown(value)}; safer: ${rule.safer}`,
  );
  return {
    verdict: 'reject',
    reasons: reasons.slice(0, maxReasons),
    confidence: 1,
    suggestedChange: first.rule.safer,
    rules: [...new Set(findings.map(({rule}) => rule.id))],
  };
}

function unrefused(doubts: readonly Doubt[], input: PolicyInput): Ballot {
  const {proposal, analysis} = input;
  const silent = silentTools(input);
  const unknown = [...silent, ...unknownIn(input), ...doubts.flatMap((doubt) => doubt(input))];
  if (unknown.length === 0) {
    const reason = `no rule refuses this ${proposal.kind}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.9};
  }
  const words = [...new Set(unknown.map(({word}) => word.slice(0, maxShown)))];
  const texts = [...new Set(unknown.map(({word, why}) => `${shown(word)}: ${why}`))];
  const isContained =
    analysis.isConfined && analysis.isRestorable && !unknown.some(({evenConfined}) => evenConfined);
  if (silent.length === 0 && isContained) {
    const reasons = texts.map((text) => `${containedReason}: ${text}`);
    return {verdict: 'approve', reasons: reasons.slice(0, maxReasons), confidence: 0.7};
  }
  return {
    verdict: 'abstain',
    reasons: texts.map((text) => `can't judge ${text}`).slice(0, maxReasons),
    confidence: 0,
    unknown: words.slice(0, maxReasons),
  };
}

/** Tools that do not declare what they reach: their arguments prove nothing, confined or not. */
function silentTools({proposal, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls
    .filter(({isStated}) => !isStated)
    .map(({tool}) => ({word: tool, why: 'the tool does not declare what it reaches'}));
}

/** Parts of commands that were not understood. Empty for a result: its commands were judged before they ran. */
function unknownIn({proposal, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls.flatMap(({code, command}) => {
    if (code === undefined) return [];
    return command?.unknown ?? [{word: code, why: 'its effects were not analysed'}];
  });
}

const maxShown = 160;

/** A value in quotes, cut to `maxShown` characters. Characters that could mislead a reader are escaped. */
export function shown(value: string): string {
  const cut = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
  return JSON.stringify(cut.toWellFormed()).replaceAll(
    /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

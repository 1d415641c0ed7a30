/** Rules, which refuse; doubts, which prevent a judgement; and the ballot that results from them. */

import type {Proposal} from '../../machines/domain/review.ts';
import {containedReason} from '../../machines/panel/contained-approval.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import type {Effect, SimpleCommand, Unknown} from '../../tools/commands/understanding.ts';
import {sha256} from '../../tools/read/read.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import {type Call, readCalls} from './call.ts';
import {commandDoubts} from './command-doubts.ts';

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

/** A policy that decides by rule. */
export interface Policy {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Reasons why the policy can't judge a proposal that no rule refuses, besides those of commands. */
  readonly doubts: (input: PolicyInput) => readonly Unknown[];
}

/** A rule about effects, independent of the words of a command. */
export function effectRule(
  rule: Omit<Rule, 'find'> & {
    readonly when: (effect: Effect, call: Call, input: PolicyInput) => boolean;
  },
): Rule {
  const {when, ...rest} = rule;
  const find = (input: PolicyInput) =>
    input.calls.flatMap((call) =>
      call.effects.filter((effect) => when(effect, call, input)).map(effectText),
    );
  return {...rest, find};
}

/** A rule about the words of single commands, at any position in the shell text. */
export function commandRule(
  rule: Omit<Rule, 'find'> & {readonly when: (command: SimpleCommand, call: Call) => boolean},
): Rule {
  const {when, ...rest} = rule;
  const find = ({calls}: PolicyInput) =>
    calls.flatMap((call) =>
      (call.command?.commands ?? []).filter((one) => when(one, call)).map(({text}) => text),
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
 * Rejects with a reason for every offending value. Otherwise the lines of the verdict, in this order: a call that only reads is
 * approved; one that reaches the network, paths outside, or data that undo can't restore abstains; one that is confined and can be
 * undone is approved; so is a usual check that reaches no unknown code; anything else abstains.
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
  if (!first) return unrefused([...doubts(input), ...commandDoubts(input)], input);
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

function unrefused(unknown: readonly Unknown[], {proposal, analysis}: PolicyInput): Ballot {
  if (unknown.length === 0) {
    const reason = `no rule refuses this ${proposal.kind}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.9};
  }
  const texts = [...new Set(unknown.map(({word, why}) => `${shown(word)}: ${why}`))];
  const isContained =
    analysis.isConfined && analysis.isRestorable && !unknown.some(({evenConfined}) => evenConfined);
  if (isContained) {
    const reason = `${containedReason}: ${texts.slice(0, maxReasons).join('; ')}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.7};
  }
  const words = [...new Set(unknown.map(({word}) => word.slice(0, maxShown)))];
  return {
    verdict: 'abstain',
    reasons: texts.map((text) => `can't judge ${text}`).slice(0, maxReasons),
    confidence: 0,
    unknown: words.slice(0, maxReasons),
  };
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

/** A rule that refuses, a doubt that keeps from judging, and how they become a ballot. */

import type {Proposal} from '../../machines/domain/review.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import type {Effect, Unknown} from '../../tools/commands/effect.ts';
import type {SimpleCommand} from '../../tools/commands/understanding.ts';
import {sha256} from '../../tools/read/read.ts';
import {type Call, readCalls} from './call.ts';
import type {Study} from './study/study.ts';

export interface Look {
  readonly proposal: Proposal;
  readonly study: Study;
  readonly calls: readonly Call[];
}

export interface Rule {
  readonly id: string;
  /** What it refuses, for the documentation. */
  readonly refuses: string;
  /** What to do instead, for whoever proposed it. */
  readonly safer: string;
  /** The offending values; none when the rule has nothing against the proposal. */
  readonly find: (look: Look) => readonly string[];
}

/** Why a policy can't judge a proposal that no rule refuses. */
export type Doubt = (look: Look) => readonly Unknown[];

/** A policy that decides by rule. */
export interface Policy {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Beside what was not understood of any command. */
  readonly doubts: readonly Doubt[];
}

interface Applied {
  /** To what a script would do that is only written, too. */
  readonly inScripts?: true;
}

/** A rule about what is done, by whatever words. */
export function effectRule(
  rule: Omit<Rule, 'find'> &
    Applied & {readonly when: (effect: Effect, call: Call, look: Look) => boolean},
): Rule {
  const {when, inScripts, ...rest} = rule;
  const find = (look: Look) =>
    look.calls.flatMap((call) =>
      [...call.effects, ...(inScripts ? call.scripts.flatMap(({effects}) => effects) : [])]
        .filter((effect) => when(effect, call, look))
        .map(effectText),
    );
  return {...rest, find};
}

/** A rule about the words of single commands, wherever they stand. */
export function commandRule(
  rule: Omit<Rule, 'find'> &
    Applied & {readonly when: (command: SimpleCommand, call: Call) => boolean},
): Rule {
  const {when, inScripts, ...rest} = rule;
  const find = ({calls}: Look) =>
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
    readonly of: (call: Call, look: Look) => string | undefined;
  },
): Rule {
  const {of, ...rest} = rule;
  const find = (look: Look) =>
    look.calls.map((call) => of(call, look)).filter((value) => value !== undefined);
  return {...rest, find};
}

/** The command, and what it does where its words don't show it. */
export function effectText({by, kind, target, place}: Effect): string {
  return !place || target === '' || by.includes(target) ? by : `${by} (${kind} ${target})`;
}

/** The command that has an effect. */
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
 * A write that takes its content from a file that exists, by what it is based on; where a tool does not tell that, by its
 * preview's diff. A result doesn't tell what its writes have found: they were voted on before they ran.
 */
export function replacesFile({calls, proposal: {kind, text, facts}}: Look): boolean {
  const {basedOn} = facts;
  if (kind === 'result') return false;
  if (basedOn === undefined) return /^@@ -(?!0,0 )\d/m.test(text);
  return (
    basedOn !== 'absent' && !calls.some(({puts}) => puts.some((put) => sha256(put) === basedOn))
  );
}

/** As many as a ballot may hold. */
const maxReasons = 20;

/**
 * Rejects with a reason for every offending value. Approves what is understood. What is not understood is approved only
 * where it runs confined, can be taken back, and confinement answers every doubt. Otherwise it can't judge, and says why.
 */
export function vote({name, rules, doubts}: Policy, proposal: Proposal, study: Study): Ballot {
  const look = {proposal, study, calls: readCalls(proposal, study)};
  const findings = rules.flatMap((rule) =>
    [...new Set(rule.find(look))].map((value) => ({rule, value})),
  );
  const [first] = findings;
  if (!first) return unrefused(doubts, look);
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

function unrefused(doubts: readonly Doubt[], look: Look): Ballot {
  const {proposal, study} = look;
  const silent = silentTools(look);
  const unknown = [...silent, ...unknownIn(look), ...doubts.flatMap((doubt) => doubt(look))];
  if (unknown.length === 0) {
    const reason = `no rule refuses this ${proposal.kind}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.9};
  }
  const words = [...new Set(unknown.map(({word}) => word.slice(0, maxShown)))];
  const texts = [...new Set(unknown.map(({word, why}) => `${shown(word)}: ${why}`))];
  const isContained =
    study.isConfined && study.isRestorable && !unknown.some(({evenConfined}) => evenConfined);
  if (silent.length === 0 && isContained) {
    const reasons = texts.map(
      (text) => `not understood, but it runs confined and can be taken back: ${text}`,
    );
    return {verdict: 'approve', reasons: reasons.slice(0, maxReasons), confidence: 0.7};
  }
  return {
    verdict: 'abstain',
    reasons: texts.map((text) => `can't judge ${text}`).slice(0, maxReasons),
    confidence: 0,
    unknown: words.slice(0, maxReasons),
  };
}

/** Nothing holds them to what their arguments seem to say, confined or not. */
function silentTools({proposal, calls}: Look): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls
    .filter(({isStated}) => !isStated)
    .map(({tool}) => ({word: tool, why: 'the tool does not say what it reaches'}));
}

/** Of a result, what ran was judged before it ran. */
function unknownIn({proposal, calls}: Look): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls.flatMap(({code, command}) => {
    if (code === undefined) return [];
    return command?.unknown ?? [{word: code, why: 'nobody has looked at what it does'}];
  });
}

const maxShown = 160;

/** A value in quotes, with everything that could fool a reader's eye escaped. */
export function shown(value: string): string {
  const cut = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
  return JSON.stringify(cut.toWellFormed()).replaceAll(
    /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** A rule that refuses, and how a list of rules becomes a ballot. */

import type {Ballot} from '../../machines/domain/ballot.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {type Script, type Command, readScript} from './shell-commands.ts';

/** A call of the proposal, with its shell text read once. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What it runs: the command of `run_command`, or the shell script that a write would leave behind. */
  readonly script: Script | undefined;
  /** The script is only written, not run now. */
  readonly isWritten: boolean;
}

export interface Look {
  readonly proposal: Proposal;
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

/** A rule about single commands, whatever starts them. */
export function commandRule(
  rule: Omit<Rule, 'find'> & {readonly when: (command: Command) => boolean},
): Rule {
  const {when, ...rest} = rule;
  const find = ({calls}: Look) =>
    calls.flatMap(({script}) => (script?.commands ?? []).filter(when).map(({text}) => text));
  return {...rest, find};
}

/** A rule about single calls: the offending value, or undefined. */
export function callRule(
  rule: Omit<Rule, 'find'> & {
    readonly of: (call: Call, proposal: Proposal) => string | undefined;
  },
): Rule {
  const {of, ...rest} = rule;
  const find = ({calls, proposal}: Look) =>
    calls.map((call) => of(call, proposal)).filter((value) => value !== undefined);
  return {...rest, find};
}

/** As many as a ballot may hold. */
const maxReasons = 20;

/** Rejects with a reason for every offending value; approves when no rule fires. */
export function vote(policy: string, rules: readonly Rule[], proposal: Proposal): Ballot {
  const look = {proposal, calls: proposal.facts.calls.map(readCall)};
  const findings = rules.flatMap((rule) =>
    [...new Set(rule.find(look))].map((value) => ({rule, value})),
  );
  const [first] = findings;
  if (!first) {
    const reason = `no rule of policy/${policy} refuses this ${proposal.kind}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.9};
  }
  const reasons = findings.map(
    ({rule, value}) => `${policy}/${rule.id}: ${show(value)}; safer: ${rule.safer}`,
  );
  return {
    verdict: 'reject',
    reasons: reasons.slice(0, maxReasons),
    confidence: 1,
    suggestedChange: first.rule.safer,
  };
}

function readCall({tool, args}: {tool: string; args: Readonly<Record<string, unknown>>}): Call {
  const written = writtenScript(tool, args);
  const text = commandText(args) ?? written;
  const script = text === undefined ? undefined : readScript(text);
  return {tool, args, script, isWritten: written !== undefined};
}

/** Shell text among the arguments, of `run_command` or of a tool that takes one by another name. */
function commandText(args: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of ['command', 'cmd', 'script', 'shell']) {
    const value = args[name];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map((word) => quote(String(word))).join(' ');
  }
  return undefined;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function writtenScript(tool: string, args: Readonly<Record<string, unknown>>): string | undefined {
  const content = tool === 'write_file' ? args['content'] : args['new_text'];
  if (typeof content !== 'string') return undefined;
  const isScript =
    /\.(?:sh|bash|zsh|ksh)$/i.test(argText({args}, 'path')) ||
    /^#!.*\b(?:ba|da|z|k)?sh\b/.test(content);
  return isScript ? content : undefined;
}

/** An argument as text; empty when it is absent or no text. */
export function argText(call: Pick<Call, 'args'>, name: string): string {
  const value = call.args[name];
  return typeof value === 'string' ? value : '';
}

const maxShown = 160;

/** A value in quotes, with everything that could fool a reader's eye escaped. */
function show(value: string): string {
  const cut = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
  return JSON.stringify(cut.toWellFormed()).replaceAll(
    /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** A rule that refuses, and how a list of rules becomes a ballot. */

import type {Ballot} from '../../machines/domain/ballot.ts';
import type {Proposal, ProposedCall} from '../../machines/domain/review.ts';
import {codeOf, isStated, textsAt, type ToolFacts} from '../../machines/domain/tool-facts.ts';
import {sha256} from '../../tools/read/read.ts';
import {type Script, type Command, readScript} from './shell-commands.ts';

/** A call of the proposal, with its shell text read once. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the tool says of itself; of one that says nothing, what its arguments are usually called. */
  readonly facts: ToolFacts;
  /** Files, and folders of files, that it would read, as they were given. */
  readonly reads: readonly string[];
  /** The same, with places and patterns of places that it would only look at. */
  readonly looksAt: readonly string[];
  /** Files that it would write, other than by its script, as they were given. */
  readonly writes: readonly string[];
  /** What the files would come to hold, or the passages in them. */
  readonly puts: readonly string[];
  /** Where it starts, as it was given; empty for the workspace. */
  readonly folder: string;
  /** The shell command that it runs, or the shell script that a write would leave behind. */
  readonly code: string | undefined;
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
    ({rule, value}) => `${policy}/${rule.id}: ${shown(value)}; safer: ${rule.safer}`,
  );
  return {
    verdict: 'reject',
    reasons: reasons.slice(0, maxReasons),
    confidence: 1,
    suggestedChange: first.rule.safer,
    rules: [...new Set(findings.map(({rule}) => rule.id))],
  };
}

/** Arguments as they are usually called: all there is to go by when a tool says nothing of itself. */
const usual: ToolFacts = {lists: ['path', 'base_dir', 'file_pattern']};
const usualFolder = 'working_dir';
const usualCode = ['command', 'cmd', 'script', 'shell'];

function readCall({tool, args, facts: said}: ProposedCall): Call {
  const facts = isStated(said) ? said : {...usual, ...said};
  const reads = textsAt(args, facts.reads);
  const writes = textsAt(args, facts.writes);
  const puts = writes.length > 0 ? putTexts(facts, args) : [];
  const written = puts.find((text) => isScript(writes, text));
  const command = codeOf(facts, args, 'shell') ?? usualCommand(facts, args);
  const code = command ?? written;
  return {
    tool,
    args,
    facts,
    reads,
    looksAt: [...reads, ...textsAt(args, facts.lists)],
    writes,
    puts,
    folder: argText({args}, facts.runs?.folder ?? usualFolder),
    code,
    script: code === undefined ? undefined : readScript(code),
    isWritten: command === undefined && written !== undefined,
  };
}

/** Shell text among the arguments of a tool that does not say what it runs. */
function usualCommand({runs}: ToolFacts, args: ProposedCall['args']): string | undefined {
  if (runs) return undefined;
  for (const name of usualCode) {
    const value = args[name];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map((word) => quote(String(word))).join(' ');
  }
  return undefined;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Without a word on which argument is written: every text that names no place. */
function putTexts(facts: ToolFacts, args: ProposedCall['args']): readonly string[] {
  const {puts, replaces, reads = [], lists = [], writes = []} = facts;
  if (puts !== undefined) return puts in args ? [argText({args}, puts)] : [];
  const named = new Set([...reads, ...lists, ...writes, replaces]);
  return Object.entries(args)
    .filter(([name]) => !named.has(name))
    .map(([, value]) => value)
    .filter((value) => typeof value === 'string');
}

function isScript(paths: readonly string[], text: string): boolean {
  return (
    paths.some((path) => /\.(?:sh|bash|zsh|ksh)$/i.test(path)) ||
    /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text)
  );
}

/** An argument as text; empty when it is absent or no text. */
export function argText(call: Pick<Call, 'args'>, name: string): string {
  const value = call.args[name];
  return typeof value === 'string' ? value : '';
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

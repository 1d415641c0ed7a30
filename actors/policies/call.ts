/** A call of a proposal as rules look at it: what its arguments name, and what its command was understood to do. */

import type {Proposal, ProposedCall} from '../../machines/domain/review.ts';
import {codeOf, isStated, textsAt, type ToolFacts} from '../../machines/domain/tool-facts.ts';
import type {Effect, EffectKind} from '../../tools/commands/effect.ts';
import type {Understanding} from '../../tools/commands/understanding.ts';
import {insidePath} from './inside.ts';
import type {Study} from './study/study.ts';

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the tool says of itself; of one that says nothing, what its arguments are usually called. */
  readonly facts: ToolFacts;
  /** The tool says how far it reaches. */
  readonly isStated: boolean;
  /** Files, and folders of files, that it would read, as they were given. */
  readonly reads: readonly string[];
  /** The same, with places and patterns of places that it would only look at. */
  readonly looksAt: readonly string[];
  /** Files that it would write, other than by its command, as they were given. */
  readonly writes: readonly string[];
  /** What the files would come to hold, or the passages in them. */
  readonly puts: readonly string[];
  /** Where it starts, as it was given; empty for the workspace. */
  readonly folder: string;
  /** The shell command that it runs. */
  readonly code: string | undefined;
  /** What that command does. */
  readonly command: Understanding | undefined;
  /** What it would do: by its arguments, and by its command. */
  readonly effects: readonly Effect[];
  /** What the scripts would do that it writes down. Nothing of it happens now. */
  readonly scripts: readonly Understanding[];
}

export function readCalls({kind, facts}: Proposal, study: Study): Call[] {
  return facts.calls.map((proposed, at) => {
    const call = readArguments(proposed);
    const command = study.calls[at];
    const basedOn = kind === 'result' ? undefined : facts.basedOn;
    const named = namedEffects(call, facts.workspace, basedOn);
    const effects = [...named, ...(command?.effects ?? [])];
    return {...call, command, effects, scripts: study.scripts[at] ?? []};
  });
}

/** Arguments as they are usually called: all there is to go by when a tool says nothing of itself. */
const usual: ToolFacts = {lists: ['path', 'base_dir', 'file_pattern']};
const usualFolder = 'working_dir';
const usualCode = ['command', 'cmd', 'script', 'shell'];

export type CallArguments = Omit<Call, 'command' | 'effects' | 'scripts'>;

export function readArguments({tool, args, facts: said}: ProposedCall): CallArguments {
  const facts = isStated(said) ? said : {...usual, ...said};
  const reads = textsAt(args, facts.reads);
  const writes = textsAt(args, facts.writes);
  return {
    tool,
    args,
    facts,
    isStated: isStated(said),
    reads,
    looksAt: [...reads, ...textsAt(args, facts.lists)],
    writes,
    puts: writes.length > 0 ? putTexts(facts, args) : [],
    folder: argText({args}, facts.runs?.folder ?? usualFolder),
    code: codeOf(facts, args, 'shell') ?? usualCommand(facts, args),
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

/** An argument as text; empty when it is absent or no text. */
export function argText(call: Pick<Call, 'args'>, name: string): string {
  const value = call.args[name];
  return typeof value === 'string' ? value : '';
}

/** What the arguments themselves say, as effects on the places that they name. */
function namedEffects(call: CallArguments, workspace: string, basedOn?: string): Effect[] {
  const {tool, reads, looksAt, writes, facts} = call;
  const onWrite = facts.replaces === undefined ? 'writes' : 'edits';
  const state = basedOn === 'absent' ? 'absent' : 'unknown';
  const at = (kind: EffectKind, given: string): Effect => {
    const path = insidePath(given, workspace);
    const place = {path: path ?? given, inside: path !== undefined, isFolder: false};
    const by = `${tool} ${given}`;
    const isChange = kind === onWrite;
    return {kind, target: given, place: {...place, state: isChange ? state : 'unknown'}, by};
  };
  return [
    ...reads.map((path) => at('reads', path)),
    ...looksAt.filter((path) => !reads.includes(path)).map((path) => at('lists', path)),
    ...writes.map((path) => at(onWrite, path)),
  ];
}

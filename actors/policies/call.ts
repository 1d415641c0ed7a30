/** A call of a proposal as rules see it: the places that its arguments name, and the effects of its command. */

import {commandText} from '../../machines/domain/program.ts';
import type {Proposal, ProposedCall} from '../../machines/domain/review.ts';
import {
  codeOf,
  isStated,
  passagesAt,
  textsAt,
  type ToolFacts,
} from '../../machines/domain/tool-facts.ts';
import type {Effect, EffectKind, Understanding} from '../../tools/commands/understanding.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The facts that the tool declares. For a tool that declares none, the usual names of arguments. */
  readonly facts: ToolFacts;
  /** True if the tool declares what it reaches. */
  readonly isStated: boolean;
  /** Files, and folders of files, that the call would read, as given. */
  readonly reads: readonly string[];
  /** `reads`, and places and patterns of places that the call would only list. */
  readonly looksAt: readonly string[];
  /** Files that the call would write, except by its command, as given. */
  readonly writes: readonly string[];
  /** The new contents of these files, or of passages in them. */
  readonly puts: readonly string[];
  /** The folder in which the command starts, as given. Empty: the workspace. */
  readonly folder: string;
  /** The shell command that the call runs. */
  readonly code: string | undefined;
  /** The analysis of that command. */
  readonly command: Understanding | undefined;
  /** The effects of the call: by its arguments, and by its command. */
  readonly effects: readonly Effect[];
}

export function readCalls({kind, facts}: Proposal, analysis: CommandAnalysis): Call[] {
  return facts.calls.map((proposed, at) => {
    const call = readArguments(proposed);
    const command = analysis.calls[at];
    const basedOn = kind === 'result' ? undefined : facts.basedOn;
    const named = namedEffects(call, facts.workspace, basedOn);
    const effects = [...named, ...(command?.effects ?? [])];
    return {...call, command, effects};
  });
}

/** Usual names of arguments, for tools that declare no facts. */
const usual: ToolFacts = {lists: ['path', 'base_dir', 'file_pattern']};
const usualFolder = 'working_dir';
const usualCode = ['command', 'cmd', 'script', 'shell'];

export type CallArguments = Omit<Call, 'command' | 'effects'>;

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
    folder: folderText(facts, args),
    code: codeOf(facts, args, 'shell') ?? usualCommand(facts, args),
  };
}

function folderText({runs, program}: ToolFacts, args: ProposedCall['args']): string {
  return program ? (program.folder ?? '') : argText({args}, runs?.folder ?? usualFolder);
}

/** The shell text in the arguments of a tool that does not declare what it runs. */
function usualCommand({runs}: ToolFacts, args: ProposedCall['args']): string | undefined {
  if (runs) return undefined;
  for (const name of usualCode) {
    const value = args[name];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return commandText(value.map(String));
  }
  return undefined;
}

/** The texts that the call writes. If the tool does not declare which argument it writes: every text that is not a place. */
function putTexts(facts: ToolFacts, args: ProposedCall['args']): readonly string[] {
  const {puts, replaces = [], reads = [], lists = [], writes = []} = facts;
  if (puts !== undefined) return passagesAt(args, puts);
  const named = new Set([...reads, ...lists, ...writes, ...[replaces].flat()]);
  return Object.entries(args)
    .filter(([name]) => !named.has(name))
    .map(([, value]) => value)
    .filter((value) => typeof value === 'string');
}

/** An argument as text. Empty when it is absent or not a text. */
export function argText(call: Pick<Call, 'args'>, name: string): string {
  const value = call.args[name];
  return typeof value === 'string' ? value : '';
}

/** The effects on the places that the arguments name. */
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

// Resolves paths as text, relative to the workspace. Tools handle links.

/**
 * A path relative to the workspace, without `.` and `..`; undefined when it leaves the workspace.
 * `from` is the folder it starts in, relative to the workspace.
 */
export function insidePath(path: string, workspace: string, from = ''): string | undefined {
  if (/^~|^[A-Za-z]:[\\/]|^\\\\|^file:|\0/.test(path)) return undefined;
  const root = workspace.replace(/\/+$/, '');
  if (path.startsWith('/')) {
    const resolved = joinPath('', path);
    if (root === '' || resolved === undefined) return undefined;
    if (`/${resolved}` === root) return '';
    return `/${resolved}`.startsWith(`${root}/`) ? resolved.slice(root.length) : undefined;
  }
  return joinPath(from, path);
}

function joinPath(from: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${from}/${path.replaceAll('\\', '/')}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

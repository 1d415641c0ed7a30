/**
 * Reads a command: its simple commands in any position, the places that they name, and the parts that are not known readers.
 *
 * Literal words, `cd`, plain variables, loops over literal words, package scripts and shell scripts are followed; anything else
 * is unknown. A prediction is a shortcut: the kernel confines what is not known.
 */

import {posix} from 'node:path';

import {readCall} from './calls.ts';
import type {Node, Part, RawRedirect, RawWord, Script, Simple} from './grammar/grammar.ts';
import {parseShell} from './grammar/parse.ts';
import {harmlessSetting} from './known.ts';
import {
  type Call,
  copyOf,
  createNotes,
  emptyCall,
  inOrder,
  isCode,
  notePlace,
  type Notes,
  type Shell,
} from './notes.ts';
import {noteComputed} from './readers.ts';
import {noteSetting} from './starters.ts';
import type {Surroundings} from './surroundings.ts';
import {type Understanding, type Word, wordOf} from './understanding.ts';

const maxLength = 30_000;
const maxDepth = 8;
const maxRounds = 20;

export interface Looking {
  readonly surroundings: Surroundings;
  /** The starting folder of the command, relative to the workspace. */
  readonly folder: string;
  /** Paths that this run wrote or may have changed: as code they are unknown. */
  readonly written: readonly string[];
}

/** Never rejects. Text, commands and depth are limited; anything beyond a limit is unknown. */
export async function understand(
  command: string,
  {surroundings, folder, written}: Looking,
): Promise<Understanding> {
  const notes = createNotes(surroundings, new Set(written), {readText, readCall});
  const {path} = await surroundings.placeOf(folder === '' ? '.' : folder, {isKept: true});
  const start = posix.resolve(surroundings.workspace, path);
  const {home} = surroundings;
  const variables = new Map([['PWD', start]]);
  if (home !== undefined) variables.set('HOME', home);
  const shell = {folders: [start], isSure: false, variables, depth: 0, following: []};
  try {
    await readText(notes, command, command, shell);
    await notes.addReachedCode();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    notes.miss(command, `could not be read: ${why}`, isCode);
  }
  return notes.toUnderstanding();
}

/** The text runs in the shell given, which it changes. `name`: the script, for reports. */
async function readText(notes: Notes, text: string, name: string, shell: Shell): Promise<void> {
  if (text.length > maxLength || shell.depth > maxDepth)
    return notes.miss(name, 'is too long or nested too deeply', isCode);
  const parsed = parseShell(text);
  if (!parsed.ok) return notes.miss(name, parsed.why, isCode);
  const inner = {...shell, depth: shell.depth + 1};
  await readScript(notes, parsed.script, inner);
  shell.folders = inner.folders;
}

async function readScript(notes: Notes, script: Script, shell: Shell): Promise<void> {
  await inOrder(script, async ({node, isBackground}) => {
    if (isBackground) {
      notes.miss('the background', 'outlives the line');
      return readNode(notes, node, copyOf(shell), false);
    }
    const before = shell.folders;
    await readNode(notes, node, shell, false);
    if (!shell.isSure) shell.folders = union(before, shell.folders);
  });
}

function union(...folders: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(folders.flat())];
}

async function readNode(notes: Notes, node: Node, shell: Shell, piped: boolean): Promise<void> {
  shell.isSure = false;
  if (node.kind === 'simple') return await readSimple(notes, node, shell, piped);
  if (node.kind === 'pipe') return await readPipe(notes, node.nodes, shell, piped);
  if (node.kind === 'chain') return await readChain(notes, node, shell, piped);
  if (node.kind !== 'redirected') return await readCompound(notes, node, shell);
  const call = notes.addCall(emptyCall(node.text));
  await noteRedirects(notes, await readTargets(notes, node.redirects, shell), {call, shell});
  const before = copyOf(shell);
  await readNode(notes, node.node, shell, piped);
  forgetRun(shell, before);
}

/** A redirection that fails keeps a command from running. */
function forgetRun(shell: Shell, before: Shell): void {
  shell.folders = union(before.folders, shell.folders);
  shell.isSure = false;
  forgetChanged(shell, before);
}

type Compound = Exclude<Node, {readonly kind: 'simple' | 'pipe' | 'chain' | 'redirected'}>;

async function readCompound(notes: Notes, node: Compound, shell: Shell): Promise<void> {
  switch (node.kind) {
    case 'group':
      return await readScript(notes, node.body, shell);
    case 'subshell':
      return await readScript(notes, node.body, copyOf(shell));
    case 'for':
      return await readFor(notes, node, shell);
    case 'if':
      return await readIf(notes, node, shell);
    case 'while':
      return await readLoop(notes, [...node.test, ...node.body], shell);
    case 'case':
      return await readCase(notes, node, shell);
    case 'opaque':
      return notes.miss(node.word, node.why, isCode);
    case 'function':
    case 'either':
      return notes.miss(node.kind, 'is not followed', isCode);
    default:
  }
}

type OfKind<Kind extends Node['kind']> = Extract<Node, {readonly kind: Kind}>;

async function readIf(notes: Notes, node: OfKind<'if'>, shell: Shell): Promise<void> {
  await inOrder(node.branches, async ({test, body}) => {
    await readBranch(notes, test, shell);
    await readBranch(notes, body, shell);
  });
  await readBranch(notes, node.otherwise ?? [], shell);
}

async function readCase(notes: Notes, node: OfKind<'case'>, shell: Shell): Promise<void> {
  await readWord(notes, node.word, shell);
  await inOrder(node.items, async ({patterns, body}) => {
    await inOrder(patterns, async (one) => void (await readWord(notes, one, shell)));
    await readBranch(notes, body, shell);
  });
}

/** Each part has a shell of its own; `! cd src` is a pipe of one part, which has not. */
async function readPipe(
  notes: Notes,
  nodes: readonly Node[],
  shell: Shell,
  piped: boolean,
): Promise<void> {
  const before = shell.folders;
  await inOrder(nodes, async (one, at) => {
    const own = nodes.length > 1 ? copyOf(shell) : shell;
    await readNode(notes, one, own, piped || at > 0);
  });
  shell.folders = union(before, shell.folders);
}

/** A part that may not run: afterwards the shell is in any of the states before and after it. */
async function readBranch(notes: Notes, body: Script, shell: Shell): Promise<void> {
  const before = copyOf(shell);
  await readScript(notes, body, shell);
  shell.folders = union(before.folders, shell.folders);
  forgetChanged(shell, before);
}

/** Variables that may have another value are not known. */
function forgetChanged({variables}: Shell, before: Shell): void {
  for (const name of changedVariables(variables, before.variables)) variables.delete(name);
}

type Variables = Shell['variables'];

function changedVariables(now: Variables, before: Variables): readonly string[] {
  const names = [...new Set([...now.keys(), ...before.keys()])];
  return names.filter((name) => now.get(name) !== before.get(name));
}

/** A part that runs any number of times: only its first round is read, so the next ones must not differ. */
async function readLoop(notes: Notes, body: Script, shell: Shell): Promise<void> {
  const before = copyOf(shell);
  await readBranch(notes, body, shell);
  const isOther = changedVariables(shell.variables, before.variables).length > 0;
  if (isOther || shell.folders.length > before.folders.length)
    notes.miss('a loop', 'changes the folder or a variable', isCode);
}

/** After `cd A && B`, B runs in A; after a failure, the shell may be in the folder before or after. */
async function readChain(
  notes: Notes,
  {first, rest}: OfKind<'chain'>,
  shell: Shell,
  piped: boolean,
): Promise<void> {
  const start = shell.folders;
  await readNode(notes, first, shell, piped);
  let passed = shell.folders;
  let failed = union(start, passed);
  await inOrder(rest, async ({operator, node}) => {
    shell.folders = operator === '&&' ? passed : failed;
    const skipped = copyOf(shell);
    await readNode(notes, node, shell, piped);
    forgetChanged(shell, skipped);
    passed = operator === '&&' ? shell.folders : union(passed, shell.folders);
    failed = union(failed, skipped.folders, shell.folders);
  });
  shell.folders = failed;
}

async function readFor(
  notes: Notes,
  {name, words, body}: OfKind<'for'>,
  shell: Shell,
): Promise<void> {
  const values: Word[] = [];
  await inOrder(words ?? [], async (one) => void values.push(await readWord(notes, one, shell)));
  const call = notes.addCall(emptyCall(`for ${name}`));
  if (!harmlessSetting(name, undefined)) notes.miss(call, 'may change what a program runs', isCode);
  await inOrder(values, async (word) => {
    if (word.pattern && word.known) await notePlace(notes, 'lists', word, {shell, call});
  });
  shell.variables.delete(name);
  const isPlain = words !== undefined && values.length <= maxRounds && values.every(isLiteral);
  if (!isPlain) return await readLoop(notes, body, shell);
  await inOrder(values, async ({text}) => {
    shell.variables.set(name, text);
    await readBranch(notes, body, shell);
  });
  shell.variables.delete(name);
}

function isLiteral({known, pattern}: Word): boolean {
  return known && !pattern;
}

interface Reading {
  text: string;
  known: boolean;
  pattern: boolean;
  quoted: boolean;
}

/** Substituted commands are read as well; their output is unknown. */
async function readWord(notes: Notes, {parts}: RawWord, shell: Shell): Promise<Word> {
  const word: Reading = {text: '', known: true, pattern: false, quoted: true};
  await inOrder(parts, async (part) => {
    if (part.kind === 'text') return addText(word, part, shell);
    const value = valueOf(part, shell);
    const isQuoted = 'quoted' in part && part.quoted;
    word.text += value ?? part.written;
    if (value !== undefined && (isQuoted || /^[^\s*?[\\~]+$/.test(value))) return;
    word.known = false;
    word.quoted &&= isQuoted;
    if (value === undefined) await readHidden(notes, part, shell);
  });
  // The command of this name is not a pattern.
  if (word.text === '[') word.pattern = false;
  // Which of its characters are quoted decides what it matches.
  if (word.pattern && parts.some(isQuotedPattern)) word.known = false;
  return word;
}

type TextPart = Extract<Part, {kind: 'text'}>;

function addText(word: Reading, {text, quoted}: TextPart, {variables}: Shell): void {
  word.pattern ||= !quoted && /[*?[]/.test(text);
  const home = variables.get('HOME') ?? '~';
  const isHome = !quoted && word.text === '';
  word.text += isHome ? text.replace(/^~(?=\/|$)/, home) : text;
}

function isQuotedPattern(part: Part): boolean {
  return part.kind === 'text' && part.quoted && /[*?[\]\\]/.test(part.text);
}

function valueOf(part: Part, {variables}: Shell): string | undefined {
  const isPlain = part.kind === 'parameter' && !part.operator && !part.isLength;
  return isPlain ? variables.get(part.name) : undefined;
}

/** Commands in a part of a word whose value is not known. */
async function readHidden(
  notes: Notes,
  part: Exclude<Part, TextPart>,
  shell: Shell,
): Promise<void> {
  if (part.kind === 'command' || part.kind === 'process')
    await readScript(notes, part.script, copyOf(shell));
  if (hasHiddenCode(part)) notes.miss(part.written, 'is not followed', isCode);
}

/**
 * `${x:-$(…)}`; `${x:=a}` sets a variable; a variable in an arithmetic expression may hold an expression with a command in it;
 * a file of `<(…)` is not a place.
 */
function hasHiddenCode(part: Exclude<Part, TextPart>): boolean {
  if (part.kind === 'arithmetic') return /[^\d\s+*/%()<>=!&|^~?:,-]/.test(part.expression);
  if (part.kind !== 'parameter') return part.kind !== 'command';
  const {operator = '', operand} = part;
  return operator.includes('=') || (operand !== undefined && /[`$<[]/.test(operand.written));
}

async function readSimple(
  notes: Notes,
  simple: Simple,
  shell: Shell,
  piped: boolean,
): Promise<void> {
  const {words, text} = simple;
  const env = await readAssignments(notes, simple, shell);
  const given: Word[] = [];
  await inOrder(words, async (one) => void given.push(await readWord(notes, one, shell)));
  const redirects = await readTargets(notes, simple.redirects, shell);
  const [head = wordOf(''), ...args] = given;
  const call = notes.addCall({
    head,
    args,
    env,
    redirects,
    text,
    piped: piped || redirects.some(({operator}) => operator.startsWith('<')),
    input: redirects.find(({operator}) => operator === 'here')?.target.text,
    folder: shell.folders.length === 1 ? shell.folders[0] : undefined,
  });
  await noteRedirects(notes, redirects, {call, shell});
  const before = copyOf(shell);
  if (given.length > 0) await readCall(notes, call, shell);
  if (redirects.length > 0) forgetRun(shell, before);
  // The shell's own test, of which only the text is known.
  if (given.length === 0 && /^\[\[.*(?:[\s"']\/|~|\.\.)/s.test(text))
    notes.miss(call, 'it may look outside');
}

/** Assignments alone stay in the shell; before some commands they may stay as well. */
async function readAssignments(
  notes: Notes,
  {assignments, words, redirects}: Simple,
  shell: Shell,
): Promise<Record<string, Word>> {
  const env: Record<string, Word> = {};
  await inOrder(assignments, async ({name, value}) => {
    const word = await readWord(notes, value, shell);
    env[name] = word;
    const isKept = words.length === 0 && redirects.length === 0 && word.known;
    if (isKept) shell.variables.set(name, word.text);
    else shell.variables.delete(name);
    noteSetting(notes, name, word);
  });
  return env;
}

type Targets = Call['redirects'];

async function readTargets(
  notes: Notes,
  redirects: readonly RawRedirect[],
  shell: Shell,
): Promise<Targets> {
  const targets: {operator: string; target: Word}[] = [];
  await inOrder(redirects, async ({operator, target}) => {
    targets.push({operator, target: await readWord(notes, target, shell)});
  });
  return targets;
}

async function noteRedirects(
  notes: Notes,
  redirects: Targets,
  at: {readonly call: Call; readonly shell: Shell},
): Promise<void> {
  await inOrder(redirects, async ({operator, target}) => {
    if (operator === 'here') return noteComputed(notes, at.call, [target]);
    if (/^[<>]&$/.test(operator) && target.known && /^[012-]$/.test(target.text)) return;
    if (target.pattern) notes.miss(at.call, 'not every shell looks for what a redirection matches');
    const writes = operator.endsWith('>>') ? 'appends' : 'writes';
    await notePlace(notes, operator === '<' ? 'reads' : writes, target, at);
  });
}

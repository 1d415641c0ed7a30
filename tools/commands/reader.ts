/**
 * Reads a command: its simple commands in any position, the places that they name, and the parts that are not known readers.
 *
 * Literal words, `cd`, plain variables, loops over literal words, package scripts and shell scripts are followed; anything else
 * is unknown. A prediction is a shortcut: the kernel confines what is not known.
 */

import {posix} from 'node:path';

import {readCall} from './calls.ts';
import type {Node, RawRedirect, RawWord, Script, Simple} from './grammar/grammar.ts';
import {parseShell} from './grammar/parse.ts';
import {harmlessSettings, harmlessVariables} from './known.ts';
import {type Call, createNotes, notePlace, type Notes, type Shell} from './notes.ts';
import type {Surroundings} from './surroundings.ts';
import type {Understanding} from './understanding.ts';
import type {Word} from './word.ts';

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
  const notes = createNotes(surroundings, new Set(written), readText);
  const {path} = await surroundings.placeOf(folder === '' ? '.' : folder, {isKept: true});
  const start = posix.resolve(surroundings.workspace, path);
  const {home} = surroundings;
  const variables = new Map([
    ['PWD', start],
    ...(home === undefined ? [] : [['HOME', home] as const]),
  ]);
  try {
    await readText(notes, command, command, {folders: [start], variables, depth: 0, following: []});
    await notes.addReachedCode();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    notes.miss({word: command, why: `could not be read: ${why}`, isCode: true});
  }
  return notes.toUnderstanding();
}

/** The text runs in the shell given, which it changes. `name`: the script, for reports. */
async function readText(notes: Notes, text: string, name: string, shell: Shell): Promise<void> {
  if (text.length > maxLength || shell.depth > maxDepth) {
    notes.miss({word: name, why: 'is too long or nested too deeply', isCode: true});
    return;
  }
  const parsed = parseShell(text);
  if (parsed.ok) await readScript(notes, parsed.script, {...shell, depth: shell.depth + 1}, shell);
  else notes.miss({word: name, why: parsed.why, isCode: true});
}

async function readScript(
  notes: Notes,
  script: Script,
  inner: Shell,
  outer = inner,
): Promise<void> {
  for (const {node, isBackground} of script) {
    // oxlint-disable-next-line no-await-in-loop -- one command after the other changes the shell
    await readNode(notes, node, isBackground ? copyOf(inner) : inner, false);
    if (isBackground) notes.miss({word: 'the background', why: 'outlives the line'});
  }
  outer.folders = inner.folders;
}

function copyOf(shell: Shell): Shell {
  return {...shell, variables: new Map(shell.variables)};
}

async function readNode(notes: Notes, node: Node, shell: Shell, piped: boolean): Promise<void> {
  switch (node.kind) {
    case 'simple':
      return await readSimple(notes, node, shell, piped);
    case 'pipe':
      return await each(node.nodes, async (one, at) =>
        readNode(notes, one, copyOf(shell), piped || at > 0),
      );
    case 'chain':
      return await readChain(notes, node, shell, piped);
    case 'group':
      return await readScript(notes, node.body, shell);
    case 'subshell':
      return await readScript(notes, node.body, copyOf(shell));
    case 'redirected':
      await readNode(notes, node.node, shell, piped);
      return await readRedirects(notes, node.redirects, shell, notes.lastCall(node.text));
    case 'for':
      return await readFor(notes, node, shell);
    case 'if':
      await each(node.branches, async ({test, body}) => {
        await readScript(notes, test, shell);
        await readBranch(notes, body, shell);
      });
      return await readBranch(notes, node.otherwise ?? [], shell);
    case 'while':
      await readScript(notes, node.test, shell);
      return await readBranch(notes, node.body, shell);
    case 'case':
      await readWord(notes, node.word, shell);
      return await each(node.items, async ({body}) => readBranch(notes, body, shell));
    case 'function':
    case 'either':
    case 'opaque':
      return notes.miss({
        word: node.kind === 'opaque' ? node.word : node.kind,
        why: node.kind === 'opaque' ? node.why : 'is not followed',
        isCode: true,
      });
    default:
  }
}

async function each<One>(
  list: readonly One[],
  read: (one: One, at: number) => Promise<void>,
): Promise<void> {
  for (const [at, one] of list.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the text
    await read(one, at);
  }
}

/** A part that may not run: afterwards the shell is in any of the folders before and after it. */
async function readBranch(notes: Notes, body: Script, shell: Shell): Promise<void> {
  const before = shell.folders;
  await readScript(notes, body, shell);
  shell.folders = [...new Set([...before, ...shell.folders])];
}

/** After `cd A && B`, B runs in A; what follows the chain runs in either folder. */
async function readChain(
  notes: Notes,
  {first, rest}: Extract<Node, {kind: 'chain'}>,
  shell: Shell,
  piped: boolean,
): Promise<void> {
  const before = shell.folders;
  await readNode(notes, first, shell, piped);
  const seen = [before, shell.folders];
  for (const {operator, node} of rest) {
    if (operator === '||') shell.folders = [...new Set(seen.flat())];
    // oxlint-disable-next-line no-await-in-loop -- as above
    await readNode(notes, node, shell, piped);
    seen.push(shell.folders);
  }
  shell.folders = [
    ...new Set(rest.some(({operator}) => operator === '||') ? seen.flat() : seen.flat()),
  ];
}

async function readFor(
  notes: Notes,
  {name, words, body}: Extract<Node, {kind: 'for'}>,
  shell: Shell,
): Promise<void> {
  const values = await Promise.all((words ?? []).map(async (one) => readWord(notes, one, shell)));
  const isPlain = words !== undefined && values.length <= maxRounds && values.every(isLiteral);
  shell.variables.delete(name);
  for (const value of isPlain ? values : [undefined]) {
    if (value) shell.variables.set(name, value.text);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await readBranch(notes, body, shell);
  }
  shell.variables.delete(name);
}

function isLiteral({known, pattern}: Word): boolean {
  return known && !pattern;
}

/** Substituted commands are read as well; their output is unknown. */
async function readWord(notes: Notes, {parts}: RawWord, shell: Shell): Promise<Word> {
  const word = {text: '', known: true, pattern: false, quoted: true};
  for (const part of parts) {
    if (part.kind === 'text') {
      word.pattern ||= !part.quoted && /[*?]|\[.+\]/.test(part.text);
      word.text += part.quoted || word.text !== '' ? part.text : withHome(part.text, shell);
      continue;
    }
    const value =
      part.kind === 'parameter' && !part.operator && !part.isLength
        ? shell.variables.get(part.name)
        : undefined;
    word.text += value ?? part.written;
    if (value !== undefined && (('quoted' in part && part.quoted) || !/[\s*?[\\]/.test(value)))
      continue;
    word.known = false;
    word.quoted &&= 'quoted' in part && part.quoted;
    if (part.kind === 'command' || part.kind === 'process') {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await readScript(notes, part.script, copyOf(shell));
    }
    if (part.kind === 'opaque' || part.kind === 'process' || hasHiddenCode(part)) {
      notes.miss({word: part.written, why: 'is not followed', isCode: true});
    }
  }
  return word;
}

/** `${x:-$(…)}`; a variable in an arithmetic expression may hold an expression with a command in it. */
function hasHiddenCode(part: RawWord['parts'][number]): boolean {
  if (part.kind === 'arithmetic') return /[^\d\s+*/%()<>=!&|^~?:,-]/.test(part.expression);
  return (
    part.kind === 'parameter' && part.operand !== undefined && /[`$<[]/.test(part.operand.written)
  );
}

function withHome(text: string, {variables}: Shell): string {
  return text.replace(/^~(?=\/|$)/, variables.get('HOME') ?? '~');
}

async function readSimple(
  notes: Notes,
  simple: Simple,
  shell: Shell,
  piped: boolean,
): Promise<void> {
  const {assignments, words, redirects, text} = simple;
  const env: Record<string, Word> = {};
  for (const {name, value} of assignments) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    const word = await readWord(notes, value, shell);
    env[name] = word;
    if (words.length === 0 && isLiteral(word)) shell.variables.set(name, word.text);
    else if (words.length === 0) shell.variables.delete(name);
    if (!harmlessVariables.test(name) && !harmlessSettings.test(`${name}=${word.text}`)) {
      notes.miss({
        word: `${name}=${word.text}`,
        why: 'may change what a program runs',
        isCode: true,
      });
    }
  }
  const given: Word[] = [];
  // oxlint-disable-next-line no-await-in-loop -- as above
  for (const one of words) given.push(await readWord(notes, one, shell));
  const targets: Word[] = [];
  // oxlint-disable-next-line no-await-in-loop -- as above
  for (const {target} of redirects) targets.push(await readWord(notes, target, shell));
  const [head, ...args] = given;
  const here = redirects.findIndex(({operator}) => operator === 'here');
  const call: Call = notes.addCall({
    head: head ?? {text: '', known: true, pattern: false, quoted: true},
    args,
    env,
    redirects: redirects.map(({operator}, at) => ({operator, target: targets[at] ?? given[0]!})),
    text,
    piped: piped || redirects.some(({operator}) => operator.startsWith('<')),
    input: here < 0 ? undefined : targets[here]?.text,
    folder: shell.folders.length === 1 ? shell.folders[0] : undefined,
  });
  await readRedirects(notes, redirects, shell, call);
  if (head) await readCall(notes, call, shell);
}

async function readRedirects(
  notes: Notes,
  redirects: readonly RawRedirect[],
  shell: Shell,
  call: Call,
): Promise<void> {
  for (const {operator, target} of redirects) {
    if (operator === 'here') continue;
    if (/^[<>]&$/.test(operator) && /^[\d-]$/.test(target.written)) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const word = await readWord(notes, target, shell);
    const writes = operator.endsWith('>>') ? 'appends' : 'writes';
    // oxlint-disable-next-line no-await-in-loop -- as above
    await notePlace(notes, operator === '<' ? 'reads' : writes, word, {shell, call});
  }
}

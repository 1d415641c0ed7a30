/** Reads a simple command: by the name of its program, as a reader, a writer of plain files, git, a start of other commands, or anything else. */

import {posix} from 'node:path';

import {
  addressesIn,
  computedMark,
  isThisMachine,
  parseAddress,
} from '../../machines/places/address.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import {readGit, showing} from './git-call.ts';
import {isInterpreter, reachingRows} from './known.ts';
import {
  addEffect,
  byOf,
  type Call,
  inOrder,
  isCode,
  lineOf,
  notePlace,
  type Notes,
  noteWords,
  pathFrom,
  type ReadCall,
  type Shell,
} from './notes.ts';
import {readerTable, readReader, readSet, readTest} from './readers.ts';
import {
  followMake,
  followInstallScripts,
  followPackageScript,
  followShellFile,
  isInstalled,
  readsAsShell,
} from './scripts.ts';
import {
  builtins,
  prefixes,
  readEval,
  readExport,
  readInstalled,
  readInterpreter,
  readPackageProgram,
  readPrefix,
  readShell,
  readSource,
} from './starters.ts';
import {type EffectKind, knownToGit, type Word, wordOf} from './understanding.ts';

// Programs that write plain files, and the places that their operands name.

interface Writer {
  /** Options that change the meaning of the operands, or set permissions. */
  readonly barred: RegExp;
  readonly first?: EffectKind;
  readonly last: EffectKind;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
}

const writers: ReadonlyMap<string, Writer> = new Map(
  Object.entries({
    mkdir: {barred: /^-[a-z]*[mZ]|^--mode|^--context/, last: 'creates'},
    touch: {barred: /^-[a-z]*[rdt]|^--(?:ref|date|time)/, last: 'creates'},
    rm: {barred: /^--no-preserve/, last: 'deletes'},
    rmdir: {barred: /^$/, last: 'deletes'},
    unlink: {barred: /^$/, last: 'deletes'},
    mv: {barred: /^-[a-zA-Z]*[tS]|^--(?:target|suffix)/, first: 'moves', last: 'writes'},
    cp: {
      barred: /^-[a-zA-Z]*[tSlsZ]|^--(?:target|suffix|link|symbolic|context|parents)/,
      first: 'reads',
      last: 'writes',
    },
    tee: {barred: /^-[a-z]*p|^--output/, last: 'writes'},
    truncate: {barred: /^--?r/, last: 'empties', valued: /^-[sr]$/},
    ln: {barred: /^-[a-zA-Z]*[tSL]|^--(?:target|suffix)/, first: 'lists', last: 'writes'},
    chmod: {barred: /^--ref/, last: 'edits'},
    sed: {barred: /^-[a-z]*f|^--(?:file|follow)/, last: 'edits'},
  } satisfies Record<string, Writer>),
);

/** `sed` only with the option to write. */
function isWriter({head, args}: Pick<Call, 'head' | 'args'>): boolean {
  if (head.text === 'sed') return args.some(({text}) => /^-[nErsz]*i|^--in-place/.test(text));
  return writers.has(head.text);
}

/** Writing is never approved by reading alone. */
async function readWriter(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head, args} = call;
  const writer = writers.get(head.text);
  if (!writer) return;
  const texts = args.map(({text}) => text);
  const operands = operandsOf(call, writer);
  const isOdd = texts.some((text) => text.startsWith('-') && writer.barred.test(text));
  if (isOdd || operands.length === 0 || args.some(({known}) => !known))
    notes.miss(call, 'it writes to places that are not known');
  if (args.some(({pattern}) => pattern)) notes.miss(call, 'it writes to what a pattern matches');
  const isTree = texts.some((text) => /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)/.test(text));
  await inOrder(operands, async (operand, at) => {
    const isLast = at === operands.length - 1;
    const kind = (isLast ? undefined : writer.first) ?? lastKind(head.text, writer, texts);
    await notePlace(notes, kind, operand, {shell, call, isTree});
  });
}

function lastKind(name: string, {last}: Writer, texts: readonly string[]): EffectKind {
  return name === 'tee' && texts.some((text) => /^-[a-z]*a|^--append/.test(text))
    ? 'appends'
    : last;
}

/** Without options and their values, the mode of `chmod` and the script of `sed`. */
function operandsOf({head, args}: Call, {valued}: Writer): readonly Word[] {
  const plain = args.filter(
    ({text}, at) => !/^-./.test(text) && !valued?.test(args[at - 1]?.text ?? ''),
  );
  const isGiven =
    head.text === 'chmod' &&
    args.some(({text}) => /^-[ugoarwxXst]/.test(text) && !/^-[cfvR]+$/.test(text));
  return /^(?:chmod|sed)$/.test(head.text) && !isGiven ? plain.slice(1) : plain;
}

/** By the name of the program. */
const readersByName: ReadonlyMap<string, ReadCall> = new Map([
  ...all(readerTable.keys(), readReader),
  ...all(prefixes.keys(), readPrefix),
  ...all(['[', 'test'], readTest),
  ...all(['make', 'gmake'], followMake),
  ...all(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh'], readShell),
  ...all(['.', 'source'], readSource),
  ['cd', changeFolder],
  ['set', readSet],
  ['git', readGit],
  ['eval', readEval],
  ['export', readExport],
]);

function all(names: Iterable<string>, read: ReadCall): [string, ReadCall][] {
  return Array.from(names, (name) => [name, read]);
}

export async function readCall(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head} = call;
  const name = head.text;
  if (!head.known || head.pattern) return notes.miss(name, 'a computed program', isCode);
  const isWriting = isWriter(call);
  if (!isWriting) await noteNames(notes, call, shell);
  if (name.includes('/')) return await readPath(notes, call, shell);
  const read = isWriting ? readWriter : readersByName.get(name);
  await (read ?? readProgram)(notes, call, shell);
}

/** A program that no table names. */
async function readProgram(notes: Notes, call: Call, shell: Shell): Promise<void> {
  if (await followPackageScript(notes, call, shell)) return;
  if (await readPackageProgram(notes, call, shell)) return;
  if (isInterpreter(call.head.text)) return await readInterpreter(notes, call, shell);
  await noteOther(notes, call, shell);
  await noteWords(notes, call, shell);
}

/** Credentials and addresses that any word names, whatever the program makes of it. */
async function noteNames(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {args, head} = call;
  if (isText(head.text)) return;
  const mayShow = head.text !== 'git' || args.some(({text}) => showing.test(text));
  await inOrder(args, async ({text: word, known}) => {
    const names = [word, word.replace(/^[^=:@]*[=:@]/, '')];
    const named = names.find((name) => name !== '' && isCredentialName(name));
    if (named !== undefined && mayShow) {
      const place = {...wordOf(named), known};
      await notePlace(notes, 'reads', place, {shell, call, isLoose: !known});
    }
    if (isFar(call, word, known)) {
      const target = `${word}${known ? '' : computedMark}`;
      notes.add({kind: 'fetches', target, by: byOf(call), at: call.at});
    }
  });
}

function isCredentialName(name: string): boolean {
  return !/[\s*]/.test(name) && isCredentialPlace(name);
}

/** It is an address of another computer, or may be one. */
function isFar({head, args}: Call, word: string, known: boolean): boolean {
  const isGit = head.text === 'git';
  if (isText(head.text) || (isGit && !args.some(({text}) => gitNetwork.test(text)))) return false;
  const isNet = netTools.test(head.text);
  const found = addressesIn(word, {hasBare: isNet});
  if (found.length > 0) return !found.every(isThisMachine);
  return isNet && !known && !word.startsWith('-');
}

const gitNetwork = /^(?:clone|fetch|pull|push|ls-remote|remote|submodule)$/;

/** Programs that take addresses without a scheme. */
const netTools =
  /^(?:curl|wget2?|https?|xh|ping6?|dig|host|nslookup|whois|nc|ncat|ssh|scp|sftp|telnet|traceroute)$/;

/** Programs whose words are texts or patterns: the places among them are noted on their own. */
function isText(name: string): boolean {
  return readerTable.get(name)?.operands === 'text' || /^(?:[ef]?grep|rg|[gm]?awk)$/.test(name);
}

const systemFolder = /^(?:\/usr)?(?:\/local)?\/s?bin\/[^/]+$/;

/** A program by its path: of the system, of the packages, or of the workspace. */
async function readPath(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head, folder, args} = call;
  const name = posix.basename(head.text);
  if (systemFolder.test(head.text)) {
    if (builtins.test(name)) return notes.miss(call, 'is not the command of the shell', isCode);
    return await readCall(notes, {...call, head: wordOf(name)}, shell);
  }
  if (folder === undefined && !head.text.startsWith('/'))
    return notes.miss(head.text, 'the folder that it is in is not known', isCode);
  const path = pathFrom(folder ?? '/', head.text);
  const isOfPackage = /\/node_modules\/\.bin\/[\w.-]+$/.test(path);
  if (isOfPackage && (await isInstalled(notes, name, folder)))
    return await readInstalled(notes, call, name, {shell, args});
  if (await readsAsShell(notes, path)) return await followShellFile(notes, head, call, shell);
  await readOwnProgram(notes, path, call, shell);
}

async function readOwnProgram(notes: Notes, path: string, call: Call, shell: Shell): Promise<void> {
  await notePlace(notes, 'runs', call.head, {shell, call});
  notes.reachCode(call);
  const {state, inside} = await notes.surroundings.placeOf(path, {written: notes.written});
  const isKnown = inside && knownToGit.has(state);
  notes.miss(call, 'runs a program of the workspace', isKnown ? {} : isCode);
}

/** Afterwards the shell is in the folder; if that may fail, it may also be where it was. */
async function changeFolder(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const [to, ...more] = call.args;
  if (!to?.known || to.pattern || more.length > 0 || to.text.startsWith('-')) {
    shell.folders = [];
    shell.variables.delete('PWD');
    return notes.miss(call, 'it changes to a folder that is not known');
  }
  const {surroundings, miss} = notes;
  await notePlace(notes, 'lists', to, {shell, call});
  // A name before `..` may be missing, which the path does not show.
  shell.isSure = !/[^./][^/]*\/(?:.*\/)?\.\.(?:\/|$)/.test(to.text);
  const targets: string[] = [];
  await inOrder(shell.folders, async (folder) => {
    const place = await surroundings.placeOf(posix.resolve(folder, to.text), {isKept: true});
    if (place.links) miss(call, 'it goes through a link');
    shell.isSure &&= place.isFolder;
    targets.push(pathFrom(surroundings.workspace, place.path).replace(/(?<=.)\/$/, ''));
  });
  shell.folders = targets;
  const [only] = targets;
  if (targets.length === 1 && shell.isSure && only !== undefined) shell.variables.set('PWD', only);
  else shell.variables.delete('PWD');
}

/** Programs that no table has: they may do anything that the sandbox lets them do. */
async function noteOther(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const [, kinds = [], target = ''] = rowOf(call) ?? [];
  const isNamed = /^(?:an address|another computer)$/.test(target) && namesComputer(call);
  for (const kind of isNamed ? [] : kinds) addEffect(notes, kind, target, call);
  const isInstall = kinds.includes('installs');
  if (!isInstall) addEffect(notes, 'runs', call.head.text, call);
  notes.reachCode(call);
  notes.miss(call, isInstall ? 'it installs packages' : `${call.head.text} is not a known reader`);
  if (isInstall) await followInstallScripts(notes, call, shell);
}

function rowOf(call: Call): (typeof reachingRows)[number] | undefined {
  const line = lineOf(call).replace(/ 2>&1$/, '');
  return reachingRows.find(([form]) => form.test(line));
}

/** The words of the command name the computer that it reaches. */
function namesComputer(call: Call): boolean {
  return call.args.some(({text, known}) => {
    const address = parseAddress(text);
    return (address !== undefined && isThisMachine(address)) || isFar(call, text, known);
  });
}

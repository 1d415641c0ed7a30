/** Reads a simple command: a known reader, a writer of plain files, git, a prefix of another command, a script, or anything else. */

import {posix} from 'node:path';

import {
  addressesIn,
  computedMark,
  isThisMachine,
  parseAddress,
} from '../../machines/places/address.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import {knownToGit} from './effect.ts';
import {readGit, showing} from './git-call.ts';
import {
  isInterpreter,
  isPlainSed,
  prefixes,
  reachingRows,
  type Reader,
  readerTable,
  shells,
} from './known.ts';
import {addEffect, byOf, type Call, notePlace, type Notes, type Shell} from './notes.ts';
import {
  followMake,
  followPackageScript,
  followShellFile,
  isInstalled,
  readsAsShell,
} from './scripts.ts';
import {type Word, wordOf} from './word.ts';
import {noteWords} from './words.ts';
import {isWriter, readWriter} from './writers.ts';

export async function readCall(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head, args} = call;
  if (!head.known || head.pattern) {
    notes.miss({word: head.text, why: 'a computed program', isCode: true});
    return;
  }
  if (!isWriter(call)) await readNames(notes, call, shell);
  if (head.text.includes('/')) return await readPath(notes, call, shell);
  if (isWriter(call)) return await readWriter(notes, call, shell);
  const reader = readerTable.get(head.text);
  if (reader) return await readReader(notes, reader, call, shell);
  if (head.text === '[' || head.text === 'test') return await readTest(notes, call, shell);
  if (head.text === 'cd') return await changeFolder(notes, call, shell);
  if (head.text === 'git') return await readGit(notes, call, shell);
  if (
    head.text === 'set' &&
    args.length > 0 &&
    args.every(({text}) => /^[-+][aefuxo]+$|^(?:pipefail|errexit|nounset|xtrace)$/.test(text))
  )
    return;
  if (shells.test(head.text)) return await readShell(notes, call, shell);
  if (prefixes.has(head.text)) return await readPrefix(notes, call, shell);
  if (/^(?:\.|source|eval|export)$/.test(head.text)) return await readBuiltin(notes, call, shell);
  if (await followPackageScript(notes, call, shell)) return;
  if (await readRunner(notes, call, shell)) return;
  readOther(notes, call);
  await noteWords(notes, call, shell);
}

/** Credentials and addresses that any word names, whatever the program makes of it. */
async function readNames(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {args, head} = call;
  const shows = args.some((word) => showing.test(word.text));
  for (const {text: word, known} of args) {
    const names = [word, word.replace(/^[^=:@]*[=:@]/, '')];
    const named = names.find(
      (name) => name !== '' && !/[\s*]/.test(name) && isCredentialPlace(name),
    );
    if (named !== undefined && !isText(head.text) && (head.text !== 'git' || shows)) {
      const place = {...wordOf(named), known};
      // oxlint-disable-next-line no-await-in-loop -- one word after the other
      await notePlace(notes, 'reads', place, {shell, call, isLoose: !known});
    }
    if (isFar(call, word, known)) {
      const target = `${word}${known ? '' : computedMark}`;
      notes.add({kind: 'fetches', target, by: byOf(call), at: call.at});
    }
  }
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

/** Programs whose operands are neither places nor code. */
function isText(name: string): boolean {
  const operands = readerTable.get(name)?.operands;
  return operands === 'text' || (operands === 'pattern' && name !== 'sed');
}

/** A program by its path: of the workspace, of its packages, or of the system. */
async function readPath(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head} = call;
  const name = posix.basename(head.text);
  if (/^(?:\/usr)?(?:\/local)?\/s?bin\/[^/]+$/.test(head.text)) {
    return await readCall(notes, {...call, head: wordOf(name)}, shell);
  }
  const {folder} = call;
  if (folder === undefined && !head.text.startsWith('/')) {
    return notes.miss({
      word: head.text,
      why: 'the folder that it is in is not known',
      isCode: true,
    });
  }
  const path = posix.resolve(folder ?? '/', head.text);
  if (/\/node_modules\/\.bin\/[\w.-]+$/.test(path) && (await isInstalled(notes, name, folder))) {
    return await readCall(notes, {...call, head: wordOf(name)}, shell);
  }
  if (await readsAsShell(notes, path)) return await followShellFile(notes, head, call, shell);
  await notePlace(notes, 'runs', head, {shell, call});
  notes.reachCode(call);
  notes.miss({
    word: byOf(call),
    why: 'runs a program of the workspace',
    ...(await codeMark(notes, path)),
  });
}

/** Code that git does not know, or that this run may have changed, may do anything. */
async function codeMark({surroundings, written}: Notes, path: string): Promise<{isCode?: true}> {
  const {state, inside} = await surroundings.placeOf(path, {written});
  return inside && knownToGit.has(state) ? {} : {isCode: true};
}

async function readReader(notes: Notes, reader: Reader, call: Call, shell: Shell): Promise<void> {
  const {head, args} = call;
  const barred = args.find((word) => isBarred(word, reader));
  if (barred) {
    notes.miss({
      word: byOf(call),
      why: `${barred.text.slice(0, 40)} may write, or run code`,
      isCode: true,
    });
    return await noteWords(notes, call, shell);
  }
  if (head.text === 'find') return await readFind(notes, call, shell);
  const {operands: role} = reader;
  if (/^(?:uniq|xxd)$/.test(head.text) && args.filter(({text}) => !/^-./.test(text)).length > 1) {
    return notes.miss({word: byOf(call), why: 'its second operand is written'});
  }
  if (role === 'text') return noteComputed(notes, call);
  if (args.some(({known, quoted}) => !known && !quoted))
    noteMissing(notes, call, 'it has computed words');
  const isOption = ({text}: Word) => /^-./.test(text);
  let operands: readonly Word[] = args.filter((word) => !isOption(word) && !isValue(word, args));
  if (role === 'pattern') operands = await withoutPattern(notes, call, operands);
  const isTree = isRecursive(head.text, args);
  const places = operands.length === 0 && isTree ? [wordOf('.')] : operands;
  for (const word of places) {
    // oxlint-disable-next-line no-await-in-loop -- one operand after the other
    await notePlace(notes, role === 'lists' ? 'lists' : 'reads', word, {shell, call, isTree});
  }
}

/** Numbers after an option: `head -n 5`. A value that is no number is taken for a place. */
function isValue({text}: Word, args: readonly Word[]): boolean {
  const at = args.findIndex((word) => word.text === text);
  return /^[+-]?\d+[kMG]?$/.test(text) && /^-\w+$/.test(args[at - 1]?.text ?? '');
}

function noteMissing({miss}: Notes, call: Call, why: string): void {
  miss({word: byOf(call), why});
}

/** `echo $API_KEY` shows a variable of the environment. */
function noteComputed({miss}: Notes, call: Call): void {
  const computed = call.args.find(
    ({known, text}) =>
      !known && /\$(?!\(|[?#!$*@\d]|\{[?#!$*@\d]\})/.test(text.replaceAll(/\$\([^)]*\)/g, '')),
  );
  if (computed) miss({word: byOf(call), why: `it shows ${computed.text.slice(0, 60)}`});
}

function isBarred({text, known}: Word, {letters, long, barred}: Reader): boolean {
  if (barred?.test(text)) return true;
  if (!text.startsWith('-') || text === '-') return false;
  if (!known) return true;
  if (text.startsWith('--')) {
    const name = text.slice(2).replace(/=.*/s, '');
    return name.length > 0 && long.some((each) => each.startsWith(name));
  }
  return [...letters].some((letter) => text.slice(1).includes(letter));
}

function isRecursive(name: string, args: readonly Word[]): boolean {
  if (/^(?:rg|tree|du)$/.test(name)) return true;
  const letters = name === 'ls' ? /^-[a-zA-Z]*R|^--recursive/ : /^-[a-zA-Z]*r|^--recursive|^-d$/;
  return /^(?:e|f)?grep$|^diff$|^ls$/.test(name) && args.some(({text}) => letters.test(text));
}

/** Leaves out the pattern or the script, which is the first operand unless an option gives it. */
async function withoutPattern(
  notes: Notes,
  call: Call,
  operands: readonly Word[],
): Promise<readonly Word[]> {
  const name = call.head.text;
  const texts = call.args.map(({text}) => text);
  const options = texts.flatMap((text, at) =>
    /^-[a-zA-Z]*e$|^--(?:regexp|expression)$/.test(text) ? [at + 1] : [],
  );
  const attached = texts.some((text) => /^--(?:regexp|expression)=/.test(text));
  const scripts = options.length > 0 ? options.map((at) => call.args[at]) : operands.slice(0, 1);
  const rest =
    options.length > 0 || attached
      ? operands.filter((word) => !scripts.includes(word))
      : operands.slice(1);
  if (
    name === 'sed' &&
    (attached || !scripts.every((word) => word?.known && isPlainSed(word.text)))
  ) {
    noteMissing(notes, call, 'its script is not one that only prints');
  }
  if (/awk$/.test(name)) {
    if (!scripts.every((word) => word?.known)) noteMissing(notes, call, 'its script is computed');
    return await Promise.resolve(rest.filter(({text}) => !/^\w+=/.test(text)));
  }
  if (name !== 'sed' && rest.length === 0 && !isRecursive(name, call.args) && !call.piped)
    return [];
  return rest;
}

const typedValues =
  /^-(?:i?name|i?path|i?regex|regextype|type|maxdepth|mindepth|size|[acm]time|[acm]min|perm|user|group|links)$/;

async function readFind(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const texts = call.args.map(({text}) => text);
  const first = texts.findIndex((text) => /^[-(!]/.test(text));
  const roots = first === 0 ? [] : call.args.slice(0, first < 0 ? undefined : first);
  for (const root of roots.length > 0 ? roots : [wordOf('.')]) {
    // oxlint-disable-next-line no-await-in-loop -- one root after the other
    await notePlace(notes, 'lists', root, {shell, call, isTree: true});
    if (texts.includes('-delete')) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await notePlace(notes, 'deletes', {...root, pattern: true}, {shell, call, isTree: true});
    }
  }
  if (texts.includes('-delete')) noteMissing(notes, call, 'it deletes');
  for (const [at, text] of texts.entries()) {
    if (!/^-exec(?:dir)?$/.test(text)) continue;
    const end = texts.findIndex((each, index) => index > at && /^(?:;|\+)$/.test(each));
    const words = call.args.slice(at + 1, end < 0 ? undefined : end);
    // oxlint-disable-next-line no-await-in-loop -- one command after the other
    await readInner(notes, words, roots.length > 0 ? roots : [wordOf('.')], call, shell);
  }
}

/** `{}` is any file below the roots. */
async function readInner(
  notes: Notes,
  words: readonly Word[],
  roots: readonly Word[],
  call: Call,
  shell: Shell,
): Promise<void> {
  const [head, ...args] = words;
  if (!head) return;
  const plain = args.filter(({text}) => text !== '{}');
  const reader = readerTable.get(head.text);
  await readCall(notes, inside(notes, call, head, plain), shell);
  if (!reader || reader.operands === 'text') {
    if (!reader) noteMissing(notes, call, 'it changes files that it finds');
    return;
  }
  for (const root of roots) {
    // oxlint-disable-next-line no-await-in-loop -- one root after the other
    await notePlace(notes, 'reads', root, {shell, call, isTree: true});
  }
}

function inside(notes: Notes, call: Call, head: Word, args: readonly Word[]): Call {
  return notes.addCall({...call, head, args, redirects: [], env: {}});
}

/** `[ -f FILE ]`; a subscript in it could run code. */
async function readTest(notes: Notes, call: Call, shell: Shell): Promise<void> {
  if (call.args.some(({text}) => /[[`(]/.test(text.replace(/^\[$/, '')))) {
    return notes.miss({word: byOf(call), why: 'is not followed', isCode: true});
  }
  for (const [at, word] of call.args.entries()) {
    if (
      !/^-[a-zA-Z]$/.test(call.args[at - 1]?.text ?? '') ||
      /^-[nzt]$/.test(call.args[at - 1]?.text ?? '')
    )
      continue;
    // oxlint-disable-next-line no-await-in-loop -- one word after the other
    await notePlace(notes, 'lists', word, {shell, call});
  }
}

async function changeFolder(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const [to, ...more] = call.args;
  if (!to?.known || to.pattern || more.length > 0 || to.text.startsWith('-')) {
    shell.folders = [];
    return notes.miss({word: byOf(call), why: 'it changes to a folder that is not known'});
  }
  await notePlace(notes, 'lists', to, {shell, call});
  const {surroundings, miss} = notes;
  const targets: string[] = [];
  for (const folder of shell.folders) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other
    const {
      path,
      inside: isInside,
      links,
    } = await surroundings.placeOf(posix.resolve(folder, to.text), {isKept: true});
    if (links) miss({word: byOf(call), why: 'it goes through a link'});
    targets.push(isInside ? posix.resolve(surroundings.workspace, path) : path);
  }
  shell.folders = targets;
}

/** `sh -c TEXT`, `sh FILE`. */
async function readShell(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {args} = call;
  const at = args.findIndex(({text}) => /^-[a-z]*c$/.test(text));
  const options = args
    .slice(0, at < 0 ? undefined : at + 1)
    .filter(({text}) => text.startsWith('-'));
  const inner = {...shell, variables: new Map(shell.variables)};
  if (options.every(({text}) => /^-(?:[euxlv]*c?|n)$/.test(text))) {
    const code = at < 0 ? undefined : args[at + 1];
    if (code?.known)
      return await notes.readText(code.text, byOf(call), {...inner, depth: shell.depth + 1});
    const file = at < 0 ? args.find(({text}) => !text.startsWith('-')) : undefined;
    if (file && options.some(({text}) => text === '-n'))
      return await notePlace(notes, 'reads', file, {shell, call});
    if (file) return await followShellFile(notes, file, call, shell);
    if (at < 0 && call.input !== undefined && !/[`$]/.test(call.input)) {
      return await notes.readText(call.input, byOf(call), {...inner, depth: shell.depth + 1});
    }
  }
  notes.reachCode(call);
  notes.miss({word: byOf(call), why: 'runs a text that is not known', isCode: true});
}

async function readPrefix(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head, args} = call;
  const valued = prefixes.get(head.text);
  const settings: Record<string, Word> = {};
  let at = 0;
  for (; at < args.length; at += 1) {
    const {text = '', known} = args[at] ?? wordOf('');
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (head.text === 'env' && name !== undefined)
      settings[name] = {...wordOf(value), known: known ?? false};
    else if (valued?.test(text)) at += 1;
    else if (!text.startsWith('-')) break;
  }
  if (head.text === 'timeout') at += 1;
  if (head.text === 'command' && args.slice(0, at).some(({text}) => /^-[vV]$/.test(text))) return;
  const options = args.slice(0, at).filter(({text}) => text.startsWith('-'));
  const isOdd = options.some(({text}) =>
    /^-[iS]|^--(?:split|ignore|chdir|arg-file|replace)|^-[aI]/.test(text),
  );
  if (isOdd || Object.keys(settings).length > 0) {
    noteMissing(notes, call, 'it changes the variables or words of another command');
  }
  const [inner, ...rest] = args.slice(at);
  if (!inner) {
    if (head.text === 'env') addEffect(notes, 'reveals', 'the environment', call);
    return;
  }
  const items =
    head.text === 'xargs' ? [{text: '$items', known: false, pattern: false, quoted: false}] : [];
  if (head.text === 'xargs') noteMissing(notes, call, 'its words come from another command');
  const nested = notes.addCall({
    ...call,
    head: inner,
    args: [...rest, ...items],
    env: settings,
    redirects: [],
  });
  await readCall(notes, nested, shell);
}

async function readBuiltin(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head, args} = call;
  if (head.text === 'eval' && args.every(({known, pattern}) => known && !pattern)) {
    return await notes.readText(args.map(({text}) => text).join(' '), byOf(call), shell);
  }
  if (head.text === 'export' && args.length > 0 && args[0]?.text !== '-p') {
    const odd = args.find(
      ({text, known}) => !known || !/^[a-z]\w*(?:=.*)?$|^(?:CI|NODE_ENV|DEBUG)=\w*$/s.test(text),
    );
    for (const {text} of args) shell.variables.delete(text.replace(/=.*/s, ''));
    if (odd) notes.miss({word: byOf(call), why: 'may change what a program runs', isCode: true});
    return;
  }
  const [file] = args;
  if (file && head.text !== 'export' && head.text !== 'eval')
    return await followShellFile(notes, file, call, shell);
  if (head.text === 'export') addEffect(notes, 'reveals', 'the environment', call);
  else notes.miss({word: byOf(call), why: 'runs a text that is not known', isCode: true});
}

/** Programs of packages (`npx vitest`), interpreters and `make`. */
async function readRunner(notes: Notes, call: Call, shell: Shell): Promise<boolean> {
  const {head, args} = call;
  const line = [head.text, ...args.map(({text}) => text)].join(' ');
  const program = /^(?:npx|bunx|(?:npm|pnpm|yarn) (?:exec|dlx))(?: -\S+)* ([\w@./-]+)(?: |$)/.exec(
    line,
  )?.[1];
  if (program !== undefined) {
    const at = args.findIndex(({text}) => text === program);
    if (/^[\w.-]+$/.test(program) && (await isInstalled(notes, program, call.folder))) {
      const nested = inside(notes, call, wordOf(program), args.slice(at + 1));
      await readCall(notes, nested, shell);
      return true;
    }
    addEffect(notes, 'fetches', 'its service', call);
    notes.miss({word: byOf(call), why: 'it is fetched and run', isCode: true});
    return true;
  }
  if (/^g?make$/.test(head.text)) {
    notes.reachCode(call);
    await followMake(notes, call, shell);
    return true;
  }
  if (!isInterpreter(head.text)) return false;
  await readInterpreter(notes, call, shell);
  return true;
}

async function readInterpreter(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {args} = call;
  if (args.length > 0 && args.every(({text}) => /^(?:--version|-[vV]{1,2}|--help|-h)$/.test(text)))
    return;
  notes.reachCode(call);
  addEffect(notes, 'runs', 'code', call);
  const at = args.findIndex(({text}) => !text.startsWith('-'));
  const options = args.slice(0, at < 0 ? undefined : at).map(({text}) => text);
  const isInline =
    options.some((text) =>
      /^-[a-zA-Z]*[ceEprn]$|^--(?:eval|print|require|import|loader)/.test(text),
    ) && !options.includes('-m');
  const file = at < 0 || isInline || options.includes('-m') ? undefined : args[at];
  const isTests = options.includes('--test') || options.includes('-m');
  const mark = file || isTests ? {} : {isCode: true as const};
  notes.miss({word: byOf(call), why: 'runs code', ...mark});
  if (file && !/^(?:run|test|task|eval)$/.test(file.text))
    await notePlace(notes, 'runs', file, {shell, call});
  await noteWords(notes, call, shell);
}

/** Programs that no table has: they may do anything that the sandbox lets them do. */
function readOther(notes: Notes, call: Call): void {
  const {head, args} = call;
  const line = [head.text, ...args.map(({text}) => text)].join(' ').replace(/ 2>&1$/, '');
  const row = reachingRows.find(([form]) => form.test(line));
  const isNamed =
    isGeneral(row?.[2]) && args.some(({text, known}) => isHere(text) || isFar(call, text, known));
  for (const kind of isNamed ? [] : (row?.[1] ?? [])) addEffect(notes, kind, row?.[2] ?? '', call);
  const isInstall = row?.[1].includes('installs') === true;
  if (!isInstall) addEffect(notes, 'runs', head.text, call);
  notes.reachCode(call);
  notes.miss({
    word: byOf(call),
    why: isInstall ? 'it installs packages' : `${head.text} is not a known reader`,
  });
}

function isHere(word: string): boolean {
  const address = parseAddress(word);
  return address !== undefined && isThisMachine(address);
}

/** The words of the command name the address. */
function isGeneral(target: string | undefined): boolean {
  return target === 'an address' || target === 'another computer';
}

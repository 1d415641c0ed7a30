/** Reads a call that starts other commands: a shell, a prefix, a text that is run, a program of packages, an interpreter. */

import {harmlessSetting} from './known.ts';
import {
  addEffect,
  type Call,
  copyOf,
  freshShell,
  innerCall,
  isCode,
  lineOf,
  notePlace,
  type Notes,
  noteWords,
  type Shell,
} from './notes.ts';
import {type Options, optionTable, readOptions} from './options.ts';
import {followShellFile, isInstalled} from './scripts.ts';
import {type Word, wordOf} from './understanding.ts';

/** `sh -c TEXT`, `sh FILE`, `sh -n FILE`, `sh` with a here-document. */
export async function readShell(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {args, head} = call;
  const at = args.findIndex(({text}) => !/^-[euxlvi]*[cn]?$/.test(text));
  const options = args.slice(0, at < 0 ? undefined : at);
  const letters = options.map(({text}) => text).join('');
  const isOther = /^(?:zsh|ksh) |-\w*[lxvi]/.test(`${head.text} ${letters}`);
  if (isOther) notes.miss(call, 'reads words differently, or a profile, or shows values', isCode);
  const [first, ...others] = args.slice(options.length);
  if (letters.includes('c') && first?.known) {
    if (others.some(({known}) => !known)) notes.miss(call, 'it has computed words');
    return await readInner(notes, first.text, call, shell);
  }
  if (!first || first.text.startsWith('-')) return await readInput(notes, call, shell);
  if (letters.includes('n')) return await notePlace(notes, 'reads', first, {shell, call});
  await followShellFile(notes, first, call, shell);
}

/** `sh` with a here-document. */
async function readInput(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {input, args} = call;
  const isPlain = input !== undefined && !/[`$]/.test(input);
  if (isPlain && args.every(({text}) => /^-[eu]+$/.test(text)))
    return await readInner(notes, input, call, shell);
  notes.reachCode(call);
  notes.miss(call, 'runs a text that is not known', isCode);
}

async function readInner(notes: Notes, text: string, call: Call, shell: Shell): Promise<void> {
  await notes.readText(notes, text, call.text, {...freshShell(shell), depth: shell.depth + 1});
}

/** Programs that start the command after their options. */
export const prefixes: ReadonlyMap<string, Options> = optionTable(`time: p -
nice: # n adjustment=
nohup setsid: - -
timeout: v ks kill-after= signal= preserve-status foreground verbose
stdbuf: - ioe input= output= error=
command: pvV -
env: i u unset= ignore-environment
ionice: t cn
xargs: 0rt nPLIsdE null no-run-if-empty max-args= max-procs= delimiter=`);

/** They change the shell that reads them; as programs, they don't exist or change nothing. */
export const builtins = /^(?:cd|set|export|eval|\.|source|exit|return|break|continue)$/;

export async function readPrefix(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head, args} = call;
  const options = prefixes.get(head.text);
  if (!options) return;
  const end = startOf(call, options);
  const {barred, given} = readOptions(args.slice(0, end), options);
  if (barred) notes.miss(call, `${barred.text.slice(0, 40)} may change the command that it starts`);
  if (head.text === 'command' && given.some(({name}) => /^[vV]$/.test(name))) return;
  const env = settingsIn(notes, call, args.slice(0, end));
  if (end < args.length) return await readStarted(notes, {...call, env}, args.slice(end), shell);
  if (head.text === 'env') addEffect(notes, 'reveals', 'the environment', call);
}

async function readStarted(
  notes: Notes,
  call: Call,
  [head = wordOf(''), ...args]: readonly Word[],
  shell: Shell,
): Promise<void> {
  const isItems = call.head.text === 'xargs';
  if (isItems) notes.miss(call, 'its words come from another command');
  const isOfShell = call.head.text === 'command';
  if (!isOfShell && builtins.test(head.text)) notes.miss(call, 'is not a program', isCode);
  const words = isItems ? [...args, unknownItems] : args;
  const nested = notes.addCall({...call, head, args: words, redirects: []});
  await notes.readCall(notes, nested, isOfShell ? shell : copyOf(shell));
}

const unknownItems: Word = {text: '$items', known: false, pattern: false, quoted: false};

/** Where the started command begins: after options with their values, settings of `env`, the time of `timeout`. */
function startOf({head, args}: Call, options: Options): number {
  const isSetting = (text: string): boolean => head.text === 'env' && /^\w+=/.test(text);
  let at = 0;
  for (; at < args.length; at += 1) {
    const text = args[at]?.text ?? '';
    if (text === '--') return at + 1;
    if (isSetting(text)) continue;
    if (!/^-./.test(text)) break;
    if (takesNext(text, options)) at += 1;
  }
  return head.text === 'timeout' ? at + 1 : at;
}

function takesNext(text: string, {valued, long}: Options): boolean {
  if (text.startsWith('--')) return long.has(`${text.slice(2)}=`);
  const at = Array.from(text).findIndex((letter, index) => index > 0 && valued.includes(letter));
  return at > 0 && at === text.length - 1;
}

function settingsIn(notes: Notes, call: Call, words: readonly Word[]): Record<string, Word> {
  const settings: Record<string, Word> = {};
  for (const {text, known} of words) {
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) continue;
    settings[name] = {...wordOf(value), known};
    noteSetting(notes, name, settings[name]);
  }
  return settings;
}

/** A variable that a program may take as code, as a program, or as a place. */
export function noteSetting({miss}: Notes, name: string, {text, known}: Word): void {
  const isHarmless = harmlessSetting(name, known ? text : undefined);
  if (!isHarmless) miss(`${name}=${text}`, 'may change what a program runs', isCode);
}

/** `eval TEXT`. */
export async function readEval(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {args} = call;
  if (!args.every(({known, pattern}) => known && !pattern))
    return notes.miss(call, 'runs a text that is not known', isCode);
  await notes.readText(notes, args.map(({text}) => text).join(' '), call.text, shell);
}

/** `. FILE`. */
export async function readSource(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const [file] = call.args;
  if (file) await followShellFile(notes, file, call, shell);
  else notes.miss(call, 'runs a text that is not known', isCode);
}

export async function readExport(notes: Notes, call: Call, {variables}: Shell): Promise<void> {
  const {args} = call;
  if (args.every(({text}) => text === '-p')) {
    return addEffect(notes, 'reveals', 'the environment', call);
  }
  for (const word of args) {
    const [, name, value] = /^(\w+)(?:=(.*))?$/s.exec(word.text) ?? [];
    variables.delete(name ?? '');
    if (name === undefined || word.pattern) notes.miss(call, 'is not followed', isCode);
    else if (value !== undefined) noteSetting(notes, name, {...word, text: value});
    else if (!harmlessSetting(name, '')) notes.miss(call, 'may change what a program runs', isCode);
  }
}

const fetching = /^(?:npx|bunx|(?:npm|pnpm|yarn) (?:exec|dlx))(?: -\S+)* ([\w@./-]+)(?: |$)/;

/** `npx vitest`. False: it is not a call of a program of packages. */
export async function readPackageProgram(notes: Notes, call: Call, shell: Shell): Promise<boolean> {
  const program = fetching.exec(lineOf(call))?.[1];
  if (program === undefined) return false;
  const at = call.args.findIndex(({text}) => text === program);
  if (/^[\w.-]+$/.test(program) && (await isInstalled(notes, program, call.folder))) {
    await readInstalled(notes, call, program, {shell, args: call.args.slice(at + 1)});
    return true;
  }
  addEffect(notes, 'fetches', 'its service', call);
  notes.miss(call, 'it is fetched and run', isCode);
  return true;
}

/** A program of `node_modules/.bin` does what its name says, but it is not the system's. */
export async function readInstalled(
  notes: Notes,
  call: Call,
  name: string,
  {shell, args}: {readonly shell: Shell; readonly args: readonly Word[]},
): Promise<void> {
  notes.miss(call, 'runs a program of a package');
  await notes.readCall(notes, innerCall(notes, call, wordOf(name), args), copyOf(shell));
}

const inlineCode = /^-[a-zA-Z]*[ceEprn]$|^--(?:eval|print|require|import|loader)/;

export async function readInterpreter(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const [first, ...more] = call.args;
  const isShown = first !== undefined && /^(?:--version|-[vV]|--help|-h)$/.test(first.text);
  if (isShown && more.length === 0) return;
  notes.reachCode(call);
  addEffect(notes, 'runs', 'code', call);
  const {file, isKnown} = codeOf(call);
  notes.miss(call, 'runs code', isKnown ? {} : isCode);
  if (file && !/^(?:run|test|task|eval)$/.test(file.text))
    await notePlace(notes, 'runs', file, {shell, call});
  await noteWords(notes, call, shell);
}

/** The file that an interpreter runs, and whether it runs files only, not a text. */
function codeOf({args}: Call): {readonly file: Word | undefined; readonly isKnown: boolean} {
  const at = args.findIndex(({text}) => !text.startsWith('-'));
  const options = args.slice(0, at < 0 ? undefined : at).map(({text}) => text);
  const isModule = options.includes('-m');
  const isInline = !isModule && options.some((text) => inlineCode.test(text));
  const file = isInline || isModule ? undefined : args[at];
  return {file, isKnown: file !== undefined || isModule || options.includes('--test')};
}

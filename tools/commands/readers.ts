/** Reads a call of a known reader: its options, the places that it reads or lists, and the scripts of `sed`, `awk` and `jq`. */

import {
  addEffect,
  type Call,
  copyOf,
  innerCall,
  inOrder,
  isCode,
  notePlace,
  type Notes,
  noteWords,
  pathFrom,
  type Shell,
} from './notes.ts';
import {type GivenOptions, readOptions} from './options.ts';
import {
  barredAwk,
  barredJq,
  findWord,
  isPlainSed,
  type Reader,
  readerTable,
} from './reader-table.ts';
import {type Word, wordOf} from './word.ts';

export async function readReader(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head, args} = call;
  const reader = readerTable.get(head.text);
  if (!reader) return;
  await noteGlobs(notes, call, shell);
  if (head.text === 'echo') return noteComputed(notes, call, args);
  if (head.text === 'find') return await readFind(notes, call, shell);
  const found = readOptions(args, reader);
  const barred = found.barred ?? barredOperand(head.text, reader, found);
  if (barred) {
    notes.miss(call, `${barred.text.slice(0, 40)} may write, or run code`, isCode);
    await noteWords(notes, call, shell);
  }
  if (reader.operands === 'text') return noteComputed(notes, call, args);
  if (args.some(({known}) => !known)) notes.miss(call, 'it has computed words');
  await readOperands(notes, reader, found, {call, shell});
}

/** A pattern may match a name that is read as an option. */
async function noteGlobs(notes: Notes, call: Call, shell: Shell): Promise<void> {
  await inOrder(call.args, async (word) => {
    if (word.pattern && word.known) await notePlace(notes, 'lists', word, {shell, call});
  });
}

/** The number of operands that a program reads; it writes the next one. */
const maxOperands: Readonly<Record<string, number>> = {uniq: 1, xxd: 1};

/** An operand, or the value of an option, that is not only read. */
function barredOperand(
  name: string,
  {operands: kind}: Reader,
  {operands, given}: GivenOptions,
): Word | undefined {
  if (kind === 'none') return operands.find(({text}) => name !== 'date' || !text.startsWith('+'));
  // Its first word may be an option, which sets a variable.
  if (name === 'printf') return operands.slice(0, 1).find(({known, pattern}) => !known || pattern);
  const max = maxOperands[name];
  if (max !== undefined) return operands.find(({pattern}, at) => at >= max || pattern);
  // A file of options.
  if (name === 'strings') return operands.find(({text}) => text.startsWith('@'));
  // A glob that does not exclude makes `rg` read hidden and ignored files.
  const globs = given.filter((one) => name === 'rg' && /^(?:g|glob)$/.test(one.name));
  return globs.find(({value}) => !value.text.startsWith('!'))?.value;
}

/** `echo $API_KEY` shows a variable of the environment. Substituted commands are read on their own. */
export function noteComputed({miss}: Notes, call: Call, words: readonly Word[]): void {
  const shown = words.find(({known, text}) => {
    const rest = text.replaceAll(/\$\([^()]*\)/g, '');
    return !known && /\$(?!\(|[?#!$\d]|\{[?#!$\d]\})/.test(rest);
  });
  if (shown) miss(call, `it shows ${shown.text.slice(0, 60)}`);
}

interface At {
  readonly call: Call;
  readonly shell: Shell;
}

async function readOperands(
  notes: Notes,
  {operands: kind}: Reader,
  found: GivenOptions,
  {call, shell}: At,
): Promise<void> {
  const name = call.head.text;
  const isTree = isRecursive(name, found);
  let {operands} = found;
  if (kind === 'pattern') {
    const scripts = scriptsOf(name, found);
    noteScripts(notes, call, scripts);
    // A glob gives several words: the first is the pattern, the others are read.
    operands = operands.filter((word) => !scripts.includes(word) || word.pattern);
  }
  if (name === 'awk' || /^[gm]awk$/.test(name)) {
    operands = operands.filter(({text}) => !/^[A-Za-z_]\w*=/.test(text));
  }
  const isHere = operands.length === 0 && (isTree || /^(?:ls|dir)$/.test(name));
  await inOrder(isHere ? [wordOf('.')] : operands, async (word) => {
    if (name === 'diff') await noteLinked(notes, word, {call, shell});
    await notePlace(notes, kind === 'lists' ? 'lists' : 'reads', word, {shell, call, isTree});
  });
}

/** They read everything below a folder. */
function isRecursive(name: string, {given}: GivenOptions): boolean {
  if (/^(?:rg|tree|du)$/.test(name)) return true;
  const option = name === 'ls' ? /^(?:R|recursive)$/ : /^(?:r|recursive)$/;
  return /^(?:[ef]?grep|ls)$/.test(name) && given.some((one) => option.test(one.name));
}

/** `diff` follows the links in a folder. */
async function noteLinked(
  {surroundings, miss}: Notes,
  {text, pattern}: Word,
  {call, shell}: At,
): Promise<void> {
  await inOrder(shell.folders, async (folder) => {
    const {isFolder} = await surroundings.placeOf(pathFrom(folder, text), {isKept: true});
    if (isFolder || pattern) miss(call, 'it follows the links in a folder');
  });
}

/** The patterns or scripts: the values of `-e`, or the first operand. */
function scriptsOf(name: string, {operands, given}: GivenOptions): readonly Word[] {
  const isGiven = /^(?:e|regexp|expression)$/;
  const values = /^(?:awk|gawk|mawk|jq)$/.test(name)
    ? []
    : given.filter((one) => isGiven.test(one.name)).map(({value}) => value);
  const isList = name === 'rg' && given.some((one) => /^(?:files|type-list)$/.test(one.name));
  return values.length > 0 || isList ? values : operands.slice(0, 1);
}

/** The name of a file that `find` has found. */
const foundName = '{}';

function noteScripts({miss}: Notes, call: Call, scripts: readonly Word[]): void {
  const name = call.head.text;
  const isPlain = plainScripts[name.replace(/^[gm]awk$/, 'awk')];
  const isKnown = scripts.every(
    ({known, pattern, text}) => known && !pattern && text !== foundName,
  );
  if (isPlain && !(isKnown && scripts.every(({text}) => isPlain(text))))
    miss(call, 'its script is not one that only prints');
}

/** Programs with a script of their own. */
const plainScripts: Readonly<Record<string, (script: string) => boolean>> = {
  sed: isPlainSed,
  awk: (script) => !barredAwk.test(script),
  jq: (script) => !barredJq.test(script),
};

async function readFind(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {args} = call;
  const texts = args.map(({text}) => text);
  const runs = execsOf(args);
  const inner = new Set(runs.flat());
  const odd = args.find((word) => !inner.has(word) && isOddInFind(word));
  if (odd) notes.miss(call, `${odd.text.slice(0, 40)} may write, or run code`, isCode);
  const first = texts.findIndex((text) => /^[-(!]/.test(text));
  const given = args.slice(0, first < 0 ? undefined : first);
  const roots = given.length > 0 ? given : [wordOf('.')];
  const deletes = texts.includes('-delete');
  if (deletes) notes.miss(call, 'it deletes');
  await inOrder(roots, async (root) => {
    await notePlace(notes, 'lists', root, {shell, call, isTree: true});
    if (deletes)
      await notePlace(notes, 'deletes', {...root, pattern: true}, {shell, call, isTree: true});
  });
  const newer = args.filter((_, at) => texts[at - 1] === '-newer');
  await inOrder(newer, async (word) => notePlace(notes, 'lists', word, {shell, call}));
  await inOrder(runs, async (words) => readFound(notes, words, roots, {call, shell}));
}

function isOddInFind({text, known}: Word): boolean {
  return !known || (/^-./.test(text) && !findWord.test(text));
}

/** The words of each command that `find` runs, with `;` or `+` at the end. */
function execsOf(args: readonly Word[]): readonly (readonly Word[])[] {
  return args.flatMap(({text}, at) => {
    if (text !== '-exec') return [];
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (word, index) =>
        word.text === ';' || (word.text === '+' && rest[index - 1]?.text === foundName),
    );
    return [rest.slice(0, end < 0 ? undefined : end + 1)];
  });
}

/** The name is any file below the roots; before `+`, it is several. */
async function readFound(
  notes: Notes,
  words: readonly Word[],
  roots: readonly Word[],
  {call, shell}: At,
): Promise<void> {
  const [head, ...rest] = words.slice(0, -1);
  if (!head) return notes.miss(call, 'runs a command that is not known', isCode);
  const args = words.at(-1)?.text === '+' ? [...rest, wordOf(foundName)] : rest;
  if (args.some(({text}) => text.includes(foundName) && text !== foundName))
    notes.miss(call, 'it changes the names that it finds', isCode);
  await notes.readCall(notes, innerCall(notes, call, head, args), copyOf(shell));
  const reader = readerTable.get(head.text);
  if (!reader) return notes.miss(call, 'it may change the files that it finds');
  if (reader.operands === 'text') return;
  await inOrder(roots, async (root) =>
    notePlace(notes, 'reads', root, {shell, call, isTree: true}),
  );
}

/** `[ -f FILE ]`; a subscript in it could run code. */
export async function readTest(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {args} = call;
  const texts = args.map(({text}) => text);
  const isOdd =
    texts.some((text) => /[[`(]/.test(text) || /^-[vR]$/.test(text)) ||
    args.some(({known, quoted}) => !known && !quoted);
  if (isOdd) return notes.miss(call, 'is not followed', isCode);
  const tests = /^-(?:[b-mp-su-yA-Z]|nt|ot|ef)$/;
  const places = args.filter(
    (_, at) => tests.test(texts[at - 1] ?? '') || /^-(?:nt|ot|ef)$/.test(texts[at + 1] ?? ''),
  );
  await inOrder(places, async (word) => notePlace(notes, 'lists', word, {shell, call}));
}

/** Options of the shell that only make it stop earlier; others change how it reads words, or show values. */
export async function readSet(notes: Notes, call: Call): Promise<void> {
  const {args} = call;
  if (args.length === 0) return addEffect(notes, 'reveals', 'the environment', call);
  const isPlain = /^[-+](?:[eu]+|[eu]*o)$|^(?:pipefail|errexit|nounset)$/;
  if (!args.every(({text, known}) => known && isPlain.test(text)))
    notes.miss(call, 'it changes how the shell reads', isCode);
}

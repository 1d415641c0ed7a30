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
import {type GivenOptions, type Options, optionTable, readOptions} from './options.ts';
import {type Word, wordOf} from './understanding.ts';

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

// Programs that only read, with the options that keep it so; any other option is not known to only read.

const plainSed = sedScript();

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

/**
 * What the operands of a reader are. `text`: not places. `pattern`: the first one is a pattern or a script, the others are read.
 * `none`: an operand may change something.
 */
export type Operands = 'reads' | 'lists' | 'text' | 'pattern' | 'none';

interface Reader extends Options {
  readonly operands: Operands;
}

function readers(operands: Operands, table: string): [string, Reader][] {
  return [...optionTable(table)].map(([name, options]) => [name, {operands, ...options}]);
}

/** A name is left out if its options differ too much between systems to be read alike. */
export const readerTable: ReadonlyMap<string, Reader> = new Map([
  ...readers(
    'reads',
    `cat: nbsvetAETu - number number-nonblank squeeze-blank show-all show-ends show-tabs show-nonprinting
     tac: br s
     head: qvz# nc lines= bytes= quiet silent verbose
     tail: qvz# nc lines= bytes= quiet silent verbose
     nl: p bdfhilnsvw body-numbering= number-width= number-separator= number-format=
     cut: nsz bcdf delimiter= fields= characters= bytes= only-delimited output-delimiter= complement
     rev: - -
     fold: bs# w width= spaces
     expand unexpand: ai# t tabs= all initial first-only
     paste: sz d delimiters= serial
     join: iz 12aejotv header check-order nocheck-order
     comm: 123iz - check-order nocheck-order output-delimiter= total
     cmp: bls in silent quiet verbose print-bytes bytes=
     fmt: cstu# w width= split-only uniform-spacing
     sum: rs -
     pr: adfFmrtT# hlwo
     base32 base64: dDi w decode wrap= ignore-garbage
     cksum: - -
     md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum: btz - binary text tag zero
     strings: afo ent all bytes= radix= encoding=
     wc: clmwL - bytes chars lines words max-line-length total=
     sort: bcCdfghiMmnRrsuVz# kt key= field-separator= unique reverse numeric-sort general-numeric-sort human-numeric-sort version-sort ignore-case ignore-leading-blanks dictionary-order month-sort stable check? zero-terminated
     uniq: cdDiuz# fsw count repeated unique ignore-case skip-fields= skip-chars= check-chars= all-repeated? zero-terminated
     od: bcdfiloxsvwa# AjNt address-radix= read-bytes= skip-bytes= format= output-duplicates width?
     hexdump: bcCdovx ns canonical length= skip= no-squeezing
     xxd: abeipu -
     diff: abBcdeEiNnpqstTuwyZ# CFILUWx brief unified? context? side-by-side suppress-common-lines width= color? strip-trailing-cr ignore-case ignore-all-space ignore-space-change ignore-blank-lines ignore-trailing-space report-identical-files label= minimal text new-file show-c-function exclude= ignore-matching-lines= expand-tabs left-column speed-large-files
     column: tx cos table separator= output-separator=
     bat batcat: Anp# lr plain number show-all style= color= decorations= paging=never line-range= language= theme= tabs= wrap=`,
  ),
  ...readers(
    'lists',
    `ls dir: aABbcCdfFgGhiklmnNoOpqQrRsStuUvxX1 - all almost-all author block-size= classify? color? directory escape file-type format= full-time group-directories-first hide= human-readable ignore= indicator-style= inode literal no-group numeric-uid-gid quoting-style= quote-name recursive reverse size sort= time= time-style=
     tree: adfgirstuvChDFJNQUX1p LIP noreport dirsfirst filelimit= prune matchdirs ignore-case du si sort= timefmt= charset=
     stat: Lt c format= printf= terse dereference
     file: bikNrh0 F brief mime mime-type mime-encoding keep-going no-pad no-dereference raw separator=
     du: abchkmsSx0 dBt all apparent-size block-size= bytes total human-readable max-depth= summarize one-file-system exclude= threshold= inodes si separate-dirs time? time-style=
     df: aBhHiklmPT - human-readable si inodes local portability print-type total
     readlink realpath: efmnqsz - canonicalize canonicalize-existing canonicalize-missing no-newline quiet strip no-symlinks zero relative-to= relative-base=
     find: - -`,
  ),
  ...readers(
    'pattern',
    `grep egrep fgrep: EFGPabchHiIlLnoqrsTUvwxyZz# ABCem after-context= before-context= context= regexp= max-count= extended-regexp fixed-strings basic-regexp perl-regexp count ignore-case no-ignore-case invert-match line-number line-regexp word-regexp files-with-matches files-without-match only-matching quiet silent no-messages with-filename no-filename byte-offset recursive text color? colour? include= exclude= exclude-dir= binary-files= null null-data initial-tab label= line-buffered
     rg: FHIiclnNoPpqsSUvVwx0 ABCEegjmMrtTd after-context= before-context= context= regexp= max-count= max-columns= max-depth= max-filesize= count count-matches fixed-strings ignore-case smart-case case-sensitive invert-match line-number no-line-number line-regexp word-regexp files files-with-matches files-without-match only-matching quiet no-messages with-filename no-filename heading no-heading column no-column vimgrep json stats trim null multiline multiline-dotall pcre2 color= colors= sort= sortr= type= type-not= type-list threads= replace= pretty passthru byte-offset glob= one-file-system text encoding= engine= context-separator= path-separator= no-config line-buffered
     awk gawk mawk: - Fv
     sed: Enrsuz e quiet silent regexp-extended null-data separate unbuffered expression= posix debug
     jq: acCeMjnrRsS - ascii-output color-output compact-output exit-status indent= join-output monochrome-output null-input raw-input raw-output raw-output0 slurp sort-keys tab seq stream`,
  ),
  ...readers(
    'text',
    `colon true false exit break continue return: - -
     pwd: LP -
     tr: cCdst - complement delete squeeze-repeats truncate-set1
     seq: w sf separator= format= equal-width
     uname: amnoprsvi - all kernel-name kernel-release machine operating-system
     whoami arch sleep printf groups expr locale getconf: - -
     id: aGgnruz - user group groups name
     nproc: - - all ignore=
     uptime: ps - pretty since
     which: a -
     type: atpP -
     basename: az s multiple suffix= zero
     dirname: z - zero
     free: bghkmtwv - bytes kilo mega giga human total wide`,
  ),
  ...readers(
    'none',
    `hostname: - -
     date: uRI d utc universal date= rfc-email iso-8601? rfc-3339=`,
  ),
  // Each word that is not an option of `echo` is a text.
  ['echo', {operands: 'text', flags: '', valued: '', long: new Set()}],
]);

/** The parts of `find` that only look. */
const findWord =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|type|maxdepth|mindepth|not|o|or|a|and|size|[acm]time|[acm]min|print0?|printf|prune|empty|perm|user|group|uid|gid|nouser|nogroup|links|inum|depth|ls|quit|true|false|readable|writable|executable|xdev|mount|daystart|newer|exec|delete)$/;

/** Words of a script of `awk` that may write, run a program, read other files, or show the environment. */
const barredAwk =
  /\b(?:system|getline|close|fflush|ENVIRON|PROCINFO|ARGV|ARGC|SYMTAB|FUNCTAB)\b|[|>@]/;

/** Words of a filter of `jq` that show the environment or load modules. */
const barredJq = /\b(?:env|input_filename|import|include|get_search_list|modulemeta)\b|\$ENV|\$__/;

/** Text up to the delimiter. Some systems look for it inside brackets, others don't: it must not be there. */
function sedText(mark: string): string {
  const bracket = String.raw`\[\^?\]?(?:\[:\w+:\]|[^${mark}\][\\\n])*\]`;
  return String.raw`(?:${bracket}|[^${mark}[\\\n]|\\[^\n])*`;
}

function sedScript(): RegExp {
  const address = String.raw`(?:\d+(?:~\d+)?|\$|/${sedText('/')}/I?)`;
  const substitutes = Array.from('/|#,@!', (mark) => {
    const edge = mark === '|' ? String.raw`\|` : mark;
    const replacement = String.raw`(?:[^${mark}\\\n]|\\[^\n])*`;
    return String.raw`s${edge}${sedText(mark)}${edge}${replacement}${edge}[gpiI\d]*`;
  });
  const verb = String.raw`(?:[pdq=lnNDPghGHx]|${substitutes.join('|')})`;
  const one = String.raw`\s*(?:${address}(?:,\+?${address})?\s*!?\s*)?${verb}\s*`;
  return new RegExp(`^(?:${one})(?:;${one})*;?\\s*$`);
}

/** A script of `sed` that only prints or substitutes: `10,20p`, `/a/,/b/p`, `s/a/b/g`, also several, separated by `;`. */
function isPlainSed(script: string): boolean {
  return plainSed.test(script);
}

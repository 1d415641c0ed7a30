/** Programs that only read, with the options that keep it so; any other option is not known to only read. */

import {type Options, optionTable} from './options.ts';

/**
 * What the operands of a reader are. `text`: not places. `pattern`: the first one is a pattern or a script, the others are read.
 * `none`: an operand may change something.
 */
export type Operands = 'reads' | 'lists' | 'text' | 'pattern' | 'none';

export interface Reader extends Options {
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
export const findWord =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|type|maxdepth|mindepth|not|o|or|a|and|size|[acm]time|[acm]min|print0?|printf|prune|empty|perm|user|group|uid|gid|nouser|nogroup|links|inum|depth|ls|quit|true|false|readable|writable|executable|xdev|mount|daystart|newer|exec|delete)$/;

/** Words of a script of `awk` that may write, run a program, read other files, or show the environment. */
export const barredAwk =
  /\b(?:system|getline|close|fflush|ENVIRON|PROCINFO|ARGV|ARGC|SYMTAB|FUNCTAB)\b|[|>@]/;

/** Words of a filter of `jq` that show the environment or load modules. */
export const barredJq =
  /\b(?:env|input_filename|import|include|get_search_list|modulemeta)\b|\$ENV|\$__/;

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

const plainSed = sedScript();

/** A script of `sed` that only prints or substitutes: `10,20p`, `/a/,/b/p`, `s/a/b/g`, also several, separated by `;`. */
export function isPlainSed(script: string): boolean {
  return plainSed.test(script);
}

/** Inline Ruby of a command (`ruby -e`): detects code that only computes and prints. */

import type {Act} from '../program.ts';
import {act} from '../refinements/refine.ts';
import {
  fieldEnd,
  fieldStart,
  firstStep,
  matchAt,
  scan,
  type Source,
  sourceOf,
  type Step,
  type Token,
  tokensOf,
  wordSet,
} from './tokens.ts';

const keywords = wordSet(
  'if elsif else unless then end do while until and or not true false nil in',
);
const functions = wordSet('puts p print pp printf format sprintf rand Integer Float String Array');
const constants = wordSet(
  'RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL RUBY_RELEASE_DATE',
);
const roots: Readonly<Record<string, ReadonlySet<string>>> = {
  Math: wordSet('sqrt sin cos tan log log2 log10 hypot cbrt PI E'),
  Time: wordSet('now at'),
  STDIN: wordSet('read gets each_line readlines'),
  $stdin: wordSet('read gets each_line readlines'),
  JSON: wordSet('parse generate pretty_generate'),
  File: wordSet('read basename dirname extname join'),
};
const methods = wordSet(`
  map select reject each sum max min sort sort_by uniq join split to_s to_i to_f to_a to_h keys values size length count
  upcase downcase capitalize swapcase strip lstrip rstrip chomp reverse first last take drop take_while drop_while include?
  any? all? none? zip flatten compact gsub sub tr delete start_with? end_with? each_with_index with_index group_by tally
  round floor ceil abs even? odd? zero? times upto downto step inspect dig merge nil? empty? scan lines chars bytes
  strftime year month day hour min sec each_slice each_cons partition find find_index index rjust ljust center squeeze ord
  chr digits gcd lcm pow succ pred sample shuffle push pop shift flat_map filter_map min_by max_by each_char product
  combination permutation transpose rotate values_at key? value? each_pair transform_values then_some iso8601 to_json
`);

/** Undefined: the code may have other effects. `hasJson`: `-rjson`. */
export function readRuby(code: string, hasJson: boolean): readonly Act[] | undefined {
  if (/^=begin|^__END__/m.test(code)) return undefined;
  const tokens = tokensOf(code, lexer);
  const source = tokens && sourceOf(tokens);
  if (!source) return undefined;
  const own = namesOf(source);
  if (!own) return undefined;
  const acts: Act[] = [];
  for (const [at, token] of source.tokens.entries()) {
    const found = readToken(source, at, token, {own, hasJson});
    if (!found) return undefined;
    acts.push(...found);
  }
  return acts;
}

interface Known {
  readonly own: ReadonlySet<string>;
  readonly hasJson: boolean;
}

const marks =
  /<=>|===|\*\*=|\|\|=|&&=|\.\.\.|=~|!~|==|!=|<=|>=|&&|\|\||\.\.|&\.|\+=|-=|\*=|\*\*|=>|[{}()[\];,<>+*/%!?:=.|-]/;

function lexer(code: string, at: number, before: readonly Token[]): Step | undefined {
  if (code[at] === '"') return readDouble(code, at);
  const single = matchAt(code, at, /'[^'\\]*'/);
  if (single !== undefined) {
    return {tokens: [{kind: 'string', text: single.slice(1, -1)}], end: at + single.length};
  }
  const isAfterValue = endsTerm(before);
  // After a name it may begin a pattern, a text or a list of arguments.
  const isSpaced = /^\s[/%?<*-]=?\s/.test(code.slice(at - 1, at + 3));
  const mayOpen = /[/%?<*-]/.test(code[at] ?? '') && !/^-\d/.test(code.slice(at, at + 2));
  if (mayOpen && !isAfterValue && !(isSpaced && before.length > 0)) return undefined;
  if (code.startsWith('<<', at)) return undefined;
  return firstStep(code, at, [
    ['none', /[ \t]+|#[^\n]*/],
    ['line', /\n/],
    ['number', /\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)/],
    ['variable', /\$(?:stdin|_)(?!\w)/],
    ['name', /[A-Za-z_]\w*(?:[?!](?!=))?(?!\w)/],
    ['mark', marks],
  ]);
}

function endsTerm(before: readonly Token[]): boolean {
  const last = before.at(-1);
  if (!last) return false;
  if (/^(?:number|string|template|variable)$/.test(last.kind)) return true;
  return last.kind === 'mark' && /^(?:\)|\]|\}\$)$/.test(last.text);
}

function readDouble(code: string, from: number): Step | undefined {
  const plain = matchAt(code, from, /"[^"\\#]*"/);
  if (plain !== undefined) {
    return {tokens: [{kind: 'string', text: plain.slice(1, -1)}], end: from + plain.length};
  }
  const tokens: Token[] = [{kind: 'template', text: '"'}];
  let at = from + 1;
  for (;;) {
    at += matchAt(code, at, /(?:[^"\\#]|\\[nrtse0"\\#]|#(?![{@$]))+/)?.length ?? 0;
    if (code[at] === '"') return {tokens, end: at + 1};
    if (!code.startsWith('#{', at)) return undefined;
    const field = scan(code, at + 2, lexer, true);
    if (!field) return undefined;
    tokens.push(fieldStart, ...field.tokens, fieldEnd);
    at = field.end + 1;
  }
}

/** Names of values: one letter, or words that are not names of functions. */
function namesOf({tokens, is}: Source): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const [at, {kind, text}] of tokens.entries()) {
    if (kind !== 'name' || is(at - 1, '.', '&.')) continue;
    const isParameter = is(at - 1, '|', ',') && is(at + 1, '|', ',');
    if (!is(at + 1, '=') && !isParameter) continue;
    if (
      !/^[a-z]$|^(?:str|arr|num|sum|total|data|item|line|word|words|key|val|value|name|list|result|json|text|acc|idx|row)$/.test(
        text,
      )
    )
      return undefined;
    found.add(text);
  }
  return found;
}

const nothing: readonly Act[] = [];

function readToken(
  source: Source,
  at: number,
  {kind, text}: Token,
  known: Known,
): readonly Act[] | undefined {
  if (kind === 'mark') return isSafeMark(source, at) ? nothing : undefined;
  if (text === '$stdin' && kind === 'variable') return readRooted(source, at, text);
  return kind === 'name' ? readName(source, at, text, known) : nothing;
}

function readName(
  source: Source,
  at: number,
  name: string,
  known: Known,
): readonly Act[] | undefined {
  if (source.is(at - 1, '.', '&.')) {
    return isRooted(source, at) || methods.has(name) ? nothing : undefined;
  }
  if (name === 'JSON' && !known.hasJson) return undefined;
  if (Object.hasOwn(roots, name)) return readRooted(source, at, name);
  return isSafeName(source, at, name, known) ? nothing : undefined;
}

/** Symbols name methods; a called method must be written out. */
function isSafeMark(source: Source, at: number): boolean {
  if (source.is(at, ':')) return isLabel(source, at);
  return !(source.is(at, '(') && source.is(at - 1, ')', ']', '}'));
}

function isSafeName(source: Source, at: number, name: string, {own}: Known): boolean {
  if (own.has(name)) return !isArgument(source, at + 1);
  return (
    [keywords, functions, constants].some((names) => names.has(name)) || isLabel(source, at + 1)
  );
}

/** `symbolize_names: true` */
function isLabel({is, textAt}: Source, at: number): boolean {
  return is(at, ':') && textAt(at - 1) === 'symbolize_names' && is(at + 1, 'true');
}

/** A name with something right after it is a call. */
function isArgument({kindAt, is}: Source, at: number): boolean {
  return /^(?:number|string|template|variable)$/.test(kindAt(at) ?? '') || is(at, '(');
}

function isRooted({is, textAt}: Source, at: number): boolean {
  const root = textAt(at - 2);
  return is(at - 1, '.') && Object.hasOwn(roots, root) && roots[root]?.has(textAt(at)) === true;
}

function readRooted(source: Source, at: number, root: string): readonly Act[] | undefined {
  const {is, kindAt, textAt} = source;
  const member = textAt(at + 2);
  if (!is(at + 1, '.') || !roots[root]?.has(member)) return undefined;
  if (root !== 'File' || member !== 'read') return nothing;
  const isPlain = is(at + 3, '(') && kindAt(at + 4) === 'string' && is(at + 5, ')');
  return isPlain && /^[\w./-]+$/.test(textAt(at + 4)) ? [act('reads', textAt(at + 4))] : undefined;
}

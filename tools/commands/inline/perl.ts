/**
 * Inline Perl of a command: detects code that only computes and prints, from its input.
 *
 * No references, no functions of its own, no packages: only texts, numbers, lists and patterns.
 */

import {perlTokens, expectsPattern} from './perl-tokens.ts';
import {type Source, sourceOf, wordSet} from './tokens.ts';

const names = wordSet(`
  print printf say if unless elsif else while until for foreach my map grep sort reverse join split length substr index
  rindex uc lc ucfirst lcfirst sprintf push pop shift unshift splice keys values exists defined delete scalar int abs sqrt
  sin cos exp log hex oct ord chr rand srand time localtime gmtime chomp chop last next and or not xor eq ne lt gt le ge cmp
  x STDERR STDOUT BEGIN END wantarray exit die warn
`);
const forbidden = /^[$@%]#?(?:ENV|INC|SIG|ARGV|main|ISA|EXPORT|ARGVOUT|STDIN|F)$/;

/** Words that may follow `use`. */
const pragmas = /^(?:strict|warnings|utf8)$/;

export interface Perl {
  /** It reads the given files, or its standard input. */
  readonly readsFiles: boolean;
  /** It only replaces parts of its input. */
  readonly isReplacing: boolean;
}

/** Undefined: the code may have other effects. `imported`: functions of modules that compute. */
export function readPerl(code: string, imported: ReadonlySet<string>): Perl | undefined {
  const tokens = perlTokens(code);
  const source = tokens && sourceOf(tokens);
  if (!source) return undefined;
  const isKnown = source.tokens.every(({kind, text}, at) => {
    if (kind === 'variable') return isSafeVariable(source, at, text);
    if (kind === 'regex' || kind === 'template') return isSafePattern(source, at);
    return kind === 'name' ? isSafeName(source, at, text, imported) : isSafeMark(source, at);
  });
  if (!isKnown) return undefined;
  const isReplacing = source.tokens.every(
    ({kind, text}) => kind === 'template' || (kind === 'mark' && text === ';'),
  );
  return {readsFiles: source.tokens.some(({text}) => text === '<>'), isReplacing};
}

/** `@F` is what `-a` makes of a line. */
function isSafeVariable({is}: Source, at: number, text: string): boolean {
  if (/^[$@]#?F$/.test(text)) return true;
  return !forbidden.test(text) && !is(at + 1, '(');
}

function isSafePattern({kindAt, textAt}: Source, at: number): boolean {
  return kindAt(at - 1) !== 'name' || expectsPattern(textAt(at - 1));
}

function isSafeName(
  source: Source,
  at: number,
  name: string,
  imported: ReadonlySet<string>,
): boolean {
  const {is, textAt} = source;
  if (isKey(source, at)) return true;
  if (name === 'use') return pragmas.test(textAt(at + 1)) && is(at + 2, ';');
  if (pragmas.test(name)) return is(at - 1, 'use');
  // A handle, or a block that returns one.
  if (/^(?:print|printf|say)$/.test(name) && is(at + 1, '{')) return false;
  return names.has(name) || imported.has(name);
}

/** `name => …`, `$a{name}` */
function isKey({is, fits, kindAt}: Source, at: number): boolean {
  return is(at + 1, '=>') || (fits(at - 1, '{ NAME }') && kindAt(at - 2) === 'variable');
}

function isSafeMark({is, kindAt}: Source, at: number): boolean {
  if (is(at, '(') && /^(?:string|number|regex|template)$/.test(kindAt(at - 1) ?? '')) return false;
  return !(is(at, '(', '[') && is(at - 1, '}'));
}

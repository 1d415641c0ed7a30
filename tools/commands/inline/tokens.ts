/** Splits inline code of any language into tokens, and finds the bracket that encloses each token. */

import type {Act} from '../program.ts';

export interface Token {
  /** `string`: a literal whose value is known. `template`: a literal with code in it, whose tokens follow in brackets. */
  readonly kind: 'name' | 'number' | 'string' | 'template' | 'regex' | 'mark' | 'variable' | 'line';
  /** The value of a string; the source text of any other token. */
  readonly text: string;
}

/** The tokens found at one place (none for a blank or a comment), and where they end. */
export interface Step {
  readonly tokens: readonly Token[];
  readonly end: number;
}

/** Undefined: no known token of the language begins there. */
export type Lexer = (code: string, at: number, before: readonly Token[]) => Step | undefined;

/** These tokens enclose code in a literal, in every language. */
export const fieldStart: Token = {kind: 'mark', text: '${'};
export const fieldEnd: Token = {kind: 'mark', text: '}$'};

const openers = new Set(['(', '[', '{', '${']);
const closers: Readonly<Record<string, string>> = {')': '(', ']': '[', '}': '{', '}$': '${'};

const maxLength = 10_000;

/** Line breaks that only some languages know, and invisible characters. */
const odd = /[^\n\t\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** All tokens of the code; undefined if a part of it is unknown. */
export function tokensOf(code: string, lexer: Lexer): readonly Token[] | undefined {
  if (code.length > maxLength || odd.test(code)) return undefined;
  const scanned = scan(code, 0, lexer, false);
  return scanned && scanned.end === code.length ? scanned.tokens : undefined;
}

/** @param isField Ends before the brace that closes a field in a literal. */
export function scan(code: string, from: number, lexer: Lexer, isField: boolean): Step | undefined {
  const tokens: Token[] = [];
  let depth = 0;
  let at = from;
  while (at < code.length) {
    if (isField && depth === 0 && code[at] === '}') return {tokens, end: at};
    const step = lexer(code, at, tokens);
    if (!step || step.end <= at) return undefined;
    depth += depthOf(step.tokens);
    tokens.push(...step.tokens);
    at = step.end;
  }
  return isField ? undefined : {tokens, end: at};
}

function depthOf(tokens: readonly Token[]): number {
  const marks = tokens.filter(({kind}) => kind === 'mark');
  return marks.reduce(
    (sum, {text}) => sum + (openers.has(text) ? 1 : Object.hasOwn(closers, text) ? -1 : 0),
    0,
  );
}

export function matchAt(code: string, at: number, pattern: RegExp): string | undefined {
  const sticky = new RegExp(pattern.source, `${pattern.flags.replace('y', '')}y`);
  sticky.lastIndex = at;
  return sticky.exec(code)?.[0];
}

/** The step of the first form that matches. */
export function firstStep(
  code: string,
  at: number,
  forms: readonly (readonly [Token['kind'] | 'none', RegExp])[],
): Step | undefined {
  for (const [kind, form] of forms) {
    const text = matchAt(code, at, form);
    if (text !== undefined && text !== '') {
      return {tokens: kind === 'none' ? [] : [{kind, text}], end: at + text.length};
    }
  }
  return undefined;
}

/** Tokens with their brackets. */
export interface Source {
  readonly tokens: readonly Token[];
  /** For each token the index of the bracket that encloses it, -1 at the top; for a bracket the one around it. */
  readonly around: readonly number[];
  /** For each bracket, opening or closing, its partner. */
  readonly partner: ReadonlyMap<number, number>;
  readonly textAt: (at: number) => string;
  /** The token is a mark or a name with this text. */
  readonly is: (at: number, ...texts: readonly string[]) => boolean;
  readonly kindAt: (at: number) => Token['kind'] | undefined;
  /** The tokens from there on match: texts of marks and names, or `NAME`, `STRING`, `NUMBER`, `END`, separated by blanks. */
  readonly fits: (at: number, form: string) => boolean;
}

/** Undefined: the brackets don't match. */
export function sourceOf(tokens: readonly Token[]): Source | undefined {
  const brackets = bracketsOf(tokens);
  if (!brackets) return undefined;
  const is: Source['is'] = (at, ...texts) => {
    const token = tokens[at];
    return token !== undefined && /^(?:mark|name)$/.test(token.kind) && texts.includes(token.text);
  };
  const kindAt = (at: number) => tokens[at]?.kind;
  const fitsOne = (at: number, form: string) =>
    form === 'END'
      ? kindAt(at) === undefined
      : kindAt(at) === form.toLowerCase() && /^[A-Z]+$/.test(form);
  return {
    ...brackets,
    tokens,
    kindAt,
    is,
    textAt: (at) => tokens[at]?.text ?? '',
    fits: (at, form) =>
      form.split(' ').every((one, index) => is(at + index, one) || fitsOne(at + index, one)),
  };
}

/** Undefined: they don't match. */
function bracketsOf(tokens: readonly Token[]): Pick<Source, 'around' | 'partner'> | undefined {
  const around: number[] = [];
  const partner = new Map<number, number>();
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    const opener = openerOf(token);
    if (opener !== undefined) {
      const start = open.pop() ?? -1;
      if (tokens[start]?.text !== opener) return undefined;
      partner.set(start, at);
      partner.set(at, start);
    }
    around.push(open.at(-1) ?? -1);
    if (token.kind === 'mark' && openers.has(token.text)) open.push(at);
  }
  return open.length > 0 ? undefined : {around, partner};
}

function openerOf({kind, text}: Token): string | undefined {
  return kind === 'mark' && Object.hasOwn(closers, text) ? closers[text] : undefined;
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** The effects of all tokens; undefined: one of them is unknown. */
export function actsOf(
  {tokens}: Source,
  read: (token: Token, at: number) => readonly Act[] | undefined,
): readonly Act[] | undefined {
  const acts: Act[] = [];
  for (const [at, token] of tokens.entries()) {
    const found = read(token, at);
    if (!found) return undefined;
    acts.push(...found);
  }
  return acts;
}

/** Before an operator: the preceding token ends a value. */
export function endsValue({kindAt, is}: Source, at: number, words: ReadonlySet<string>): boolean {
  const kind = kindAt(at);
  if (kind === undefined || kind === 'line') return false;
  if (kind === 'mark') return is(at, ')', ']', '}', '}$');
  return kind !== 'name' || !is(at, ...words);
}

/** Tokens of Perl. Its grammar depends on the expected token: where that is uncertain, nothing is read. */

import {firstStep, matchAt, type Step, type Token, tokensOf} from './tokens.ts';

/** Documentation in the code begins with `=` at the beginning of a line. */
export function perlTokens(code: string): readonly Token[] | undefined {
  return /^=[a-z]/im.test(code) ? undefined : tokensOf(code, lexer);
}

const marks =
  /\|\|=|&&=|\.\.\.|=~|!~|==|!=|>=|&&|\|\||\.\.|\+\+|--|\+=|-=|\.=|=>|[{}()[\];,>+=!?:.-]/;
const variable =
  /\$#[A-Za-z_]\w*|\$(?:[A-Za-z_]\w*|\d+)(?!::)|\$[&.,/|](?![\w:])|@[A-Za-z_]\w*(?!::)/;

function lexer(code: string, at: number, before: readonly Token[]): Step | undefined {
  const skipped = firstStep(code, at, [['none', /\s+|(?<=\s|^)#[^\n]*/]]);
  if (skipped) return skipped;
  // An arrow may be a call, or look up a computed name.
  if (code.startsWith('->', at)) return undefined;
  const isOperator = endsTerm(before);
  const quoted = readQuoted(code, at, isOperator);
  if (quoted !== 'none') return quoted;
  const special = isOperator
    ? /<=>|<=|\*\*=?|\*=|\/\/=?|\/=|[<*%/]|x(?=\d)/
    : /%[A-Za-z_]\w*(?!::)|<(?:STDIN)?>/;
  if (!isOperator && /^-[A-Za-z](?!\w)/.test(code.slice(at, at + 3))) return undefined;
  const kind = isOperator ? 'mark' : 'variable';
  return firstStep(code, at, [
    ['variable', variable],
    ['number', /(?:0[xX][\dA-Fa-f]+|0[bB][01]+|\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w)/],
    ...(isOperator === undefined ? [] : [[kind, special] as const]),
    ['name', /[A-Za-z_]\w*(?!\w|::|')/],
    ['mark', marks],
  ]);
}

/** An operator comes next; undefined: unknown. */
function endsTerm(before: readonly Token[]): boolean | undefined {
  const last = before.at(-1);
  if (!last) return false;
  if (last.kind === 'name') return false;
  if (last.kind !== 'mark') return true;
  if (/^[)\]]$/.test(last.text)) return true;
  return last.text === '}' ? isSubscript(before) : false;
}

/** `$a{b}`: a variable precedes the brace. */
function isSubscript(before: readonly Token[]): true | undefined {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const {kind, text} = before[at] ?? {};
    if (kind !== 'mark') continue;
    if (text === '}') depth += 1;
    if (text === '{') depth -= 1;
    if (depth === 0) return before[at - 1]?.kind === 'variable' ? true : undefined;
  }
  return undefined;
}

/** Words after which a slash begins a pattern. */
const expecting = /^(?:split|if|unless|and|or|not|grep|return|print|while|until|x|push|join|map)$/;

function readQuoted(
  code: string,
  at: number,
  isOperator: boolean | undefined,
): Step | undefined | 'none' {
  const single = matchAt(code, at, /'(?:[^'\\]|\\.)*'/s);
  if (single !== undefined) return stringStep(single, at, true);
  const double = matchAt(code, at, /"(?:[^"\\]|\\.)*"/s);
  if (double !== undefined) return stringStep(double, at, isPlain(double.slice(1, -1), false));
  const words = matchAt(code, at, /qw(?:\([^()\\]*\)|\/[^/\\]*\/)/);
  if (words !== undefined) return stringStep(words, at, true);
  if (code[at] === '/' && isOperator === false) return readPattern(code, at);
  return /^(?:m|qr|s|tr|y)[/|,!:#]/.test(code.slice(at, at + 3)) ? readPattern(code, at) : 'none';
}

function stringStep(text: string, at: number, isKnown: boolean): Step | undefined {
  return isKnown ? {tokens: [{kind: 'string', text}], end: at + text.length} : undefined;
}

/** `/a/i`, `s/a/b/g`, `tr/a-z/A-Z/`. The replacement is not code, and the pattern contains none. */
function readPattern(code: string, at: number): Step | undefined {
  const operator = matchAt(code, at, /m|qr|s|tr|y/) ?? '';
  const start = at + operator.length;
  const mark = `\\${code.charAt(start)}`;
  const body = `((?:[^${mark}\\\\\\n]|\\\\.)*)${mark}`;
  const changes = /^(?:s|tr|y)$/.test(operator);
  const form = `${mark}${body}${changes ? body : ''}(?:[gimsxr]*|[cds]*)(?!\\w)`;
  const found = new RegExp(`^${form}`).exec(code.slice(start));
  const isKnown = found && (/^(?:tr|y)$/.test(operator) || isPlainPattern(found));
  if (!isKnown) return undefined;
  const [text] = found;
  return {tokens: [{kind: changes ? 'template' : 'regex', text}], end: start + text.length};
}

/** A search has one pattern; a replacement also has a second text. */
function isPlainPattern([, first = '', second = '']: readonly string[]): boolean {
  return first !== '' && isPlain(first, true) && isPlain(second, false);
}

/** It is not evaluated when it is used: at most it contains plain variables and parts of them. */
function isPlain(body: string, isPattern: boolean): boolean {
  const bare = body.replaceAll(/\\./gs, '  ').replaceAll(/\$\.(?=[:\s]|$)/g, '  ');
  if (isPattern && /\(\?\??p?\{|\(\*/.test(bare)) return false;
  const end = isPattern ? /[$@](?![\w\s)|]|$)/ : /[$@](?![\w\s]|$)/;
  if (end.test(bare) || /[$@](?:ENV|INC|SIG|ARGV)\b|::/.test(bare)) return false;
  const part = /^(?:\[-?\d+\]|\[\$\w+\]|\{\w+\}|\{\$\w+\}|\{\d+,\d*\})/;
  return [...bare.matchAll(/[$@]\w+/g)].every((found) => {
    const rest = bare.slice(found.index + found[0].length).replace(part, '');
    return !/^(?:[[{]|->)/.test(rest);
  });
}

/** Words before a slash that does not divide. */
export function expectsPattern(name: string): boolean {
  return expecting.test(name);
}

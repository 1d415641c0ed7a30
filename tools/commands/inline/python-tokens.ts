/** Tokens of Python. */

import {
  fieldEnd,
  fieldStart,
  firstStep,
  matchAt,
  scan,
  type Step,
  type Token,
  tokensOf,
} from './tokens.ts';

/** A comment may set the encoding of the rest. */
export function pythonTokens(code: string): readonly Token[] | undefined {
  return /#.*coding/.test(code) ? undefined : tokensOf(code, lexer);
}

const blank = /[ \t]+|\\\n|#[^\n]*/;
const marks =
  /\*\*=|\/\/=|>>=|<<=|:=|->|==|!=|<=|>=|\*\*|\/\/|<<|>>|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|[{}()[\],:.;+\-*/%<>=&|^~]/;
const number =
  /(?:0[xX][\dA-Fa-f_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?j?)(?![\w])/;

function lexer(code: string, at: number): Step | undefined {
  const opening = matchAt(
    code,
    at,
    /(?:[rR]?[bB]|[bB][rR]|[rR]|[fF]|[rR][fF]|[fF][rR]|[uU])?(?:"""|'''|"|')/,
  );
  if (opening !== undefined) return readString(code, at, opening);
  return firstStep(code, at, [
    ['none', blank],
    ['line', /\n/],
    ['number', number],
    ['name', /[A-Za-z_]\w*(?![\w"'])/],
    ['mark', marks],
  ]);
}

function readString(code: string, at: number, opening: string): Step | undefined {
  const quote = opening.replace(/^[A-Za-z]*/, '');
  const prefix = opening.slice(0, -quote.length).toLowerCase();
  const start = at + opening.length;
  const end = endOfString(code, start, quote);
  if (end === undefined) return undefined;
  const text = code.slice(start, end);
  const after = end + quote.length;
  if (prefix.includes('f')) {
    const fields = fieldsOf(text, prefix.includes('r'));
    return fields && {tokens: [{kind: 'template', text: quote}, ...fields], end: after};
  }
  const isPlain = prefix.includes('r') || !text.includes('\\');
  // A text with escapes is not read as a file name, so its value does not matter.
  return {tokens: [isPlain ? {kind: 'string', text} : {kind: 'regex', text}], end: after};
}

function endOfString(code: string, start: number, quote: string): number | undefined {
  for (let at = start; at < code.length; at += 1) {
    if (code.startsWith(quote, at)) return at;
    if (code[at] === '\n' && quote.length === 1) return undefined;
    if (code[at] === '\\') at += 1;
  }
  return undefined;
}

/** The code in `f'a {b!r:>{c}}'`. Older and newer versions of Python agree on where its fields end. */
function fieldsOf(text: string, isRaw: boolean): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/^(?:\{\{|\}\})/.test(text.slice(at, at + 2))) at += 2;
    else if (text[at] === '{') {
      const field = readField(text, at + 1);
      if (!field) return undefined;
      tokens.push(...field.tokens);
      at = field.end;
    } else if (
      text[at] === '}' ||
      (text[at] === '\\' && !isRaw && /[N{}]/.test(text[at + 1] ?? ''))
    ) {
      return undefined;
    } else at += 1;
  }
  return tokens;
}

const format = /(?:=?)(?:![rsa])?(?::[^{}\\]*)?/;

/** Starts after the opening brace. */
function readField(text: string, from: number): Step | undefined {
  const code = codeOfField(text, from);
  const inner =
    code === undefined || /[\\\n#]/.test(code) ? undefined : scan(code, 0, lexer, false);
  if (code === undefined || !inner) return undefined;
  const at = from + code.length;
  const width = readWidth(text, at + (matchAt(text, at, format)?.length ?? 0));
  if (!width || text[width.end] !== '}') return undefined;
  return {tokens: [fieldStart, ...inner.tokens, fieldEnd, ...width.tokens], end: width.end + 1};
}

/** `{width}.{precision}` in the format of a field. */
function readWidth(text: string, from: number): Step | undefined {
  const tokens: Token[] = [];
  let at = from;
  while (text[at] === '{') {
    const field = readField(text, at + 1);
    if (!field) return undefined;
    tokens.push(...field.tokens);
    at = field.end + (matchAt(text, field.end, /[^{}\\]*/)?.length ?? 0);
  }
  return {tokens, end: at};
}

/** The code up to the format of the field; texts in it are plain. */
function codeOfField(text: string, from: number): string | undefined {
  let depth = 0;
  for (let at = from; at < text.length && depth >= 0; at += 1) {
    const char = text[at] ?? '';
    if (depth === 0 && isEndOfCode(text, at)) return text.slice(from, at);
    depth += depthBy(char);
    if (/["']/.test(char)) {
      const end = text.indexOf(char, at + 1);
      if (end < 0 || text[end + 1] === char) return undefined;
      at = end;
    }
  }
  return undefined;
}

function depthBy(char: string): number {
  if (/[([{]/.test(char)) return 1;
  return /[)\]}]/.test(char) ? -1 : 0;
}

function isEndOfCode(text: string, at: number): boolean {
  const rest = text.slice(at, at + 3);
  if (/^[:}]/.test(rest) || /^![rsa][:}]/.test(rest)) return true;
  return /^=[!:}]/.test(rest) && !/[<>!=]/.test(text[at - 1] ?? '');
}

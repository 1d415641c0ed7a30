/** Tokens of JavaScript. If a slash, a brace or an escape is ambiguous, nothing is read. */

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

/** `<!--` and `-->` begin comments in scripts. */
export function javascriptTokens(code: string): readonly Token[] | undefined {
  return /<!--|-->/.test(code) ? undefined : tokensOf(code, lexer);
}

const blank = /[ \t\n]+|\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const marks =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*|[{}()[\];,<>+\-*/%&|^!~?:=.]/;
const number =
  /(?:0[xX][\dA-Fa-f]+|0[bB][01]+|(?!0\d)(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?n?)(?![\w$])/;
const regex = /\/(?![*/])(?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[dgimsuy]*(?![\w$])/;
const string = /'(?:[^'\\\n]|\\[nrtbfv0'"\\/`$.-])*'|"(?:[^"\\\n]|\\[nrtbfv0'"\\/`$.-])*"/;
const templateText = /(?:[^`\\$]|\\[nrtbfv0'"\\/`$.-]|\$(?!\{))+/;

function lexer(code: string, at: number, before: readonly Token[]): Step | undefined {
  if (code[at] === '`') return readTemplate(code, at);
  const skipped = firstStep(code, at, [['none', blank]]);
  if (skipped) return skipped;
  if (code[at] === '/') {
    const isRegex = beginsRegex(before);
    if (isRegex === undefined) return undefined;
    if (isRegex) return firstStep(code, at, [['regex', regex]]);
  }
  const quoted = matchAt(code, at, string);
  if (quoted !== undefined) {
    return {
      tokens: [{kind: 'string', text: unescaped(quoted.slice(1, -1))}],
      end: at + quoted.length,
    };
  }
  return firstStep(code, at, [
    ['number', number],
    ['name', /[A-Za-z_$][\w$]*/],
    ['mark', marks],
  ]);
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, char: string) => escapes[char] ?? char);
}

function readTemplate(code: string, from: number): Step | undefined {
  const tokens: Token[] = [{kind: 'template', text: '`'}];
  let at = from + 1;
  for (;;) {
    at += matchAt(code, at, templateText)?.length ?? 0;
    if (code[at] === '`') return {tokens, end: at + 1};
    if (!code.startsWith('${', at)) return undefined;
    const field = scan(code, at + 2, lexer, true);
    if (!field) return undefined;
    tokens.push(fieldStart, ...field.tokens, fieldEnd);
    at = field.end + 1;
  }
}

/** True: a slash begins a regular expression. False: it divides. Undefined: either. */
function beginsRegex(before: readonly Token[]): boolean | undefined {
  const last = before.at(-1);
  if (!last) return true;
  const {kind, text} = last;
  if (kind === 'name') return afterName(before.at(-2), text);
  if (kind !== 'mark') return false;
  if (text === ']' || text === '}$') return false;
  if (text === ')') return isGroup(before) ? false : undefined;
  return /^(?:\}|\+\+|--)$/.test(text) ? undefined : true;
}

function afterName(previous: Token | undefined, name: string): boolean | undefined {
  const isMember = previous?.kind === 'mark' && /^\??\.$/.test(previous.text);
  if (isMember) return false;
  if (/^(?:return|typeof|void|in|of|case)$/.test(name)) return true;
  return /^(?:else|do|new|delete|throw|yield|await|let|const|var|if|while|for)$/.test(name)
    ? undefined
    : false;
}

/** The parenthesis that ends here encloses neither a condition nor the head of a loop. */
function isGroup(before: readonly Token[]): boolean {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const {kind, text} = before[at] ?? {};
    if (kind !== 'mark') continue;
    if (text === ')') depth += 1;
    if (text === '(') depth -= 1;
    if (depth === 0) return !/^(?:if|while|for|with|catch)$/.test(before[at - 1]?.text ?? '');
  }
  return false;
}

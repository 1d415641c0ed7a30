/** The syntax tree of a shell text, as POSIX defines it and as dash, bash and busybox read it alike. */

import type {DoubleQuotedChild, ParameterExpansionPart, Word, WordPart} from 'unbash';

/** A part of a word. `written`: its source text. `quoted`: it is neither split into words nor a pattern. */
export type Part =
  | {readonly kind: 'text'; readonly text: string; readonly quoted: boolean}
  | {
      readonly kind: 'parameter';
      readonly name: string;
      readonly quoted: boolean;
      readonly written: string;
      /** `${#name}`. */
      readonly isLength?: true;
      readonly operator?: string;
      readonly operand?: RawWord;
    }
  | {
      readonly kind: 'command';
      readonly script: Script;
      readonly quoted: boolean;
      readonly written: string;
    }
  | {
      readonly kind: 'arithmetic';
      readonly expression: string;
      readonly quoted: boolean;
      readonly written: string;
    }
  /** `{a,b}`: several words to some shells, text to others. */
  | {readonly kind: 'braces'; readonly options: readonly string[]; readonly written: string}
  /** `<(…)`: a file to some shells, an error to others. */
  | {readonly kind: 'process'; readonly script: Script; readonly written: string}
  | {readonly kind: 'opaque'; readonly why: string; readonly written: string};

/** A word as written, before anything is resolved. */
export interface RawWord {
  readonly parts: readonly Part[];
  readonly written: string;
}

export interface RawAssignment {
  readonly name: string;
  readonly value: RawWord;
}

export interface RawRedirect {
  /** `here`: the target is the text itself. */
  readonly operator: '>' | '>>' | '<' | '<>' | '>|' | '>&' | '<&' | '&>' | '&>>' | 'here';
  readonly target: RawWord;
  /** 0: standard input. */
  readonly descriptor: number;
}

export interface Simple {
  readonly kind: 'simple';
  readonly assignments: readonly RawAssignment[];
  readonly words: readonly RawWord[];
  readonly redirects: readonly RawRedirect[];
  readonly text: string;
}

export type Node =
  | Simple
  | {readonly kind: 'pipe'; readonly nodes: readonly Node[]; readonly isNegated: boolean}
  | {
      readonly kind: 'chain';
      readonly first: Node;
      readonly rest: readonly {readonly operator: '&&' | '||'; readonly node: Node}[];
    }
  | {
      readonly kind: 'if';
      readonly branches: readonly {readonly test: Script; readonly body: Script}[];
      readonly otherwise: Script | undefined;
    }
  | {
      readonly kind: 'for';
      readonly name: string;
      readonly words: readonly RawWord[] | undefined;
      readonly body: Script;
    }
  | {
      readonly kind: 'while';
      readonly isUntil: boolean;
      readonly test: Script;
      readonly body: Script;
    }
  | {
      readonly kind: 'case';
      readonly word: RawWord;
      readonly items: readonly {readonly patterns: readonly RawWord[]; readonly body: Script}[];
    }
  | {readonly kind: 'subshell'; readonly body: Script}
  | {readonly kind: 'group'; readonly body: Script}
  | {
      readonly kind: 'redirected';
      readonly node: Node;
      readonly redirects: readonly RawRedirect[];
      readonly text: string;
    }
  | {readonly kind: 'function'; readonly name: string; readonly body: Node}
  /** Shells read this differently: each reading is followed. */
  | {readonly kind: 'either'; readonly nodes: readonly Node[]}
  | {readonly kind: 'opaque'; readonly word: string; readonly why: string};

export type Script = readonly {readonly node: Node; readonly isBackground: boolean}[];

// Words of a shell text, as parsed by unbash and checked character by character. A word that dash and bash read differently, or that
// does not match its source text, is opaque.

export type ParseScript = (script: NonNullable<CommandPart['script']>) => Script;

type ProcessPart = Extract<WordPart, {readonly type: 'ProcessSubstitution'}>;

type CommandPart = Extract<WordPart, {readonly type: 'CommandExpansion'}>;

const nameForm = /^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])$/;

export function parseWord(word: Word, parseScript: ParseScript): RawWord {
  return {parts: toParts(word.parts, word.text, 'none', parseScript), written: word.text};
}

/** Inside double quotes, or in the text of a here-document. */
export type Quoting = 'none' | 'double' | 'here';

export function toParts(
  parts: readonly WordPart[] | undefined,
  text: string,
  quoting: Quoting,
  parseScript: ParseScript,
): readonly Part[] {
  if (parts === undefined) return literal(text, quoting);
  const isWhole = parts.map((part) => part.text).join('') === text;
  if (!isWhole || parts.slice(0, -1).some(endsBare))
    return [opaquePart(text, 'it is written in a way that can be read in two')];
  return parts.flatMap((part) => toPart(part, quoting, parseScript));
}

/** Ends in a `$` that is followed by something. */
function endsBare({type, text}: WordPart): boolean {
  return type === 'Literal' && /(?<!\\)(?:\\\\)*\$$/.test(text);
}

function toPart(part: WordPart, quoting: Quoting, parseScript: ParseScript): readonly Part[] {
  const {type, text} = part;
  if (type === 'Literal') return literal(text, quoting);
  if (type === 'Glob') return glob(text, part.kind);
  if (type === 'SingleQuoted') return [{kind: 'text', text: text.slice(1, -1), quoted: true}];
  if (type === 'DoubleQuoted') return doubleQuoted(text, part.parts, parseScript);
  if (type === 'SimpleExpansion') return [parameter(text, text.slice(1), quoting)];
  if (type === 'ParameterExpansion') return [expansion(part, quoting, parseScript)];
  if (type === 'CommandExpansion') return [command(part, quoting, parseScript)];
  if (type === 'ArithmeticExpansion') return [arithmetic(text, quoting)];
  return [bashPart(part, parseScript)];
}

/** Syntax that bash reads and other shells don't. */
function bashPart(part: WordPart, parseScript: ParseScript): Part {
  if (part.type === 'BraceExpansion') return braces(part.text);
  const isInput = part.type === 'ProcessSubstitution' && part.operator === '<';
  return isInput ? process(part, parseScript) : opaquePart(part.text, 'shells read it differently');
}

/** Braces with plain texts; nested braces and sequences are opaque. */
function braces(written: string): Part {
  const options = /^\{([\w.,/@%+:-]*)\}$/.exec(written)?.[1]?.split(',') ?? [];
  const isPlain = options.length > 1 && !written.includes('..');
  return isPlain
    ? {kind: 'braces', options, written}
    : opaquePart(written, 'braces that shells read differently');
}

function process({text: written, script}: ProcessPart, parseScript: ParseScript): Part {
  if (!script || script.source !== undefined) return opaquePart(written, 'can not be read');
  return {kind: 'process', script: parseScript(script), written};
}

/** An empty pair of quotes is a part as well: it makes a word. */
function doubleQuoted(
  text: string,
  parts: readonly DoubleQuotedChild[],
  parseScript: ParseScript,
): readonly Part[] {
  const inner = toParts(parts, text.slice(1, -1), 'double', parseScript);
  return inner.length === 0 ? [{kind: 'text', text: '', quoted: true}] : inner;
}

export function opaquePart(written: string, why: string): Part {
  return {kind: 'opaque', why, written};
}

function glob(text: string, kind: 'star' | 'question' | 'bracket'): readonly Part[] {
  if (kind === 'bracket' && !/^\[!?[\w.,-]+\]$/.test(text)) {
    return [opaquePart(text, 'a set of characters that shells read differently')];
  }
  return [{kind: 'text', text, quoted: false}];
}

/** Backslashes are resolved. Text that should have been parsed as something else is opaque. */
function literal(text: string, quoting: Quoting): readonly Part[] {
  if (isMisread(text, quoting)) return [opaquePart(text, 'its quotes can be read in two ways')];
  const pieces: {text: string; quoted: boolean}[] = [];
  for (const [character, escaped] of text.matchAll(/\\([\s\S])|[\s\S]/gu)) {
    const isEscape = escaped !== undefined && escapes[quoting].test(escaped);
    if (isEscape && escaped === '\n') continue;
    pieces.push({text: isEscape ? escaped : character, quoted: quoting !== 'none' || isEscape});
  }
  return mergedParts(pieces);
}

/** Characters that a backslash escapes; before any other character the backslash is literal. */
const escapes: Readonly<Record<Quoting, RegExp>> = {
  none: /[\s\S]/u,
  double: /[$`"\\\n]/,
  here: /[$`\\\n]/,
};

function mergedParts(pieces: readonly {text: string; quoted: boolean}[]): readonly Part[] {
  const parts: {kind: 'text'; text: string; quoted: boolean}[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last?.quoted === piece.quoted) last.text += piece.text;
    else parts.push({kind: 'text', ...piece});
  }
  return parts;
}

/** A bare `$` is text only if nothing that follows could make it an expansion. */
function isMisread(text: string, quoting: Quoting): boolean {
  const bare = text.replaceAll(/\\[\s\S]/gu, '\uE000');
  if (bare.includes('\\') || /\$[\w({[@*#?$!'"\uE000-]/.test(bare)) return true;
  return quoting === 'none' ? /[`'"\s;&|<>()]/.test(bare) : bare.includes('`');
}

function parameter(written: string, name: string, quoting: Quoting): Part {
  if (!nameForm.test(name)) return opaquePart(written, 'a variable that not every shell knows');
  return {kind: 'parameter', name, quoted: quoting !== 'none', written};
}

function expansion(part: ParameterExpansionPart, quoting: Quoting, parseScript: ParseScript): Part {
  const {text: written, parameter: name, prefix, index, operation} = part;
  const odd = opaquePart(written, 'an expansion that not every shell knows');
  if (!nameForm.test(name) || index !== undefined) return odd;
  const plain = {kind: 'parameter' as const, name, quoted: quoting !== 'none', written};
  if (prefix === '#') return operation ? odd : {...plain, isLength: true};
  if (prefix === '!') return odd;
  if (!operation) return plain;
  if (operation.type !== 'Default' && operation.type !== 'Remove') return odd;
  const operand = operandOf(operation, plain, quoting, parseScript);
  return operand ? {...plain, operator: operation.operator, operand} : odd;
}

function operandOf(
  {operator, operand}: {readonly operator: string; readonly operand: Word},
  {name, written}: {readonly name: string; readonly written: string},
  quoting: Quoting,
  parseScript: ParseScript,
): RawWord | undefined {
  const {text} = operand;
  const isWhole = written === `\${${name}${operator}${text}}`;
  if (!isWhole || /["'\\]/.test(text)) return undefined;
  return {parts: toParts(operand.parts, text, quoting, parseScript), written: text};
}

function command(part: CommandPart, quoting: Quoting, parseScript: ParseScript): Part {
  const {text: written, script} = part;
  const isPlain = written.startsWith('$(') || !written.includes('\\');
  if (script === undefined || script.source !== undefined || !isPlain) {
    return opaquePart(written, 'a command inside escaped quotes');
  }
  return {kind: 'command', script: parseScript(script), quoted: quoting !== 'none', written};
}

function arithmetic(written: string, quoting: Quoting): Part {
  const expression = /^\$\(\(([\s\S]*)\)\)$/.exec(written)?.[1];
  if (
    expression === undefined ||
    !/^[\w\s+\-*/%<>=!&|()?:$^~]*$/.test(expression) ||
    expression.includes('$(')
  ) {
    return opaquePart(written, 'arithmetic that may run what it computes');
  }
  return {kind: 'arithmetic', expression, quoted: quoting !== 'none', written};
}

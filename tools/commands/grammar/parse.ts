/**
 * Parses a shell text to a tree, by unbash; no other folder sees the parser's types.
 *
 * unbash reads bash and is lenient. A construct that POSIX shells read differently becomes an opaque node. If the tree does not match
 * the text (an error, an unaccounted character between two words), the whole text is unreadable.
 */

import {
  parse,
  type AndOr,
  type Case,
  type Command,
  type CompoundList,
  type If,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  type Redirection,
  type Statement,
  type Word,
  forEachChild,
  type SyntaxNode,
  type HereDoc,
} from 'unbash';

import {
  type Node,
  opaquePart,
  type ParseScript,
  parseWord,
  type RawAssignment,
  type RawRedirect,
  type RawWord,
  type Script,
  type Simple,
  toParts,
} from './grammar.ts';

// Checks that a tree accounts for every character of its source text: between its words are only blanks, operators, the shell's own words and comments.

const between =
  /^(?:[ \t\n;&|(){}!<>]|\\\n|\b(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|time|function|select|coproc)\b|(?<![^\s;&|()<>])#[^\n]*(?=\n|$))*$/;

/** Checks one script; its substitutions are checked separately. */
function isCovered(script: ParsedScript, source: string): boolean {
  const ranges: (readonly [number, number])[] = [];
  collect(script, ranges);
  ranges.sort(([a], [b]) => a - b);
  let at = script.pos;
  for (const [start, end] of ranges) {
    if (start < at || !between.test(source.slice(at, start))) return false;
    at = end;
  }
  return between.test(source.slice(at, script.end));
}

const leaves: ReadonlySet<SyntaxNode['type']> = new Set([
  'Word',
  'Assignment',
  'FileDescriptor',
  'FileDescriptorVariable',
  'HereDocDelimiter',
  'HereDocBody',
  'TestCommand',
  'ArithmeticCommand',
  'ArithmeticFor',
]);

function collect(node: SyntaxNode, ranges: (readonly [number, number])[]): void {
  if (node.type === 'HereDoc') {
    const {delimiter, body, closing} = node;
    for (const part of [delimiter, body, closing]) if (part) ranges.push([part.pos, part.end]);
    if (node.descriptor) ranges.push([node.descriptor.pos, node.descriptor.end]);
    return;
  }
  if (leaves.has(node.type)) ranges.push([node.pos, node.end]);
  else forEachChild(node, (child) => collect(child, ranges));
}

// `{a,b}` in both readings: as text, and as the words to which bash expands it.

const maxWords = 64;

/** The node that replaces a command with braces. */
function readBraces(simple: Simple): Node {
  const has = [...simple.words, ...simple.redirects.map(({target}) => target)].some(hasBraces);
  if (!has && !simple.assignments.some(({value}) => hasBraces(value))) return simple;
  const isOdd = simple.redirects.some(({target}) => hasBraces(target));
  const count = simple.words.reduce((sum, word) => sum + countOf(word), 0);
  if (isOdd || count > maxWords || simple.assignments.some(({value}) => hasBraces(value))) {
    return {kind: 'opaque', word: simple.text, why: 'braces that shells read differently'};
  }
  const words = simple.words.flatMap(expand);
  const plain = {...simple, words: simple.words.map(asText)};
  return {kind: 'either', nodes: [plain, {...simple, words}]};
}

function hasBraces({parts}: RawWord): boolean {
  return parts.some(({kind}) => kind === 'braces');
}

function asText({parts, written}: RawWord): RawWord {
  const plain = parts.map((part) =>
    part.kind === 'braces' ? {kind: 'text' as const, text: part.written, quoted: true} : part,
  );
  return {parts: plain, written};
}

/** The number of words to which bash expands it, computed without expanding. */
function countOf({parts}: RawWord): number {
  return parts.reduce(
    (count, part) => count * (part.kind === 'braces' ? part.options.length : 1),
    1,
  );
}

/** The first braces vary slowest, as in bash. */
function expand(word: RawWord): readonly RawWord[] {
  const at = word.parts.findIndex(({kind}) => kind === 'braces');
  const part = word.parts[at];
  if (part?.kind !== 'braces') return [word];
  return part.options.flatMap((text) => {
    const parts = word.parts.with(at, {kind: 'text', text, quoted: false});
    return expand({parts, written: word.written});
  });
}

export type Parsed =
  | {readonly ok: true; readonly script: Script}
  | {readonly ok: false; readonly why: string};

/** Never throws. `why` says in a few words which part can't be read. */
export function parseShell(text: string): Parsed {
  // eslint-disable-next-line no-control-regex -- characters that no command contains
  if (/[\0-\u0008\u000B-\u001F\u007F]/.test(text)) return unreadable('contains control characters');
  if (/[^\s]\\\n[^\s]/.test(text)) return unreadable('a line is broken inside a word');
  try {
    return {ok: true, script: scriptOf(parse(text), text)};
  } catch (error) {
    return unreadable(error instanceof Unreadable ? error.message : 'is not a shell text');
  }
}

function unreadable(why: string): Parsed {
  return {ok: false, why};
}

class Unreadable extends Error {}

/** Positions in the tree are positions in `source`. */
function scriptOf(parsed: ParsedScript, source: string): Script {
  const [error] = parsed.errors ?? [];
  if (error) throw new Unreadable(error.message);
  if (!isCovered(parsed, source)) throw new Unreadable('can be read in two ways');
  return listOf(parsed, source);
}

function listOf({commands}: ParsedScript | CompoundList, source: string): Script {
  return commands.map(({command, background = false}: Statement) => ({
    node: nodeOf(command, source),
    isBackground: background,
  }));
}

function wordOf(word: Word, source: string): RawWord {
  return parseWord(word, (script) => scriptOf(script, source));
}

function nodeOf(from: Statement['command'], source: string): Node {
  if (from.type === 'Command') return simpleOf(from, source);
  if (from.type === 'Pipeline') return pipeOf(from, source);
  if (from.type === 'AndOr') return chainOf(from, source);
  if (from.type !== 'Redirected') return compoundOf(from, source);
  return {
    kind: 'redirected',
    node: nodeOf(from.command, source),
    redirects: redirectsOf(from.redirects, source),
    text: source.slice(from.pos, from.end),
  };
}

function chainOf({commands, operators}: AndOr, source: string): Node {
  const [first, ...rest] = commands.map((command) => nodeOf(command, source));
  if (!first) throw new Unreadable('a chain of nothing');
  const links = rest.map((node, at) => ({operator: operators[at] ?? '&&', node}));
  return {kind: 'chain', first, rest: links};
}

function simpleOf(from: Command, source: string): Node {
  const words = from.suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment');
  const prefix = from.prefix.filter((part) => part.type === 'Assignment');
  const text = source.slice(from.pos, from.end);
  if (from.redirects.some(({operator}, at) => operator.startsWith('&') && !isLast(from, at))) {
    return {kind: 'opaque', word: text, why: 'shells read &> before another word differently'};
  }
  return readBraces({
    kind: 'simple',
    assignments: prefix.map((part) => assignmentOf(part, source)),
    words: [...(from.name ? [from.name] : []), ...words].map((word) =>
      word.type === 'Word' ? wordOf(word, source) : asWord(word, source),
    ),
    redirects: redirectsOf(from.redirects, source),
    text,
  });
}

/** `a &>f b` runs `b` where `&>` is not known. */
function isLast(from: Command, at: number): boolean {
  return from.redirects[at]?.end === from.end;
}

type Assigned = Extract<Command['prefix'][number], {readonly type: 'Assignment'}>;

function assignmentOf(from: Assigned, source: string): RawAssignment {
  const {name, value, text} = from;
  const isPlain = value.type === 'Word' && text === `${name}=${value.text}`;
  if (isPlain && !from.append && from.index === undefined)
    return {name, value: wordOf(value, source)};
  const why = 'an assignment that not every shell knows';
  return {name, value: {parts: [opaquePart(text, why)], written: text}};
}

/** `export a=b`: a word that looks like an assignment, behind a command. */
function asWord(from: Assigned, source: string): RawWord {
  const {name, value} = assignmentOf(from, source);
  const head = {kind: 'text' as const, text: `${name}=`, quoted: false};
  return {parts: [head, ...value.parts], written: from.text};
}

function redirectsOf(from: readonly Redirection[], source: string): readonly RawRedirect[] {
  return from.map((redirect) => parseRedirect(redirect, (script) => scriptOf(script, source)));
}

function pipeOf({prefixes, commands, ...from}: Pipeline, source: string): Node {
  const nodes = commands.map((command) => nodeOf(command, source));
  const isNegated = prefixes.filter(({type}) => type === 'Negation').length === 1;
  if (prefixes.length > 1) return opaqueAt(from, source, 'more than one word before a pipe');
  if (prefixes.some(({type}) => type === 'Time'))
    return timed(nodes, opaqueAt(from, source, 'times more than a command'));
  return {kind: 'pipe', nodes, isNegated};
}

/** If `time` is not a word of the shell, it is a program. */
function timed([node, ...rest]: readonly Node[], otherwise: Node): Node {
  if (rest.length > 0 || node?.kind !== 'simple' || node.assignments.length > 0) return otherwise;
  const time = {parts: [{kind: 'text' as const, text: 'time', quoted: false}], written: 'time'};
  return {...node, words: [time, ...node.words], text: `time ${node.text}`};
}

type Compound = Exclude<PipelineNode, {readonly type: 'Command' | 'Pipeline' | 'Redirected'}>;

function compoundOf(from: Compound, source: string): Node {
  const list = (body: CompoundList) => listOf(body, source);
  if (from.type === 'If') return ifOf(from, list);
  if (from.type === 'Case') return caseOf(from, source);
  if (from.type === 'Subshell') return {kind: 'subshell', body: list(from.body)};
  if (from.type === 'BraceGroup') return {kind: 'group', body: list(from.body)};
  if (from.type !== 'While') return namedOf(from, source);
  const isUntil = from.kind === 'until';
  return {kind: 'while', isUntil, test: list(from.clause), body: list(from.body)};
}

function ifOf(from: If, list: (body: CompoundList) => Script): Node {
  const branches = [from, ...from.elif].map((branch) => ({
    test: list(branch.clause),
    body: list(branch.then),
  }));
  return {kind: 'if', branches, otherwise: from.else && list(from.else)};
}

function caseOf(from: Case, source: string): Node {
  const items = from.items.map(({pattern, body}) => ({
    patterns: pattern.map((word) => wordOf(word, source)),
    body: listOf(body, source),
  }));
  if (from.items.some(({terminator = ';;'}) => terminator !== ';;')) {
    return opaqueAt(from, source, 'falls from one case into the next');
  }
  return {kind: 'case', word: wordOf(from.word, source), items};
}

type Named = Exclude<
  Compound,
  {readonly type: 'If' | 'While' | 'Case' | 'Subshell' | 'BraceGroup'}
>;

function namedOf(from: Named, source: string): Node {
  const text = source.slice(from.pos, from.end);
  if (from.type === 'Function' && /^\w+[ \t]*\(/.test(text) && from.body.type !== 'CompoundList') {
    return {kind: 'function', name: from.name.text, body: nodeOf(from.body, source)};
  }
  if (from.type === 'For' && /\bdo\b/.test(text) && /^[A-Za-z_]\w*$/.test(from.name.text)) {
    const words = from.wordlist?.map((word) => wordOf(word, source));
    return {kind: 'for', name: from.name.text, words, body: listOf(from.body, source)};
  }
  if (from.type === 'TestCommand' && isPlainTest(text)) {
    return {kind: 'simple', assignments: [], words: [], redirects: [], text};
  }
  return opaqueAt(from, source, 'shells read it differently');
}

/** `[[ -f x ]]` is a missing program to some shells; to others it must neither compute nor run anything. */
function isPlainTest(text: string): boolean {
  return !/[<>&|()`{]|\s-(?:[evR]|[nl][et]|g[te]|eq)\s/.test(text);
}

function opaqueAt(from: {pos: number; end: number}, source: string, why: string): Node {
  return {kind: 'opaque', word: source.slice(from.pos, from.end), why};
}

// Redirections and here-documents of a shell text, as parsed by unbash.

function parseRedirect(from: Redirection, parseScript: ParseScript): RawRedirect {
  const operator = from.type === 'Redirect' ? from.operator : 'here';
  const usual = operator === 'here' || operator.startsWith('<') ? 0 : 1;
  const descriptor = from.descriptor?.type === 'FileDescriptor' ? from.descriptor.value : usual;
  return {operator, descriptor, target: targetOf(from, parseScript)};
}

function targetOf(from: Redirection, parseScript: ParseScript): RawWord {
  if (from.type === 'HereDoc') return hereDocument(from, parseScript);
  if (!from.target) return opaque('', 'a redirection to nothing');
  if (from.descriptor?.type === 'FileDescriptorVariable') {
    return opaque(from.target.text, 'a descriptor in a variable');
  }
  return parseWord(from.target, parseScript);
}

/** Shells agree on the end of a here-document only if its delimiter is a plain word on a line of its own. */
function hereDocument(
  {delimiter, body, closing, operator}: HereDoc,
  parseScript: ParseScript,
): RawWord {
  const why = 'a here-document whose end can be read in two ways';
  if (!delimiter || !closing || !/^(?:\\?[\w.-]+|'[\w.-]+'|"[\w.-]+")$/.test(delimiter.text)) {
    return opaque(body.text, why);
  }
  const lines = body.text.split('\n');
  const isEnd = (line: string) =>
    line.replace(operator === '<<-' ? /^\t+/ : '', '') === delimiter.value;
  if (lines.some(isEnd)) return opaque(body.text, why);
  if (delimiter.quoted) {
    return {parts: [{kind: 'text', text: body.text, quoted: true}], written: body.text};
  }
  if (/\\\n/.test(body.text)) return opaque(body.text, 'a here-document with broken lines');
  return {parts: toParts(body.parts, body.text, 'here', parseScript), written: body.text};
}

function opaque(written: string, why: string): RawWord {
  return {parts: [opaquePart(written, why)], written};
}

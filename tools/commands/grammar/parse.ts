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
} from 'unbash';

import type {Node, RawAssignment, RawRedirect, RawWord, Script} from './grammar.ts';
import {readBraces} from './parse-braces.ts';
import {isCovered} from './parse-cover.ts';
import {parseRedirect} from './parse-redirect.ts';
import {opaquePart, parseWord} from './parse-word.ts';

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

/**
 * Glob patterns, matched in time linear in the path for each wildcard: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `**`, `\`.
 *
 * Nothing is compiled to a regular expression, so no pattern can take exponential time, and a pattern is only ever compared with
 * paths found by a contained walk, so none can lead out. A name that begins with a dot needs a literal dot in the pattern, unless
 * hidden names are included.
 */

import {type Attempt, refused} from '../containment/denial.ts';

const maxLength = 1_000;
const maxAlternatives = 500;
/** For all alternatives together: the maximum number of tokens compared with each name. */
const maxTokens = 4_000;
const maxGlobstars = 8;

export type Token =
  | {readonly kind: 'text'; readonly char: string}
  | {readonly kind: 'any'}
  | {readonly kind: 'star'}
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

export type Segment = readonly Token[] | 'globstar';

export interface Glob {
  /** True for a relative path, with `/` between its names, that matches. */
  readonly matches: (path: string) => boolean;
  /** The same for a path as {@link namesOf} returns it, for comparing one path with many patterns. */
  readonly matchesNames: (names: readonly Name[]) => boolean;
  /** The number of `*` in all alternatives, which determines the cost of a comparison. */
  readonly stars: number;
  /** The pattern without braces: the names of each alternative. */
  readonly alternatives: readonly (readonly Segment[])[];
}

/** The characters of a name. */
export type Name = readonly string[];

export function namesOf(parts: readonly string[]): Name[] {
  return parts.map((name) => Array.from(name));
}

/** Refused `pattern_invalid` for a pattern that is too long, too wide, absolute or contains `..`. */
export function compileGlob(pattern: string, {hidden = false} = {}): Attempt<Glob> {
  if (pattern.length > maxLength) return invalid(`is longer than ${maxLength} characters`);
  const alternatives = expandBraces(pattern);
  if (!alternatives) return invalid(`expands to more than ${maxAlternatives} alternatives`);
  if (alternatives.some((text) => text.startsWith('/'))) {
    return invalid('is absolute; patterns are relative to the folder that is searched');
  }
  const compiled = alternatives.map((text) =>
    text.split('/').filter((part) => part !== '.' && part !== ''),
  );
  if (compiled.some((parts) => parts.includes('..'))) return invalid('climbs with ".."');
  const globs = compiled.map((parts) => parts.map(toSegment));
  if (globs.some((glob) => glob.filter((part) => part === 'globstar').length > maxGlobstars)) {
    return invalid(`has more than ${maxGlobstars} "**"`);
  }
  const tokens = globs.flat(2).filter((part) => part !== 'globstar');
  if (tokens.length > maxTokens) return invalid('expands to too much text');
  const matchesNames = (names: readonly Name[]): boolean =>
    globs.some((glob) => matchPath(glob, names, hidden));
  return {
    ok: true,
    value: {
      matches: (path) => matchesNames(namesOf(path.split('/'))),
      matchesNames,
      stars: tokens.filter(({kind}) => kind === 'star').length,
      alternatives: globs,
    },
  };
}

function invalid(why: string): Attempt<never> {
  return {ok: false, denial: refused('pattern_invalid', `pattern: ${why}`)};
}

/** All alternatives of the braces, innermost last; undefined when there are too many. */
function expandBraces(pattern: string): string[] | undefined {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    const next: string[] = [];
    for (const text of open) {
      const group = firstGroup(text);
      if (!group) done.push(text);
      else next.push(...group.options.map((option) => group.before + option + group.after));
    }
    if (done.length + next.length > maxAlternatives) return undefined;
    open = next;
  }
  return done;
}

/** The first `{a,b}` with a comma of its own. Others are literal, as in a shell. */
function firstGroup(
  text: string,
): {before: string; options: readonly string[]; after: string} | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const group = isEscaped(text, start) ? undefined : groupAt(text, start);
    if (group) return group;
  }
  return undefined;
}

function groupAt(text: string, start: number): ReturnType<typeof firstGroup> {
  let depth = 0;
  let from = start + 1;
  const options: string[] = [];
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === ',' && depth === 1) {
      options.push(text.slice(from, at));
      from = at + 1;
    } else if (char === '}' && (depth -= 1) === 0) {
      if (options.length === 0) return undefined;
      return {
        before: text.slice(0, start),
        options: [...options, text.slice(from, at)],
        after: text.slice(at + 1),
      };
    }
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function toSegment(part: string): Segment {
  if (part === '**') return 'globstar';
  const chars = Array.from(part);
  const tokens: Token[] = [];
  let at = 0;
  while (at < chars.length) {
    const {token, next} = readToken(chars, at);
    if (token.kind !== 'star' || tokens.at(-1)?.kind !== 'star') tokens.push(token);
    at = next;
  }
  return tokens;
}

function readToken(chars: readonly string[], at: number): {token: Token; next: number} {
  const char = chars[at] ?? '';
  if (char === '*') return {token: {kind: 'star'}, next: at + 1};
  if (char === '?') return {token: {kind: 'any'}, next: at + 1};
  if (char === '[') return readSet(chars, at) ?? {token: {kind: 'text', char}, next: at + 1};
  const escaped = char === '\\' ? chars[at + 1] : undefined;
  if (escaped !== undefined) return {token: {kind: 'text', char: escaped}, next: at + 2};
  return {token: {kind: 'text', char}, next: at + 1};
}

function readSet(chars: readonly string[], at: number): {token: Token; next: number} | undefined {
  const negated = chars[at + 1] === '!' || chars[at + 1] === '^';
  const start = at + (negated ? 2 : 1);
  // A bracket right at the start is a member of the set.
  const end = chars.indexOf(']', start + 1);
  if (end < 0) return undefined;
  const ranges: [string, string][] = [];
  for (let index = start; index < end; index += 1) {
    const from = chars[index] ?? '';
    const isRange = chars[index + 1] === '-' && index + 2 < end;
    ranges.push([from, isRange ? (chars[index + 2] ?? from) : from]);
    if (isRange) index += 2;
  }
  return {token: {kind: 'set', negated, ranges}, next: end + 1};
}

/** The rests of the path that each prefix of the pattern can reach: a table, so no choice is tried twice. */
function matchPath(glob: readonly Segment[], names: readonly Name[], hidden: boolean): boolean {
  let reached = new Set([0]);
  for (const segment of glob) {
    const next = new Set<number>();
    for (const at of reached) {
      const name = names[at];
      if (segment === 'globstar') spread(names, at, next, hidden);
      else if (name && matchName(segment, name, hidden)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(names.length);
}

function spread(names: readonly Name[], from: number, into: Set<number>, hidden: boolean): void {
  into.add(from);
  const isPassed = (at: number): boolean => hidden || names[at]?.[0] !== '.';
  for (let at = from; at < names.length && isPassed(at) && !into.has(at + 1); at += 1) {
    into.add(at + 1);
  }
}

function matchName(tokens: readonly Token[], name: readonly string[], hidden: boolean): boolean {
  const [first] = tokens;
  const namesDot = first?.kind === 'text' && first.char === '.';
  return (hidden || name[0] !== '.' || namesDot) && matchTokens(tokens, name);
}

/** The part after the last star matches the end of the name; without a star, the whole. This decides for most names. */
function fitsEnd(tokens: readonly Token[], name: Name): boolean {
  for (let back = 1; back <= tokens.length; back += 1) {
    const token = tokens.at(-back);
    if (token?.kind === 'star') return true;
    const char = name.at(-back);
    if (!token || char === undefined || !matchChar(token, char)) return false;
  }
  return tokens.length === name.length;
}

/** Greedy with one point to return to: a later star makes all earlier choices final. */
function matchTokens(tokens: readonly Token[], name: Name): boolean {
  if (!fitsEnd(tokens, name)) return false;
  let token = 0;
  let char = 0;
  let star = -1;
  let resume = 0;
  while (char < name.length) {
    const current = tokens[token];
    if (current?.kind === 'star') {
      star = token;
      resume = char;
      token += 1;
    } else if (current && matchChar(current, name[char] ?? '')) {
      token += 1;
      char += 1;
    } else if (star >= 0) {
      resume += 1;
      char = resume;
      token = star + 1;
    } else return false;
  }
  return tokens.slice(token).every(({kind}) => kind === 'star');
}

function matchChar(token: Token, char: string): boolean {
  if (token.kind === 'text') return token.char === char;
  if (token.kind === 'any') return true;
  if (token.kind === 'star') return false;
  return token.ranges.some(([from, to]) => from <= char && char <= to) !== token.negated;
}

// The rules of `.gitignore` files. Matched by our own globs: a hostile pattern can't take exponential time.

const maxRules = 1_000;
/** For all rules of one file together: each is compared with every path below. */
const maxStars = 1_000;

interface Rule {
  readonly glob: Glob;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** The rules of one folder's file. */
export interface RuleSet {
  /** The number of components in the folder's path. */
  readonly depth: number;
  readonly rules: readonly Rule[];
}

/** Unsupported patterns, and those beyond the limit, are skipped: files that they would ignore are found. */
export function parseIgnoreFile(text: string, depth: number): RuleSet {
  let stars = 0;
  const rules = text
    .split(/\r?\n/)
    .slice(0, maxRules)
    .flatMap((line) => toRule(line))
    .filter(({glob}) => (stars += glob.stars) <= maxStars);
  return {depth, rules};
}

function toRule(line: string): Rule[] {
  const pattern = line.replace(/(?<!\\) +$/, '');
  if (pattern === '' || pattern.startsWith('#')) return [];
  const isNegated = pattern.startsWith('!');
  const isForFolders = pattern.endsWith('/');
  const body = pattern.slice(isNegated ? 1 : 0, isForFolders ? -1 : undefined);
  const isAnchored = body.includes('/');
  const path = body.replace(/^\//, '').replaceAll(/[{}]/g, String.raw`\$&`);
  const glob = compileGlob(isAnchored ? path : `**/${path}`, {hidden: true});
  return glob.ok && path !== '' ? [{glob: glob.value, isNegated, isForFolders}] : [];
}

/** The last rule that matches the path ignores it. `sets`: those of its folders, the outermost first. */
export function isIgnored(
  parts: readonly string[],
  isFolder: boolean,
  sets: readonly RuleSet[],
): boolean {
  const names = namesOf(parts);
  const rule = sets
    .toReversed()
    .map(({depth, rules}) => {
      const below = names.slice(depth);
      return rules.findLast(
        ({glob, isForFolders}) => (isFolder || !isForFolders) && glob.matchesNames(below),
      );
    })
    .find((found) => found !== undefined);
  return rule !== undefined && !rule.isNegated;
}

/** The names that a piece of Python binds, and the modules that it imports. */

import {isForbidden, keywords, modules as known, taken} from './python-names.ts';
import type {Source} from './tokens.ts';

export interface Bound {
  readonly names: ReadonlySet<string>;
  /** Names that hold a module, with the module. */
  readonly modules: ReadonlyMap<string, string>;
  readonly imported: ReadonlySet<string>;
  /** Tokens of imports that were already read. */
  readonly skipped: ReadonlySet<number>;
}

/** Undefined: it imports an unknown module, or binds a name that already has another meaning. */
export function boundInPython(source: Source): Bound | undefined {
  const imports = readImports(source);
  if (!imports) return undefined;
  const names = new Set(imports.names);
  for (const [at, {kind, text}] of source.tokens.entries()) {
    if (kind !== 'name' || imports.skipped.has(at) || !isBinding(source, at)) continue;
    if (isTaken(text) || imports.modules.has(text) || imports.names.has(text)) return undefined;
    names.add(text);
  }
  return {...imports, names};
}

function isTaken(name: string): boolean {
  return taken.has(name) || keywords.has(name) || isForbidden(name);
}

function isBinding(source: Source, at: number): boolean {
  const {is} = source;
  if (is(at - 1, '.')) return false;
  if (is(at - 1, 'def', 'as') || is(at + 1, ':=')) return true;
  if (is(at + 1, '=') && !isKeyword(source, at)) return true;
  return isLoopTarget(source, at) || isParameter(source, at) || isTupleTarget(source, at);
}

/** `sorted(a, key=len)` */
export function isKeyword({is, around}: Source, at: number): boolean {
  return is(at + 1, '=') && is(at - 1, '(', ',') && is(around[at] ?? -1, '(');
}

/** `for a, (b, c) in` */
function isLoopTarget({is, kindAt}: Source, at: number): boolean {
  let start = at;
  while (is(start - 1, ',', '(', ')') || (kindAt(start - 1) === 'name' && is(start, ',', '(', ')')))
    start -= 1;
  return is(start - 1, 'for');
}

/** `lambda a, b=1:`, `def f(a, b=1):` */
function isParameter(source: Source, at: number): boolean {
  const {is, fits, around} = source;
  const isListed = is(at - 1, 'lambda', ',', '(', '*', '**') && is(at + 1, ',', ':', '=', ')');
  const open = around[at] ?? -1;
  return isListed && (fits(open - 2, 'def NAME (') || isOfLambda(source, at, open));
}

function isOfLambda({is, kindAt, around}: Source, at: number, open: number): boolean {
  for (let each = at - 1; each >= 0 && !is(each, ':') && kindAt(each) !== 'line'; each -= 1) {
    if (is(each, 'lambda') && around[each] === open) return true;
  }
  return false;
}

/** `a, b = 1, 2`, at the beginning of a statement. */
function isTupleTarget(source: Source, at: number): boolean {
  const {is, kindAt} = source;
  let first = at;
  while (is(first - 1, ',', '*') || (kindAt(first - 1) === 'name' && is(first, ','))) first -= 1;
  let last = at;
  while (is(last + 1, ',', '*') || (kindAt(last + 1) === 'name' && is(last, ',', '*'))) last += 1;
  return isBegun(source, first) && is(last + 1, '=');
}

interface Imports {
  readonly names: Set<string>;
  readonly modules: Map<string, string>;
  readonly imported: Set<string>;
  readonly skipped: Set<number>;
}

function readImports(source: Source): Imports | undefined {
  const {tokens, is} = source;
  const found: Imports = {
    names: new Set(),
    modules: new Map(),
    imported: new Set(),
    skipped: new Set(),
  };
  for (const at of tokens.keys()) {
    if (found.skipped.has(at) || !is(at, 'import', 'from') || is(at - 1, '.')) continue;
    const read = is(at, 'from') ? readFrom : readImport;
    const end = isBegun(source, at) ? read(source, at, found) : undefined;
    if (end === undefined) return undefined;
    for (let each = at; each < end; each += 1) found.skipped.add(each);
  }
  return found;
}

/** A statement begins here. */
function isBegun({is, kindAt}: Source, at: number): boolean {
  return at === 0 || is(at - 1, ';', ':') || kindAt(at - 1) === 'line';
}

function isEnd({is, kindAt}: Source, at: number): boolean {
  return kindAt(at) === undefined || kindAt(at) === 'line' || is(at, ';');
}

/** `import json, os as o`. Returns the index after it. */
function readImport(source: Source, from: number, found: Imports): number | undefined {
  let at = from + 1;
  for (;;) {
    const isAliased = source.fits(at, 'NAME as NAME');
    if (!addModule(source.textAt(at), source.textAt(isAliased ? at + 2 : at), found))
      return undefined;
    at += isAliased ? 3 : 1;
    if (isEnd(source, at)) return at;
    if (!source.is(at, ',')) return undefined;
    at += 1;
  }
}

function addModule(name: string, alias: string, found: Imports): boolean {
  const isFree = !isTaken(alias) && (found.modules.get(alias) ?? name) === name;
  if (!/^[A-Za-z_]\w*$/.test(name) || !isFree || !importModule(name, found)) return false;
  found.modules.set(alias, name);
  return true;
}

/** `from collections import Counter, deque` */
function readFrom(source: Source, from: number, found: Imports): number | undefined {
  const module = source.textAt(from + 1);
  if (!source.fits(from, 'from NAME import') || !importModule(module, found)) return undefined;
  let at = from + 3;
  for (;;) {
    if (!addName(module, source.textAt(at), found)) return undefined;
    at += 1;
    if (isEnd(source, at)) return at;
    if (!source.is(at, ',')) return undefined;
    at += 1;
  }
}

function addName(module: string, name: string, found: Imports): boolean {
  const own = Object.hasOwn(known, module) ? known[module] : undefined;
  if (own?.has(name) !== true || isTaken(name) || found.modules.has(name)) return false;
  found.names.add(name);
  return true;
}

/** Importing these does more than define names. */
const acting =
  /^(?:antigravity|this|idlelib|turtle|turtledemo|site|test|tkinter|webbrowser|builtins|importlib)$/;

/** A module that is not in the table is an installed package: code may import it and read its version. */
function importModule(name: string, {imported}: Imports): boolean {
  if (name.startsWith('_') || acting.test(name)) return false;
  imported.add(name);
  return true;
}

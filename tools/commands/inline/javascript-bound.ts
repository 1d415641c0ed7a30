/** The names that a piece of JavaScript binds. */

import {
  beginners,
  isForbidden,
  keywords,
  members,
  modules as known,
  taken,
} from './javascript-names.ts';
import {endsValue, type Source} from './tokens.ts';

export interface Bound {
  readonly names: ReadonlySet<string>;
  /** Names that only ever hold numbers: set to one, counted up or down. */
  readonly counters: ReadonlySet<string>;
  /** Names that hold a module, with the module. */
  readonly modules: ReadonlyMap<string, string>;
}

/** Undefined: the code binds a name that already has another meaning. */
export function boundNames(source: Source): Bound | undefined {
  const modules = boundModules(source);
  if (!modules) return undefined;
  const names = new Set<string>();
  for (const [at, {kind, text}] of source.tokens.entries()) {
    if (kind !== 'name' || modules.has(text) || !isBinding(source, at)) continue;
    if (taken.has(text) || keywords.has(text) || isForbidden(text)) return undefined;
    names.add(text);
  }
  const counters = [...names].filter((name) => isCounter(source, name));
  return {names, counters: new Set(counters), modules};
}

function isBinding(source: Source, at: number): boolean {
  const {is} = source;
  if (is(at - 1, '.', '?.')) return false;
  if (is(at - 1, 'const', 'let', 'var', 'function')) return true;
  if (is(at + 1, '=', '=>')) return true;
  return isListed(source, at) && isIn(source, at);
}

/** A parameter, or a part of a pattern in its list. */
function isListed({is}: Source, at: number): boolean {
  return is(at - 1, '(', ',', '{', '[', '...', ':') && is(at + 1, ')', ',', '}', ']', '=');
}

/** Within the brackets of parameters, or of a declaring pattern. */
function isIn(source: Source, at: number): boolean {
  return isInHead(source, at) || isOfList(source, at);
}

function isHead({is, kindAt, partner}: Source, open: number): boolean {
  const end = partner.get(open) ?? -1;
  if (is(open, '(')) {
    const isFunction =
      is(open - 1, 'function', 'catch') ||
      (kindAt(open - 1) === 'name' && is(open - 2, 'function'));
    return isFunction || is(end + 1, '=>');
  }
  return is(open, '[', '{') && is(open - 1, 'const', 'let', 'var');
}

/** `let a, b;` */
function isOfList({is, kindAt}: Source, at: number): boolean {
  let first = at;
  while (is(first - 1, ',') && kindAt(first - 2) === 'name') first -= 2;
  return is(first - 1, 'let', 'var');
}

/** `const path = require('path')`. The name of a global is allowed only if it holds that same module. */
function boundModules({tokens, fits, textAt}: Source): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const at of tokens.keys()) {
    const name = fits(at, '= require ( STRING )') ? textAt(at + 3).replace(/^node:/, '') : '';
    if (!known.has(name)) continue;
    const alias = textAt(at - 1);
    const isFree = (found.get(alias) ?? name) === name && (alias === name || isFreeName(alias));
    if (!fits(at - 2, 'const NAME') || !isFree) return undefined;
    found.set(alias, name);
  }
  return found;
}

function isFreeName(name: string): boolean {
  const isTaken = taken.has(name) || keywords.has(name) || Object.hasOwn(members, name);
  return !isTaken && !isForbidden(name);
}

/** `let i = 0`, and only `i++`, `i += 2` and the like set it afterwards. */
function isCounter(source: Source, name: string): boolean {
  const {tokens, is, kindAt} = source;
  const places = tokens.flatMap(({kind, text}, at) =>
    kind === 'name' && text === name && !is(at - 1, '.', '?.') ? [at] : [],
  );
  const declared = places.filter((at) => is(at - 1, 'let', 'var', 'const'));
  const isNumber = (at: number) => kindAt(at) === 'number' && is(at + 1, ';', ',', ')');
  const isKept = (at: number) => {
    if (is(at + 1, '=', '+=', '-=', '*=')) return isNumber(at + 2);
    if (is(at + 1, '=>', '||=', '&&=', '??=', 'of', 'in')) return false;
    return !is(at - 1, 'function', '...', ':') && !isPart(source, at);
  };
  const isSet = declared.length === 1 && is((declared[0] ?? 0) + 1, '=');
  return isSet && places.every((at) => isKept(at) && !isInHead(source, at));
}

/** Part of a list or an object, which may be a pattern that sets the name. */
function isPart(source: Source, at: number): boolean {
  const {is, around} = source;
  const open = around[at] ?? -1;
  if (is(open, '{')) return is(at - 1, '{', ',') || is(at + 1, '}');
  return is(open, '[') && !endsValue(source, open - 1, beginners);
}

function isInHead(source: Source, at: number): boolean {
  for (let open = source.around[at] ?? -1; open >= 0; open = source.around[open] ?? -1) {
    if (isHead(source, open)) return true;
  }
  return false;
}

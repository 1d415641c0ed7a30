/**
 * Inline JavaScript of a command: detects code that only computes and prints.
 *
 * Every token must be known. The only names are those of `javascript-names.ts` and the code's own; there is no `constructor` in any
 * spelling, and no computed member name that could be one. So the code can't reach a function that runs a text, starts a
 * process, opens a connection or writes a file.
 */

import {namesSecretValue} from '../../../machines/places/secrets.ts';
import type {Act} from '../program.ts';
import {act} from '../refinements/refine.ts';
import {boundNames, type Bound} from './javascript-bound.ts';
import {isSafeIndex} from './javascript-index.ts';
import {
  beginners,
  callables,
  classes,
  isForbidden,
  keywords,
  members,
  methods,
  modules,
} from './javascript-names.ts';
import {javascriptTokens} from './javascript-tokens.ts';
import {actsOf, endsValue, type Source, sourceOf, type Token} from './tokens.ts';

/** Effects of the code, reads only; undefined: it may have other effects. */
export function readJavascript(code: string): readonly Act[] | undefined {
  const tokens = javascriptTokens(code);
  const source = tokens && sourceOf(tokens);
  const bound = source && boundNames(source);
  if (!source || !bound) return undefined;
  return actsOf(source, (token, at) => readToken(source, at, token, bound));
}

const nothing: readonly Act[] = [];

function readToken(
  source: Source,
  at: number,
  {kind, text}: Token,
  bound: Bound,
): readonly Act[] | undefined {
  if (kind === 'string') return isForbidden(text) ? undefined : nothing;
  if (kind === 'template') return endsValue(source, at - 1, beginners) ? undefined : nothing;
  if (kind === 'name') return readName(source, at, text, bound);
  const isPlain = kind === 'mark' ? isSafeMark(source, at, text, bound) : true;
  return isPlain ? nothing : undefined;
}

function isSafeMark(source: Source, at: number, text: string, bound: Bound): boolean {
  if (text === '(') return isSafeCall(source, at, bound);
  if (text === '[') return isSafeBracket(source, at, bound);
  return true;
}

/** The called name is in the list of safe names. */
function isSafeCall(source: Source, at: number, bound: Bound): boolean {
  const {kindAt, textAt, is} = source;
  if (is(at - 1, '?.')) return false;
  if (!endsValue(source, at - 1, beginners)) return true;
  if (kindAt(at - 1) !== 'name') return false;
  const name = textAt(at - 1);
  if (!isMember(source, at - 1)) return !keywords.has(name);
  return methods.has(name) || endsPath(source, at - 1, bound);
}

function isSafeBracket(source: Source, at: number, bound: Bound): boolean {
  const {is, around} = source;
  if (is(at - 1, '?.') || endsValue(source, at - 1, beginners)) {
    return is(at - 1, '}') ? false : isSafeIndex(source, at, bound);
  }
  // `{[name]: value}`
  return !(is(around[at] ?? -1, '{') && is(at - 1, '{', ','));
}

function isMember({is}: Source, at: number): boolean {
  return is(at - 1, '.', '?.');
}

function readName(
  source: Source,
  at: number,
  name: string,
  bound: Bound,
): readonly Act[] | undefined {
  if (isForbidden(name)) return undefined;
  if (isMember(source, at) || isKey(source, at)) return nothing;
  if (name === 'require') return readRequire(source, at);
  const root = rootOf(name, bound);
  if (Object.hasOwn(members, root)) return readRooted(source, at, root);
  const isKnown = [callables, bound.names, keywords].some((names) => names.has(name));
  return isKnown || isMade(source, at, name) ? nothing : undefined;
}

/** `new Map()` */
function isMade({is}: Source, at: number, name: string): boolean {
  return classes.has(name) && is(at - 1, 'new', 'instanceof');
}

/** `{name: …}`; a name before the colon of `a ? b : c` follows the question mark. */
function isKey({is, around}: Source, at: number): boolean {
  return is(at + 1, ':') && is(at - 1, '{', ',') && is(around[at] ?? -1, '{');
}

/** `process.stdout.write`, from its root on: the path that the table lists. */
function rootedPath({is, textAt}: Source, at: number, root: string): string | undefined {
  if (!is(at + 1, '.')) return undefined;
  const one = textAt(at + 2);
  if (members[root]?.has(one)) return one;
  const two = `${one}.${textAt(at + 4)}`;
  return is(at + 3, '.') && members[root]?.has(two) ? two : undefined;
}

/** `process.stdout.write`, `require('path').join`: a path of the table ends here. */
function endsPath(source: Source, end: number, bound: Bound): boolean {
  const {fits, kindAt, textAt} = source;
  // readRequire checks the member after `require`.
  if (fits(end - 5, 'require ( STRING ) .')) return true;
  return [end - 2, end - 4].some((start) => {
    if (kindAt(start) !== 'name' || isMember(source, start)) return false;
    const path = rootedPath(source, start, rootOf(textAt(start), bound));
    return path !== undefined && start + 2 * path.split('.').length === end;
  });
}

/** The object of the table to which a name refers. */
function rootOf(name: string, bound: Bound): string {
  return bound.modules.get(name) ?? name;
}

function readRooted(source: Source, at: number, root: string): readonly Act[] | undefined {
  const {fits} = source;
  if (isWhole(source, at, root)) return nothing;
  if (root === 'process' && fits(at + 1, '. env')) return readVariable(source, at + 3);
  const path = rootedPath(source, at, root);
  if (path === undefined || !isUsed(source, at + 2 * path.split('.').length)) return undefined;
  return root === 'fs' ? readFile(source, at + 2) : nothing;
}

/** `new Date()`, `String(a)`, `path = require('path')`: no member is used. */
function isWhole(source: Source, at: number, root: string): boolean {
  if (isMade(source, at, root) || (callables.has(root) && !source.is(at + 1, '.'))) return true;
  return modules.has(root) && source.fits(at + 1, '= require');
}

/** `process.env.HOME`: its name is not that of a secret. */
function readVariable({is, textAt}: Source, at: number): readonly Act[] | undefined {
  const isPlainRead = is(at, '.') && !namesSecretValue(textAt(at + 1)) && !is(at + 2, '=');
  return isPlainRead ? nothing : undefined;
}

/** The value is not assigned to: it is called, passed to a function, or part of an expression. */
function isUsed({is, kindAt, around}: Source, end: number): boolean {
  if (is(end + 1, '(', '.', '[', ';')) return true;
  const open = around[end] ?? -1;
  const isArgument = is(open, '(') && kindAt(open - 1) === 'name' && is(end + 1, ')', ',');
  if (isArgument) return !is(open - 1, 'for', 'if', 'while', 'function', 'catch');
  return (
    kindAt(end + 1) === undefined ||
    is(end + 1, '}$', '+', '-', '*', '/', '%', '?', '<', '>', '===', '!==', '==', '&&', '||', ':')
  );
}

/** `readFileSync('a.txt', 'utf8')`, `existsSync('a.txt')`; 0 is the standard input. */
function readFile({fits, textAt}: Source, at: number): readonly Act[] | undefined {
  const encoding = /^utf-?8$/.test(textAt(at + 4)) ? [', STRING )'] : [];
  const isClosed = [')', ...encoding].some((end) => fits(at + 3, end));
  if (!isClosed) return undefined;
  if (fits(at + 1, '( NUMBER')) return textAt(at + 2) === '0' ? nothing : undefined;
  if (!fits(at + 1, '( STRING')) return undefined;
  return [act(textAt(at) === 'existsSync' ? 'lists' : 'reads', textAt(at + 2))];
}

/** `require('path').join`, `const path = require('path')`, `require('./package.json')`. */
function readRequire(source: Source, at: number): readonly Act[] | undefined {
  const {is, fits, textAt} = source;
  if (!fits(at + 1, '( STRING )')) return undefined;
  const name = textAt(at + 2).replace(/^node:/, '');
  if (!modules.has(name)) return readData(textAt(at + 2));
  const end = at + 4;
  if (is(at - 1, '='))
    return [',', ';', 'NAME', 'END'].some((one) => fits(end, one)) ? nothing : undefined;
  if (!is(end, '.') || !members[name]?.has(textAt(end + 1))) return undefined;
  return name === 'fs' ? readFile(source, end + 1) : nothing;
}

/** Node also looks for code with that name before it fails, and a folder may have the name of a file. */
function readData(path: string): readonly Act[] | undefined {
  if (/^\.{0,2}\/[\w./@+-]+\.json$/.test(path)) {
    const others = ['.js', '.json', '.node', '/package.json', '/index'];
    return [act('reads', path), ...others.map((ending) => act('loads', path + ending))];
  }
  return /^(?:@[\w-]+\/)?[\w-][\w.-]*\/package\.json$/.test(path)
    ? [act('loads', `node_modules/${path}`)]
    : undefined;
}

/**
 * Inline Python of a command: detects code that only computes and prints.
 *
 * Every token must be known. The only names are those of `python-names.ts` and the code's own; no attribute begins with an
 * underscore or leads to frames or classes, and only the listed members of modules are used. So the code can't reach a function
 * that runs a text, starts a process, opens a connection or writes a file.
 */

import {namesSecretValue} from '../../../machines/places/secrets.ts';
import type {Act} from '../program.ts';
import {act} from '../refinements/refine.ts';
import {boundInPython, isKeyword, type Bound} from './python-bound.ts';
import {
  beginners,
  callables,
  isForbidden,
  keywords,
  loaded,
  methods,
  modules,
} from './python-names.ts';
import {pythonTokens} from './python-tokens.ts';
import {actsOf, endsValue, type Source, sourceOf, type Token} from './tokens.ts';

/** Effects of the code, reads and imports only; undefined: it may have other effects. */
export function readPython(code: string): readonly Act[] | undefined {
  const tokens = pythonTokens(code);
  const source = tokens && sourceOf(tokens);
  const bound = source && boundInPython(source);
  if (!source || !bound) return undefined;
  const acts = actsOf(source, (token, at) => readToken(source, at, token, bound));
  if (!acts) return undefined;
  const shadows = [...new Set([...loaded, ...bound.imported])].join(' ');
  return [...(bound.imported.size > 0 ? [act('modules', shadows)] : []), ...acts];
}

const nothing: readonly Act[] = [];

function readToken(
  source: Source,
  at: number,
  {kind, text}: Token,
  bound: Bound,
): readonly Act[] | undefined {
  if (bound.skipped.has(at)) return nothing;
  if (kind === 'name') return readName(source, at, text, bound);
  const isCall = kind === 'mark' && text === '(';
  return isCall && !isSafeCall(source, at, bound) ? undefined : nothing;
}

function isSafeCall(source: Source, at: number, bound: Bound): boolean {
  const {kindAt, textAt, is} = source;
  if (!endsValue(source, at - 1, beginners)) return true;
  if (kindAt(at - 1) !== 'name') return false;
  const name = textAt(at - 1);
  if (!is(at - 2, '.')) return !keywords.has(name);
  return (
    methods.has(name) ||
    (name === 'format' && isPlainFormat(source, at - 3)) ||
    endsPath(source, at - 1, bound)
  );
}

/** `'{} {0:>5}'.format(…)`: its fields name neither attributes nor indexes. */
function isPlainFormat({kindAt, textAt}: Source, at: number): boolean {
  const before = kindAt(at - 1);
  if (kindAt(at) !== 'string' || before === 'string' || before === 'regex') return false;
  return !/\{[^{}]*[.[_][^{}]*(?:\}|$)|\{[^{}]*\{/.test(textAt(at).replaceAll(/:[^{}]*/g, ''));
}

function readName(
  source: Source,
  at: number,
  name: string,
  bound: Bound,
): readonly Act[] | undefined {
  if (source.is(at - 1, '.')) return isAttribute(source, at, name, bound) ? nothing : undefined;
  if (isForbidden(name)) return undefined;
  if (isKeyword(source, at)) return nothing;
  const module = bound.modules.get(name);
  if (module !== undefined) return readModule(source, at, module, bound);
  if (name === 'open') return readFile(source, at);
  const isKnown = [bound.names, keywords, callables].some((names) => names.has(name));
  return isKnown || (name === 'type' && isOneCall(source, at)) ? nothing : undefined;
}

function isAttribute({is, textAt}: Source, at: number, name: string, bound: Bound): boolean {
  if (name === '__version__') return bound.modules.has(textAt(at - 2)) && !is(at - 3, '.');
  return !isForbidden(name) && (name !== 'format' || is(at + 1, '('));
}

/** `type(a)`: with more arguments it would make a class. */
function isOneCall({is, partner, around, tokens}: Source, at: number): boolean {
  const open = at + 1;
  const end = is(open, '(') ? partner.get(open) : undefined;
  if (end === undefined) return false;
  return !tokens.some((_, each) => around[each] === open && is(each, ',', '*', '**'));
}

function pathAt({is, textAt}: Source, at: number, module: string): string | undefined {
  if (!is(at + 1, '.')) return undefined;
  const one = textAt(at + 2);
  const two = `${one}.${textAt(at + 4)}`;
  if (is(at + 3, '.') && modules[module]?.has(two)) return two;
  return modules[module]?.has(one) ? one : undefined;
}

function endsPath(source: Source, end: number, {modules: bound}: Bound): boolean {
  return [end - 2, end - 4].some((start) => {
    const module = source.is(start - 1, '.') ? undefined : bound.get(source.textAt(start));
    const path = module === undefined ? undefined : pathAt(source, start, module);
    return path !== undefined && start + 2 * path.split('.').length === end;
  });
}

function readModule(
  source: Source,
  at: number,
  module: string,
  bound: Bound,
): readonly Act[] | undefined {
  const special = readSpecial(source, at, module, bound);
  if (special) return special;
  if (!Object.hasOwn(modules, module)) {
    return source.fits(at + 1, '. __version__') ? nothing : undefined;
  }
  const path = pathAt(source, at, module);
  if (path === undefined) return undefined;
  const end = at + 2 * path.split('.').length;
  return source.is(end + 1, '=', ':=', '+=') || isTarget(source, at, end) ? undefined : nothing;
}

/** Members whose safety depends on their arguments or on the use of their value. */
function readSpecial(
  source: Source,
  at: number,
  module: string,
  {names}: Bound,
): readonly Act[] | undefined {
  if (module === 'os') return readEnvironment(source, at) ?? readExistence(source, at);
  // It may only be printed: changing it would change which modules are imported.
  const isPrinted = source.fits(at - 2, 'print ( NAME . path )') && !names.has('print');
  return module === 'sys' && isPrinted ? nothing : undefined;
}

/** `for sys.argv in …`, `sys.stdout, a = …`: it is assigned to. */
function isTarget({is}: Source, at: number, end: number): boolean {
  return is(at - 1, 'for', 'as', 'del') || is(end + 1, 'in');
}

/** `os.environ['HOME']`, `os.environ.get('HOME')`, `os.getenv('HOME')`: its name is not that of a secret. */
function readEnvironment({is, fits, textAt}: Source, at: number): readonly Act[] | undefined {
  const forms = ['. getenv ( STRING', '. environ [ STRING', '. environ . get ( STRING'];
  const form = forms.find((each) => fits(at + 1, each));
  if (form === undefined) return undefined;
  const name = at + form.split(' ').length;
  const isPlainRead = is(name + 1, ')', ']', ',') && !is(name + 2, '=');
  return isPlainRead && !namesSecretValue(textAt(name)) ? nothing : undefined;
}

/** `os.path.exists('a.txt')`, `os.listdir('.')` */
function readExistence({fits, textAt}: Source, at: number): readonly Act[] | undefined {
  if (fits(at + 1, '. listdir ( STRING )')) return [act('lists', textAt(at + 4))];
  const isAsked = fits(at + 1, '. path . NAME ( STRING )');
  const isQuestion = /^(?:exists|isfile|isdir|getsize|islink)$/.test(textAt(at + 4));
  return isAsked && isQuestion ? [act('lists', textAt(at + 6))] : undefined;
}

/** `open('a.txt')`, `open('a.txt', 'r', encoding='utf-8')` */
function readFile({is, fits, textAt}: Source, at: number): readonly Act[] | undefined {
  if (!fits(at + 1, '( STRING') || textAt(at + 2) === '') return undefined;
  let next = at + 3;
  while (!is(next, ')')) {
    const isMode = fits(next, ', STRING') && /^r[bt]?$/.test(textAt(next + 1));
    const isOther = fits(next, ', NAME = STRING') && is(next + 1, 'encoding', 'errors', 'newline');
    if (!isMode && !isOther) return undefined;
    next += isMode ? 2 : 4;
  }
  return [act('reads', textAt(at + 2))];
}

/**
 * The scope of a request, such as `in all Python files in src and docs, but not in src/gen`. Every word of a scope must be
 * understood; other texts are not a scope.
 */

import {compileGlob} from '../../../tools/read/glob.ts';
import {endingsOf} from './languages.ts';
import {proseWords, type Slots, unquoted} from './phrase.ts';
import {notDone, type Report, type Steps, type Use} from './skills/skill.ts';

export interface Scope {
  /** Named files and folders, or globs with a folder; everywhere if empty. */
  readonly places: readonly string[];
  /** Globs of names, such as `*.md`; all if empty. */
  readonly kinds: readonly string[];
  /** Excluded files, folders and globs. */
  readonly except: readonly string[];
}

export const everywhere: Scope = {places: [], kinds: [], except: []};

export function readScope(words: string | undefined): Scope | undefined {
  let scope: Scope | undefined = everywhere;
  let rest = (words ?? '').trim().replace(/[\s.!?。,]+$/, '');
  while (scope && rest !== '') {
    const clause = nextClause(rest);
    if (!clause) return undefined;
    scope = withClause(scope, clause);
    rest = rest.slice(clause.length).trim();
  }
  return scope;
}

/** The number of characters at the start of a text that clauses of a scope account for. */
export function scopeLength(words: string): number {
  const start = words.length - words.trimStart().length;
  const {length = 0} = nextClause(words.trimStart()) ?? {};
  return length === 0 ? 0 : start + length + scopeLength(words.slice(start + length));
}

interface Clause {
  readonly is: 'place' | 'except' | 'all';
  readonly items: readonly Item[];
  /** The number of characters in the source text. */
  readonly length: number;
}

interface Item {
  readonly is: 'place' | 'kind';
  readonly globs: readonly string[];
}

const quotedItem = '`[^`]+`|"[^"]+"|“[^”]+”|「[^」]+」|\'[^\']+\'';
/** Words of prose that do not name a place. `a` is removed, because it may be the name of a folder. */
const placeless = proseWords.replace('|a|', '|');
const pathItem = `(?:(?:all|every)\\s+)?(?:${quotedItem}|(?!(?:or|only|except|any|commit|push|publish|deploy|${placeless})(?![\\w.@+/-]))[\\w@.*?{}\\[\\]/+-]*[\\w@*/}\\]+-])`;
const every = '(?:(?:all|every|any|each)\\s+)?(?:of\\s+)?(?:the\\s+)?';
const kindNoun = '\\s+(?:source\\s+)?(?:files?|sources?|code|documents?)';
const placeNoun = '(?:files?|folders?|director(?:y|ies)|subfolders?|paths?)';
const kindItem = `${every}[*.\\w+#-]+${kindNoun}`;
const item = `(?:(?:the\\s+)?${placeNoun}\\s+${pathItem}|${kindItem}|(?:the\\s+)?${pathItem}\\s+${placeNoun}|${pathItem})`;
const comma = '(?:\\s*,\\s*(?:and\\s+|or\\s+)?|\\s+(?:and|or)\\s+(?:in\\s+)?)';
const list = `(?<list>${item}(?:${comma}${item})*)`;
const within =
  '(?:in|within|inside|under|below|across|throughout|of|from|for)(?:\\s+(?:and\\s+(?:below|under)))?';

const everything =
  /^(?:(?:in|within|across|throughout|of|from|for)\s+)?(?:everywhere(?=$|[\s,])|(?:all|every|any)\s+(?:the\s+)?files?(?=$|[\s,])|(?:(?:in|of)\s+)?(?:(?:this|the|my|our)\s+)?(?:whole\s+|entire\s+)?(?:repo(?:sitory)?|project|code ?base|workspace|current folder|current directory)(?=$|[\s,])|here(?=$|[\s,]))/i;

const clauses = (
  [
    [
      'except',
      `(?:,\\s*)?(?:but\\s+)?(?:not|except(?:\\s+for)?|excluding|apart\\s+from|other\\s+than|without)(?:\\s+(?:touching|changing|editing|modifying))?(?:\\s+(?:in|those\\s+in|files\\s+in|within|under))?\\s+${list}(?=$|[\\s,])`,
    ],
    [
      'except',
      `(?:,\\s*)?(?:(?:but|and)\\s+)?(?:do\\s+not|don't|don’t|never)\\s+(?:touch|change|edit|modify)\\s+(?:anything\\s+in\\s+|files\\s+in\\s+)?${list}(?=$|[\\s,])`,
    ],
    [
      'except',
      `(?:,\\s*)?(?:(?:but|and)\\s+)?leave\\s+${list}\\s+(?:alone|unchanged|untouched|as\\s+(?:it\\s+is|they\\s+are))`,
    ],
    ['place', `(?:only\\s+)?${within}\\s+${list}(?:\\s+only)?(?=$|[\\s,])`],
  ] as const
).map(([is, source]) => ({is, pattern: new RegExp(`^${source}`, 'i')}));

function nextClause(text: string): Clause | undefined {
  const all = everything.exec(text)?.[0];
  if (all !== undefined) return {is: 'all', items: [], length: all.length};
  for (const {is, pattern} of clauses) {
    const found = pattern.exec(text);
    const named = found?.groups?.['list'];
    const items = named === undefined ? undefined : readItems(named);
    if (found && items) return {is, items, length: found[0].length};
  }
  return undefined;
}

function withClause(scope: Scope, {is, items}: Clause): Scope | undefined {
  const globs = items.flatMap((one) => one.globs);
  if (is === 'all') return scope;
  if (is === 'except') return {...scope, except: [...scope.except, ...globs]};
  if (items.every((one) => one.is === 'kind') && scope.kinds.length === 0)
    return {...scope, kinds: globs};
  if (items.every((one) => one.is === 'place') && scope.places.length === 0)
    return {...scope, places: globs};
  return undefined;
}

function readItems(text: string): readonly Item[] | undefined {
  const parts = text.split(new RegExp(`${comma}(?=(?:[^\`"]*[\`"][^\`"]*[\`"])*[^\`"]*$)`, 'i'));
  // `.ts and .js files`: if the last item is a kind, the items before it may be kinds, too.
  const last = readItem(parts.at(-1)?.trim() ?? '');
  const items = parts.map((part, index) =>
    last?.is === 'kind' && index < parts.length - 1
      ? (readItem(`${part.trim()} files`) ?? readItem(part.trim()))
      : readItem(part.trim()),
  );
  return items.every((one) => one !== undefined) ? items : undefined;
}

const kindWords = new RegExp(`^${every}(?<what>[*.\\w+#-]+)${kindNoun}$`, 'i');
const aroundPath = new RegExp(`^(?:the\\s+)?(?:${placeNoun}\\s+)?|\\s+${placeNoun}$`, 'gi');

function readItem(text: string): Item | undefined {
  const kinds = kindsOf(kindWords.exec(text)?.groups?.['what'] ?? '');
  if (kinds) return {is: 'kind', globs: kinds};
  const path = unquoted(text.replaceAll(aroundPath, ''));
  return /\s/.test(path) && path === text ? undefined : readPath(path);
}

function readPath(path: string): Item | undefined {
  const clean = path.replace(/^\.\//, '').replace(/\/+$/, '');
  if (clean === '' || clean === '.' || /^(?:all|every|any|it|this|that|them|the)$/i.test(clean))
    return undefined;
  const isKind = /[*?{[]/.test(clean) && !clean.includes('/');
  if (!compileGlob(clean).ok) return undefined;
  return {is: isKind ? 'kind' : 'place', globs: [clean]};
}

function kindsOf(what: string): readonly string[] | undefined {
  if (/^\*?\.\w+$/.test(what)) return [`*.${what.replace(/^\*?\./, '')}`];
  return endingsOf(what)?.map((ending) => `*.${ending}`);
}

function readJapaneseScope(words: string): Scope | undefined {
  const text = words.trim();
  if (wholeJapanese.test(text)) return everywhere;
  const except = /^(.+?)\s*(?:以外|を除いて|を除く)$/.exec(text)?.[1];
  const named = (except ?? text).replace(/\s*(?:だけ|のみ)$/, '');
  const items = named.split(/\s*(?:、|,|と)\s*/).map(readJapaneseItem);
  const is = except === undefined ? 'place' : 'except';
  return items.every((one) => one !== undefined)
    ? withClause(everywhere, {is, items, length: text.length})
    : undefined;
}

const wholeJapanese =
  /^(?:(?:(?:この|すべての?|全ての?|全部の?)\s*)?(?:リポジトリ|プロジェクト|コードベース|ファイル|フォルダー?|ディレクトリ)(?:全体|の中|内)?)?$/;
const japaneseKind =
  /^(?:(?:すべて|全て|全部|あらゆる)\s*の?\s*)?(?<what>[*.\w+#]+)\s*(?:の\s*)?ファイル$/;
const japaneseSuffix = /(?:の中|内|配下|以下|フォルダー?|ディレクトリ|ファイル)?(?:\s*の)?\s*$/;

function readJapaneseItem(text: string): Item | undefined {
  const kinds = kindsOf(japaneseKind.exec(text)?.groups?.['what'] ?? '');
  const path = unquoted(text.replace(japaneseSuffix, '').trim());
  if (kinds) return {is: 'kind', globs: kinds};
  return /\s/.test(path) ? undefined : readPath(path);
}

/** The scope in the slot `scope` or `japanese`, limited to files of the slot `kind`. */
export function scopeIn({scope: words, japanese, kind}: Slots): Scope | undefined {
  const scope = japanese === undefined ? readScope(words) : readJapaneseScope(japanese);
  if (kind === undefined || !scope) return scope;
  const {kinds = []} = readScope(`in ${kind} files`) ?? {};
  return kinds.length === 0 || scope.kinds.length > 0 ? undefined : {...scope, kinds};
}

/** One search per place, so that a missing place is reported and not ignored. */
export function searches(pattern: string, {places, kinds}: Scope): Use[] {
  const kind = kinds.length === 0 ? {} : {file_pattern: braces(kinds)};
  return (
    places.length === 0
      ? [{}]
      : places.map((place) => (isGlob(place) ? {file_pattern: place} : {path: place}))
  ).map((place) => ({tool: 'grep_search', args: {pattern, ...kind, ...place}}));
}

/** One listing per place, of its files including hidden ones. */
export function listings({places, kinds}: Scope, maxResults: number): Use[] {
  const pattern = kinds.length === 0 ? '{**/*,**/.*,**/.*/**/*}' : `**/${braces(kinds)}`;
  return (
    places.length === 0
      ? [{}]
      : places.map((place) => (isGlob(place) ? {pattern: place} : {base_dir: place}))
  ).map((place) => ({tool: 'glob_search', args: {pattern, ...place, max_results: maxResults}}));
}

/** Refuses an exclusion that matches no file, because the request was then misread or has an error. */
export function* missingExceptions({except}: Scope): Steps<Report | undefined> {
  if (except.length === 0) return undefined;
  const answers = yield except.map((path) => ({
    tool: 'glob_search',
    args: {pattern: `{${path},${path}/**/*,**/${path}}`, max_results: 1},
  }));
  const missing = except.filter((_, index) => !/\t\d+$/m.test(answers[index]?.text ?? ''));
  return missing.length === 0
    ? undefined
    : notDone(
        `there is no file or folder ${missing.join(' and ')}, which the request excludes. Nothing was changed.`,
      );
}

function braces(globs: readonly string[]): string {
  return globs.length > 1 ? `{${globs.join(',')}}` : globs.join();
}

function isGlob(place: string): boolean {
  return /[*?{[]/.test(place);
}

/** True if a found file is in the scope: of one of the kinds, and not excluded. */
export function isMeant({kinds, except}: Scope, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isOfKind = kinds.length === 0 || kinds.some((glob) => matches(glob, name));
  return isOfKind && !except.some((glob) => isBelow(glob, path));
}

function isBelow(glob: string, path: string): boolean {
  if (!glob.includes('/') && isGlob(glob)) return matches(`**/${glob}`, path);
  return matches(glob, path) || matches(`${glob}/**/*`, path);
}

function matches(glob: string, path: string): boolean {
  const compiled = compileGlob(glob, {hidden: true});
  return compiled.ok && compiled.value.matches(path);
}

export function describeScope({places, kinds, except}: Scope): string {
  const named = [kinds.join(', '), places.join(', ')].filter((part) => part !== '');
  const both = named.length > 0 ? named.join(' in ') : 'all files';
  return except.length > 0 ? `${both}, not ${except.join(', ')}` : both;
}

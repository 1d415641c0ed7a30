/** Bounds that a request sets on changes, recognized by fixed phrases. */

import {plain} from '../../machines/domain/plain-text.ts';
import {compileGlob} from '../../tools/read/glob.ts';

export interface Bounds {
  /** Only these may change. Empty: no such bound. */
  readonly only: readonly string[];
  /** These must stay as they are. */
  readonly never: readonly string[];
}

const sentence = /[^.\n;!?]*(?:\.(?=\S)[^.\n;!?]*)*/g;

/** The first group names all that may change. Several phrases may match one sentence. */
const onlyPhrases: readonly RegExp[] = [
  /\bonly\s+(?:chang|modif|edit|touch|updat|writ|fix|work)\w*(?:\s+(?:in|to|on|inside|within))?\s+(.+)/i,
  /\b(?:chang|modif|edit|touch|updat|writ)\w*\s+(?:only|nothing (?:but|except|other than|outside))\s+(.+)/i,
  /\bnothing but\s+(.+)/i,
  /\bonly\s+(?:in|to|on|inside|within|under)\s+(.+)/i,
  /\b(?:in|to|on|of|inside|within|under)\s+(?:only\s+)?([^,]+?),?\s+(?:only\b|(?:and|but) nothing else\b)/i,
  /\b(?:in|to|on|inside|within|under)\s+only\s+(.+)/i,
  /^(.*?)(?:だけ|のみ)(?:[でにを]|の中|内)?/,
  /^([^「」]+?)(?:の中|内)?[でのに].*(?:置き?換|リネーム)/,
];

/** An order to replace or rename something in a place: other places were not requested. */
const replacedIn =
  /\b(?:replac|renam|substitut|swap)\w*\s.*?\s((?:in|inside|within|under|throughout)\s+.+)/i;

const exception = /,?\s*\b(?:but not|except|excluding|apart from|other than)\b.*/i;

const neverPhrase =
  /\b(?:(?:don't|do not|never|must not|without)\s+(?:chang|modif|edit|touch|updat|writ|overwrit|delet|remov|renam|alter)\w*(?:\s+(?:to|in))?|leave|keep)\s+(.+)/i;
const neverAfter =
  /^(.*?)(?:は|を|に)(?:触らない|触らず|触れない|変更しない|変更せず|編集しない|いじらない)/;

export function boundsOf(request: string): Bounds {
  const sentences = [...plain(request).matchAll(sentence)].map(([text]) => text);
  const scopes = sentences.map((text) => replacedIn.exec(text)?.[1] ?? '');
  const excluded = sentences
    .filter(isExcluding)
    .map((text) => neverPhrase.exec(text)?.[1] ?? neverAfter.exec(text)?.[1] ?? '');
  return {
    only: [
      ...sentences.flatMap((text) =>
        onlyPhrases.flatMap((phrase) => placesIn(phrase.exec(text)?.[1] ?? '')),
      ),
      ...scopes.flatMap((text) => placesIn(text.replace(exception, ''))),
    ],
    never: [...excluded, ...scopes.map((text) => exception.exec(text)?.[0] ?? '')].flatMap(pathsIn),
  };
}

/** `leave` and `keep` exclude a path only together with `alone`, `unchanged` and the like. */
function isExcluding(text: string): boolean {
  return (
    !/\b(?:leave|keep)\b/i.test(text) ||
    /\b(?:alone|unchanged|untouched|as (?:it|they|is))\b/i.test(text)
  );
}

const ofEnding = /(?<![\w*/])\.(\w{1,8})[\s-]+files?\b/gi;
const ofLanguage = /([A-Z][\w+#]*)[\s-]+(?:files?|code|sources?)\b/g;
const folder =
  /\b(?!(?:the|this|that|a|an|each|every|whole|entire|current|same|root|working|sub)\b)([\w.-]+)\s+(?:folder|directory)\b/gi;

/** One word of a list, as in `in docs and README.md`. */
const listed = /^(?:(?:in|inside|within|under|throughout)\s+)?(?:the\s+)?([\w.-]+)$/i;

/** File endings by language. */
const endings = new Map(
  `typescript: ts tsx mts cts; javascript: js jsx mjs cjs; python: py pyi; c: c h; c++: cc cpp cxx hpp hh; c#: cs
  kotlin: kt kts; rust: rs; ruby: rb; elixir: ex exs; haskell: hs; shell: sh bash zsh; markdown: md mdx; yaml: yml yaml
  css: css scss sass less; html: html htm; go: go; java: java; php: php; swift: swift; scala: scala; lua: lua; sql: sql
  vue: vue; json: json; toml: toml; xml: xml`
    .split(/[;\n]\s*/)
    .map((row) => row.split(': '))
    .map(([name = '', list = '']) => [name, list.split(' ')]),
);

/**
 * Paths, and files and folders that prose names by their kind: `all .md files`, `Python files`, `the docs folder`. In a
 * list that contains a place, a bare word is a place as well.
 */
function placesIn(text: string): string[] {
  const places = surelyIn(text);
  if (places.length === 0) return [];
  const words = text.split(/\s*(?:,|\band\b|\bor\b|と|、)\s*/);
  return [...places, ...words.flatMap((word) => listed.exec(word.trim())?.[1] ?? [])];
}

function surelyIn(text: string): string[] {
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name ?? '');
  return [
    ...pathsIn(text.replaceAll(ofEnding, '')).filter((path) => !/^v?\d[\d.]*$/.test(path)),
    ...named(ofEnding).map((ending) => `*.${ending}`),
    ...named(ofLanguage).flatMap((name) =>
      (endings.get(name.toLowerCase()) ?? []).map((ending) => `*.${ending}`),
    ),
    ...named(folder),
  ];
}

/** Words that look like paths: with a dot or a slash, or in backticks or quotes. */
export function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/[`"“「]([^`"”」\s]+)[`"”」]/g)].map(([, path]) => path ?? '');
  const bare = [
    ...text.matchAll(/(?<![\w`"“./-])[\w@*-]*(?:[./][\w@*-]+)+\/?|(?<![\w`"./-])[\w-]+\/(?![\w])/g),
  ].map(([path]) => path);
  return [...new Set([...quoted, ...bare])].map((path) =>
    path.replace(/^\.\//, '').replace(/[.,:]+$/, ''),
  );
}

/** True if a bound names the path: directly, by a folder above it, by its bare name or by a wildcard. */
export function isNamed(path: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const bare = name.replace(/\/(?:\*\*?)?$/, '');
    if (bare.includes('*')) return matches(bare, path);
    return (
      path === bare ||
      path.startsWith(`${bare}/`) ||
      (!bare.includes('/') && path.split('/').includes(bare))
    );
  });
}

/** A wildcard matches at any depth, and includes all paths below a match. */
function matches(pattern: string, path: string): boolean {
  return [`**/${pattern}`, `**/${pattern}/**`].some((each) => {
    const glob = compileGlob(each, {hidden: true});
    return glob.ok && glob.value.matches(path);
  });
}

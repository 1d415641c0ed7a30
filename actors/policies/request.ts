/** What a request asks for, as far as fixed phrases tell: whether it writes, and what it sets bounds to. */

const writeWords =
  /\b(?:writ(?:e|es|ing)|creat\w*|add\w*|fix\w*|chang(?:e|es|ing)|updat\w*|edit\w*|renam\w*|replac\w*|remov\w*|delet\w*|refactor\w*|implement\w*|generat\w*|mak(?:e|es|ing)|build|append\w*|insert\w*|sav(?:e|es|ing)|put|convert\w*|migrat\w*|mov(?:e|es|ing)|set|install\w*|format|appl(?:y|ies)|improv\w*|upgrad\w*|correct|clean|port|translat\w*|modif\w*|rewrit\w*|extract|split|merge|commit|push|bump|enable|disable|turn|store|record|draft|design|setup|configure|increase|decrease|optimi[sz]e|simplify|sort|patch|resolve|init\w*|scaffold|deploy|release|publish|use|repair|solve|document)\b/i;
const writeWordsJapanese =
  /書|作成|作っ|作る|追加|修正|変更|更新|置換|置き換|削除|直し|直す|実装|保存|リネーム|名前を変|改善|整形|生成|追記|出力し/;
const intoFile = /\b(?:into|to|as)\s+(?:an?\s+|the\s+)?(?:file\s+)?[`'"]?[\w./-]+\.\w{1,8}\b/i;
const readWords =
  /^\W*(?:please\s+|can you\s+|could you\s+)?(?:explain|list|count|describe|summari[sz]e|show|tell|find|look|read|check|review|analy[sz]e|what|why|how|where|which|who|when|is|are|does|do|compare|inspect|report|print)\b/i;
const readWordsJapanese = /説明|一覧|数え|要約|教えて|調べて|確認して|見せて|何|なぜ|どこ|どう/;

/** Characters of prose that rules look at: what matters to them stands at the start. */
const maxProse = 10_000;

/** Prose with single blanks and without empty lines, so that no phrase takes long to look for. */
export function plain(text: string): string {
  return text
    .slice(0, maxProse)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n');
}

/** Asks to be told something, and for nothing to be changed. */
export function isReadOnly(text: string): boolean {
  const request = plain(text);
  const explicit =
    /\b(?:read[- ]only|(?:don't|do not|without)\s+(?:chang|modif|writ|edit|touch)\w*\s+(?:any\w*|files?|nothing))\b|何も変更(?:しない|せず)/i;
  if (explicit.test(request)) return true;
  const asks = readWords.test(request) || readWordsJapanese.test(request);
  return asks && ![writeWords, writeWordsJapanese, intoFile].some((words) => words.test(request));
}

export interface Bounds {
  /** Only these may change; empty: no such bound. */
  readonly only: readonly string[];
  /** These must stay as they are. */
  readonly never: readonly string[];
}

const sentence = /[^.\n;!?]*(?:\.(?=\S)[^.\n;!?]*)*/g;
const onlyPhrase =
  /\b(?:only\s+(?:chang|modif|edit|touch|updat|writ|fix|work)\w*(?:\s+(?:in|to|on|inside|within))?|(?:chang|modif|edit|touch|updat|writ)\w*\s+(?:only|nothing (?:but|except|other than|outside))|nothing but)\s+(.+)/i;
const onlyAfter = /^(.*?)(?:だけ|のみ)を?(?:変更|編集|修正|更新|書)/;
const neverPhrase =
  /\b(?:(?:don't|do not|never|must not|without)\s+(?:chang|modif|edit|touch|updat|writ|overwrit|delet|remov|renam|alter)\w*(?:\s+(?:to|in))?|leave|keep)\s+(.+)/i;
const neverAfter =
  /^(.*?)(?:は|を|に)(?:触らない|触らず|触れない|変更しない|変更せず|編集しない|いじらない)/;

export function boundsOf(request: string): Bounds {
  const sentences = [...plain(request).matchAll(sentence)].map(([text]) => text);
  return {
    only: sentences.flatMap((text) => pathsIn(captured(text, onlyPhrase, onlyAfter))),
    never: sentences
      .filter(isExcluding)
      .flatMap((text) => pathsIn(captured(text, neverPhrase, neverAfter))),
  };
}

function captured(text: string, english: RegExp, japanese: RegExp): string {
  return english.exec(text)?.[1] ?? japanese.exec(text)?.[1] ?? '';
}

/** `leave` and `keep` exclude only together with `alone`, `unchanged` and their like. */
function isExcluding(text: string): boolean {
  return (
    !/\b(?:leave|keep)\b/i.test(text) ||
    /\b(?:alone|unchanged|untouched|as (?:it|they|is))\b/i.test(text)
  );
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

/** Whether a path is one that a bound names: itself, inside a named folder, by its bare name or by a wildcard. */
export function isNamed(path: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const bare = name.replace(/\/(?:\*\*?)?$/, '');
    if (bare.includes('*')) return globToRegExp(bare).test(path);
    return (
      path === bare ||
      path.startsWith(`${bare}/`) ||
      (!bare.includes('/') && path.split('/').includes(bare))
    );
  });
}

function globToRegExp(glob: string): RegExp {
  const source = glob.replaceAll(/[.+^$(){}|[\]\\?]/g, String.raw`\$&`).replaceAll(/\*+\/?/g, '.*');
  return new RegExp(`(?:^|/)${source}$`);
}

/** Asks for packages to be installed. */
export function asksForPackages(request: string): boolean {
  return /\b(?:install|dependenc(?:y|ies)|packages?|upgrade|npm ci|npm i|pip|set\s?up|library|libraries|bootstrap)\b|インストール|依存|パッケージ|導入/i.test(
    request,
  );
}

export function asksForPush(request: string): boolean {
  return /\b(?:push|publish|deploy|release|pull request|PR|upload)\b|プッシュ|公開|リリース/i.test(
    request,
  );
}

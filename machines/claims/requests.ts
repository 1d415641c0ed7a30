/** Classifies requests by fixed phrases. */

import {plain} from '../domain/plain-text.ts';

const writeWords =
  /\b(?:writ(?:e|es|ing)|creat\w*|add\w*|fix\w*|chang(?:e|es|ing)|updat\w*|edit\w*|renam\w*|replac\w*|remov\w*|delet\w*|refactor\w*|implement\w*|generat\w*|mak(?:e|es|ing)|build|append\w*|insert\w*|sav(?:e|es|ing)|put|convert\w*|migrat\w*|mov(?:e|es|ing)|set|install\w*|format|appl(?:y|ies)|improv\w*|upgrad\w*|correct|clean|port|translat\w*|modif\w*|rewrit\w*|extract|split|merge|commit|push|bump|enable|disable|turn|store|record|draft|design|setup|configure|increase|decrease|optimi[sz]e|simplify|sort|patch|resolve|init\w*|scaffold|deploy|release|publish|use|repair|solve|document)\b/i;
const writeWordsJapanese =
  /書|作成|作っ|作る|追加|修正|変更|更新|置換|置き換|削除|直し|直す|実装|保存|リネーム|名前を変|改善|整形|生成|追記|出力し/;
const intoFile = /\b(?:into|to|as)\s+(?:an?\s+|the\s+)?(?:file\s+)?[`'"]?[\w./-]+\.\w{1,8}\b/i;
const readVerbs =
  'explain|list|count|describe|summari[sz]e|show|tell|find|look|read|check|review|analy[sz]e|compare|inspect|report|print';
const questionWords = 'what|why|how|where|which|who|when|whether|if';
const readWords = new RegExp(
  String.raw`^\W*(?:please\s+|can you\s+|could you\s+)?(?:${readVerbs}|${questionWords})\b|^\W*(?:is|are|does|do|did|has|have|was|were)\b[^.!\n]*\?\s*$`,
  'i',
);
/** A second order whose verb is not a reading verb: its meaning is unknown. */
const furtherOrder = new RegExp(
  String.raw`(?:\b(?:and|then)\s+|[.;,]\s*)(?:then\s+)?(?!(?:${readVerbs}|${questionWords}|and|then|or|in|on|of|for|from|with)\b)[a-z]+\s+(?:it|them|this|that|these|those|the|all|every|each|any|an?|everything|something)\b`,
  'i',
);
const readWordsJapanese =
  /説明|一覧|数え|要約|教えて|調べて|確認して|見せて|(?:何|なぜ|どこ|どう)[^。\n]*[?？か。]?\s*$/;
/** Orders that ask for an action and leave open how to do it. */
const orderJapanese = /どうにか|何とか|なんとか|どうか[^?？]*(?:ください|下さい|して)/;

const changeNothing =
  /\b(?:don['’]t|do not|never|without)\s+(?:chang|modif|writ|edit|touch)\w*\s+(?:anything|any (?:files?|code)|(?:the )?(?:files|code)|nothing)\b(?!\s+(?:\w+\s+)?(?:else|other|in|under|inside|outside|beyond|but|except|than)\b)|何も変更(?:しない|せず)/i;

/** True if the request asks only for information and for no change. False when in doubt. */
export function isReadOnly(text: string): boolean {
  const request = plain(text);
  if (changeNothing.test(request)) return true;
  const asks =
    readWords.test(request) || readWordsJapanese.test(request) || /\bread[- ]only\b/i.test(request);
  const others = [writeWords, writeWordsJapanese, intoFile, furtherOrder, orderJapanese];
  return asks && !others.some((words) => words.test(request));
}

const ordered = new RegExp(
  String.raw`^\W*(?:(?:please|then|now|and|first|finally)\W+)*${writeWords.source}`,
  'i',
);

/** True if the text explicitly orders a change. */
export function isOrderToWrite(text: string): boolean {
  const request = plain(text);
  if (changeNothing.test(request)) return false;
  return request.split(/[.!?;\n。！？]+/).some((sentence) => ordered.test(sentence));
}

/** True if the request may ask for an installation of packages. */
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

const ifAbsent =
  /\b(?:if|when|where|as long as)\b[^.;\n]{0,60}?(?:\b(?:does|do|did) ?n[o'’]t\s+(?:\w+\s+)?exist|\bdoes not\s+(?:\w+\s+)?exist|\bnot there\b|\b(?:is|are) (?:missing|absent)\b|\bthere is (?:none|no )|\bmissing\b|\babsent\b)|\bunless\b[^.;\n]{0,60}?\bexists?\b/i;
const ifAbsentJapanese =
  /(?:存在し|なけれ|無けれ|な(?:い|かった)).{0,2}(?:なけれ|ない|ば|場合|とき|時|ら)/;

/** True if the request asks to write a file only if it does not exist. */
export function isForAbsentOnly(text: string): boolean {
  const request = plain(text);
  return ifAbsent.test(request) || ifAbsentJapanese.test(request);
}

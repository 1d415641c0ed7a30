/** Finds claims about work in a text, in English and in Japanese, by fixed phrases. */

import {plain} from './plain-text.ts';

/** Sentences in which somebody speaks for themselves: what is quoted, or printed by a program, is no claim. */
export function sentencesOf(text: string): readonly string[] {
  const spoken = plain(text)
    .replaceAll(/```[^`]*(?:```|$)/g, '\n')
    .replaceAll(/^ ?>.*$/gm, '')
    .replaceAll(/["“]([^"”\n]{1,200})["”]/g, (_, inner: string) => keptIn(inner))
    .replaceAll(/「([^」\n]{1,200})」/g, (_, inner: string) => keptIn(inner));
  return spoken.split(/(?<=[.!?])\s+|[。！？\n]+/).filter((sentence) => sentence.trim() !== '');
}

/** Of what stands in quotes only a name counts. */
function keptIn(inner: string): string {
  return /^\S+\.\w{1,8}$/.test(inner) ? inner : '…';
}

/** Where a phrase stands: what comes before it in its clause, and after it. */
interface Spot {
  readonly found: string;
  /** What its first group holds. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

function spotsOf(sentence: string, pattern: RegExp): Spot[] {
  return [...sentence.matchAll(pattern)].map((match) => ({
    found: match[0],
    name: match[1] ?? '',
    before: sentence.slice(0, match.index),
    after: sentence.slice(match.index + match[0].length),
  }));
}

const clauseEnd = /[,;:—–(]|\s-\s|\b(?:but|and|so|yet|while)\b/i;

function lastClause(before: string): string {
  return before.split(clauseEnd).at(-1) ?? '';
}

const condition = /\b(?:if|unless|until|whether|once|provided|assuming|as soon as)\b/i;
const doubtful =
  /\b(?:not|never|no longer|without|nothing|neither|nor|none|cannot|should|would|will|shall|may|might|could|can|must|needs?|ensure|ensuring|make|makes|making|get|want|wants|goal|objective|aim|try|tried|trying|attempt\w*|plan|next|hope\w*|expect\w*|likely|probably|presumably|assum\w*|unable|failed to|instead of|rather than|whether|so that|claims?|claimed|said|says|let|please|to be|to (?:check|verify|confirm|see)|i'll|going to)\b|n['’]t\b/i;
const takenBack =
  /^\s+(?:in)?to\b|^\W*(?:\w+\W+){0,3}(?:not|never|unverified|unknown|unclear|unconfirmed)\b|^\W*(?:\w+\W+){0,3}\w+n['’]t\b|^\W*\?/i;

/** Says of itself that it is not so, or not yet, or not known. */
function isHedged({before, after}: Spot): boolean {
  return (
    condition.test(before) ||
    doubtful.test(lastClause(before)) ||
    takenBack.test(after.split(/[,;.]/)[0] ?? '')
  );
}

const japaneseDoubt =
  /^[^。\n]{0,30}?(?:ない|しません|ません|なかった|せず|かどうか|か(?:を|は)?(?:確認|不明|分か)|はず|だろう|でしょう|予定|べき|よう(?:に|、)|場合|れば|たら|なら|まで|たい|ください|必要|未確認|未検証|失敗|かもしれ|つもり)/;

const subject = String.raw`(?:\b(?:all|the|every|each|\d+(?:\/\d+)?|both|my|our|its|these|new|existing|other|remaining|relevant|unit|integration|regression|e2e|end-to-end)\s+(?:of\s+)?){0,5}\b(?:tests?(?:\s+(?:suites?|runs?|cases?))?|specs|(?:failing|broken|red|flaky)\s+spec)`;
const success = String.raw`(?:pass(?:ed|es|ing)?|succeed(?:ed|s)?|green|clean|ok(?:ay)?|successful(?:ly)?|without (?:any )?(?:failures?|errors?))`;

const testsPass: readonly RegExp[] = [
  new RegExp(
    String.raw`${subject}\s*:?\s+(?:(?:now|all|still|again|both|have|has|had|also|are|is|were|was|ran|run|came back|comes back|come back|completed?|finished|\d+)\s+){0,4}${success}\b`,
    'gi',
  ),
  new RegExp(
    String.raw`\b(?:test\s+)?suites?\s+(?:(?:now|still|again|is|are|was|has|have|ran|all)\s+){0,3}${success}\b`,
    'gi',
  ),
  /\ball green\b|\beverything\s+(?:is\s+|now\s+){0,2}(?:green|pass(?:es|ed|ing))\b|\b(?:no|zero|0)\s+(?:failing tests|tests?\s+fail(?:ed|ing|ures?|s)?|test failures|failures|failed)\b/gi,
  /\b(?:tests?:?\s+)?ok\b\W{1,3}\d{1,6}\s+(?:tests?|passed)\b|\b\d{1,6}(?:\/\d{1,6})?\s+(?:tests?\s+)?(?:pass(?:ed|ing)?)\b|\bpassed\s+\d{1,6}\s+tests?\b/gi,
  /`?\b(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?test[\w:-]*|pytest|vitest|jest|mocha|rspec|(?:cargo|go|mix|dotnet|mvn|make|gradle) test)\b[^.;\n]{0,20}?\s(?:pass(?:es|ed)?|succeed(?:s|ed)|(?:is|was)\s+(?:green|successful)|exit(?:s|ed)? (?:with )?(?:code )?0)\b/gi,
  /\b(?:tests?|specs|vitest|jest|pytest|mocha|rspec)\b\W{1,3}(\d{1,6})\/\1\b|[✅✔✓☑]\uFE0F?\s?(?:all\s+)?(?:tests?|specs)\b|\b(?:tests?|specs)\b\W{0,3}[✅✔✓☑]/gi,
  /\b(?:ran|executed)\s+(?:all\s+)?(?:the\s+)?(?:tests?|test suite)\s+(?:\w+\s+){0,2}(?:successfully|with success|without (?:any )?(?:failures?|errors?))/gi,
];
const testsPassJapanese =
  /テスト[^。\n、]{0,20}?(?:通(?:り|っ|過|る)|成功|パス|PASS|合格|グリーン|OK|[✅✔✓]|(?:問題|失敗|エラー)(?:は)?(?:な(?:し|く)|ありません))|テストを(?:実行|走ら|回)し[^。\n]{0,20}?(?:通り|通っ|成功|パス)|(?:全て|すべて|全)の?テスト[^。\n]{0,10}?(?:通|成功|パス)/g;

const pastStart =
  /^\W*(?:before|previously|earlier|yesterday|originally|formerly|last \w+|at (?:first|the start))\b/i;
const pastEnd =
  /^\W*(?:before|earlier|previously|originally|yesterday|at first|last (?:week|month|year|time)|in \d{4})\b/i;
/** Of another time, or on a condition. */
const japaneseAside = /(?:れば|たら|なら)|以前|前は|前に|かつて|元々|もともと|当初|昨日|先週/;

/** It tells of a time before the work. */
function isPast({found, before, after}: Spot): boolean {
  return !/\bnow\b/i.test(found) && (pastStart.test(before) || pastEnd.test(after));
}

/** Some of the tests failed, and the text says so. */
const admitsFailure = /\b[1-9]\d{0,5}\s+(?:tests?\s+)?(?:fail(?:ed|ing|ures?|s)?|errors?)\b/i;

/** Where it says that tests pass. */
export function testClaims(text: string): readonly string[] {
  return sentencesOf(text).flatMap((sentence) => {
    if (admitsFailure.test(sentence)) return [];
    const english = testsPass
      .flatMap((pattern) => spotsOf(sentence, pattern))
      .filter((spot) => !isHedged(spot) && !isPast(spot));
    const japanese = spotsOf(sentence, testsPassJapanese).filter(
      ({before, after}) => !japaneseDoubt.test(after) && !japaneseAside.test(before),
    );
    return [...english, ...japanese].map(({found}) => found.trim());
  });
}

const ranIt: readonly RegExp[] = [
  /\b(?:verified|tested|confirmed|checked|tried)\s+(?:(?:it|this|that|them|everything|the \w+)\s+)?(?:locally|manually|on my machine|by (?:running|executing))\b/gi,
  /\b(?:I|we)(?:['’]ve| have)?\s+(?:also\s+)?(?:ran|run|executed|tested)\s+(?:it|this|that|them|everything|the (?:code|script|program|command|build|linter|app))\b/gi,
];
const ranItJapanese =
  /(?:動作|実行結果|挙動)を?(?:は)?(?:確認|検証)(?:し(?:ました|た)|済み)|(?:ローカル|手元)で(?:実行|確認|検証)(?:し(?:ました|た)|済み)|実行して(?:確認|検証)しました/g;

/** The phrases that say that something was run or tried out. */
export function runClaims(text: string): readonly string[] {
  return sentencesOf(text).flatMap((sentence) => {
    const english = ranIt
      .flatMap((pattern) => spotsOf(sentence, pattern))
      .filter((spot) => !isHedged(spot) && !isPast(spot));
    const japanese = spotsOf(sentence, ranItJapanese).filter(
      ({before, after}) => !japaneseDoubt.test(after) && !japaneseAside.test(before),
    );
    return [...english, ...japanese].map(({found}) => found.trim());
  });
}

const kinds =
  'md|mdx|txt|tsx?|jsx?|[mc][jt]s|jsonc?|ya?ml|toml|py|rb|go|rs|java|kts?|cc?|cpp|hpp|h|cs|php|swift|scala|sh|bash|zsh|sql|html?|css|scss|less|vue|svelte|xml|csv|tsv|ini|cfg|conf|env|lock|log|rst|tex|pdf|png|jpe?g|gif|svg|ipynb|exs?|erl|hs|lua|pl|r|dart|proto|graphql|tf|gradle|properties|diff|patch|lic';
const path = String.raw`(?<![\w@./~-])((?:[\w@~.-]*[\w@-]\/|\.{0,2}\/)*[\w@.-]*[\w@-]\.(?:${kinds}))\b(?![\w(/])`;
const ticked = String.raw`[\`'"]?${path}[\`'"]?`;
const frameworks = /^(?:node|vue|next|nuxt|express|react|d3|three|chart|ember|moment|p5)\.js$/i;

/** Between the verb and the file: not what the file is only mentioned for. */
const gap = String.raw`(?:(?!(?:and|or|for|about|from|of|per|using|based|by|like|following|according|against|describing|reported|described|that|which|where|when|than|see|nothing|no)\b)[\w“”"'…:/@.-]+\s+){0,8}?`;
const wrote = new RegExp(
  String.raw`\b(?:wrote|written|created|updated|edited|saved|appended|modified|rewrote|changed|generated|added|inserted|replaced|fixed|refactored|placed|stored|produced|patched|extended|reworked)\s+${gap}${ticked}`,
  'gi',
);
/** Of a list: `a.md, b.md and c.md`. */
const another = new RegExp(String.raw`^(?:\s*,)?\s*(?:and\s+)?${ticked}`, 'i');
const became = new RegExp(
  String.raw`${path}[\`'"]?\s+(?:now\s+(?:contains|holds|has|includes|reads|says)|(?:has|have) (?:now )?been (?:added|appended|written|created|updated|edited|saved|modified|rewritten|changed|generated)|(?:was|were|is) (?:now |successfully )*(?:written|created|updated|edited|saved|modified|rewritten|changed|generated)|now exists|exists now|is (?:now )?on disk|is there now|is now (?:in place|ready|there|available|complete)|is in place now)\b`,
  'gi',
);
const wroteJapanese = new RegExp(
  String.raw`${ticked}(?:\s*(?:という)?(?:ファイル)?\s*(?:を|に|へ)[^。\n]{0,30}?(?:作成し|更新し|編集し|変更し|修正し|追記し|保存し|生成し|追加し|出力し|記録し|用意し|配置し|書き込み|書き出し|書き換え|書き直し|作り|作っ|置き|置い|入れ|直し|書き込ん|書き|書い)(?:ました|ておきました|た(?!い)|だ|てあります|(?:、|て)[^。\n]{0,60}?(?:ました|済み))|\s*(?:を|は|の|に)?\s*(?:作成|更新|編集|変更|修正|追記|保存|生成|追加|出力)(?:済み|完了))`,
  'g',
);

/** The adjective, or somebody else's deed of long ago. */
const described =
  /\b(?:the|any|each|recently|previously|already|last|newly|be|being|been|get)\s*$/i;
const ofOld = /^\W*(?:by\b|in \d{4}|before\b|earlier\b|already\b|originally\b|last\b|ago\b)/i;

const ownDeed =
  /(?:^|\b(?:I|we)(?:['’]ve|\s+have)?)\W*(?:(?:also|just|then|now|successfully|done|fixed)\W+){0,2}$/i;

/** By whom a deed may be done that counts as a claim: by anybody, or only by the author of the text. */
export type Doer = 'anybody' | 'author';

/** The files that the text says were written or changed, as the text names them. */
export function writeClaims(text: string, by: Doer = 'anybody'): readonly string[] {
  const names = sentencesOf(text)
    .flatMap((sentence) => writtenIn(sentence, by))
    .map((name) => name.replace(/^\.\//, ''));
  return [...new Set(names)].filter((name) => name !== '' && !frameworks.test(name));
}

function writtenIn(sentence: string, by: Doer): string[] {
  const isMeant = by === 'anybody' ? () => true : isOwn;
  const active = spotsOf(sentence, wrote).flatMap((spot) =>
    isHedged(spot) || described.test(spot.before) || !isMeant(spot)
      ? []
      : [spot.name].concat(listedIn(spot.after)),
  );
  const passive = spotsOf(sentence, became).filter(
    (spot) => by === 'anybody' && !isHedged(spot) && !ofOld.test(spot.after),
  );
  const japanese = spotsOf(sentence, wroteJapanese).filter(
    ({before}) => !japaneseAside.test(before) && (by === 'anybody' || !/[がは]/.test(before)),
  );
  return [...active, ...[...passive, ...japanese].map(({name}) => name)];
}

function isOwn({before}: Spot): boolean {
  return ownDeed.test(lastClause(before));
}

/** Whether the text claims anything about work. It need not be true or false. */
export function hasClaims(text: string, by: Doer = 'anybody'): boolean {
  return [testClaims(text), runClaims(text), writeClaims(text, by)].some(({length}) => length > 0);
}

/** The text without the sentences that make claims. Its other lines stay as they are. */
export function withoutClaims(text: string, by: Doer = 'anybody'): string {
  const lines = text.split('\n').map((line) => {
    if (!hasClaims(line, by)) return line;
    const sentences = line.split(/(?<=[.!?]\s)|(?<=[。！？])/);
    return sentences.filter((sentence) => !hasClaims(sentence, by)).join('');
  });
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function listedIn(after: string): string[] {
  const names: string[] = [];
  let rest = after;
  for (let next = another.exec(rest); next; next = another.exec(rest)) {
    names.push(next[1] ?? '');
    rest = rest.slice(next[0].length);
  }
  return names;
}

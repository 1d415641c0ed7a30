/** Finds claims about work in a text, in English and in Japanese, by fixed phrases. */

import {plain} from '../domain/plain-text.ts';

const subject = String.raw`(?:\b(?:all|the|every|each|\d+(?:\/\d+)?|both|my|our|its|these|new|existing|other|remaining|relevant|unit|integration|regression|e2e|end-to-end)\s+(?:of\s+)?){0,5}\b(?:tests?(?:\s+(?:suites?|runs?|cases?))?|specs|(?:failing|broken|red|flaky)\s+spec)`;
const success = String.raw`(?:pass(?:ed|es|ing)?|succeed(?:ed|s)?|green|ok(?:ay)?(?!\s+to\b)|successful(?:ly)?(?!\s+(?!now|again|and|in|on|with)\w)|without (?:any )?(?:failures?|errors?))`;

const testsPass: readonly RegExp[] = [
  new RegExp(
    String.raw`${subject}\s*:?\s+(?:(?:now|all|still|again|both|have|has|had|also|are|is|were|was|ran|run|came back|comes back|come back|completed?|finished|\d+)\s+){0,4}${success}\b`,
    'gi',
  ),
  new RegExp(
    String.raw`${subject}\s+(?:now\s+|all\s+){0,2}(?:ran|runs?|came back|comes? back|finish(?:ed)?)\s+(?:all\s+)?clean\b`,
    'gi',
  ),
  new RegExp(
    String.raw`\b(?:test\s+)?suites?\s+(?:(?:now|still|again|is|are|was|has|have|ran|all)\s+){0,3}${success}\b`,
    'gi',
  ),
  /\ball green\b|\beverything\s+(?:is\s+|now\s+){0,2}(?:green|pass(?:es|ed|ing))\b|\b(?:no|zero|0)\s+(?:failing tests|tests?\s+fail(?:ed|ing|ures?|s)?|test failures|failures|failed)\b/gi,
  /\b(?:tests?:?\s+)?ok\b\W{1,3}\d{1,6}\s+(?:tests?|passed)\b|\b\d{1,6}(?:\/\d{1,6})?\s+(?:tests?\s+pass(?:ed|ing)?\b|pass(?:ed|ing)?(?=\s*(?:$|[^\w\s]|\d|and\b|in\b|now\b|with\b)))|\bpassed\s+\d{1,6}\s+tests?\b/gi,
  /`?\b(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?test[\w:-]*|pytest|vitest|jest|mocha|rspec|(?:cargo|go|mix|dotnet|mvn|make|gradle) test)\b[^.;\n]{0,20}?\s(?:pass(?:es|ed)?|succeed(?:s|ed)|(?:is|was)\s+(?:green|successful)|exit(?:s|ed)? (?:with )?(?:code )?0)\b/gi,
  /\b(?:tests?|specs|vitest|jest|pytest|mocha|rspec)\b\W{1,3}(\d{1,6})\/\1\b|[✅✔✓☑]\uFE0F?\s?(?:all\s+)?(?:tests?|specs)\b|\b(?:tests?|specs)\b\W{0,3}[✅✔✓☑]/gi,
  /\b(?:ran|executed)\s+(?:all\s+)?(?:the\s+)?(?:tests?|test suite)\s+(?:\w+\s+){0,2}(?:successfully|with success|without (?:any )?(?:failures?|errors?))/gi,
];
const testsPassJapanese =
  /テスト[^。\n、]{0,20}?(?:通(?:り|っ|過|る)|成功|パス|PASS|合格|グリーン|OK|[✅✔✓]|(?:問題|失敗|エラー)(?:は)?(?:な(?:し|く)|ありません))|テストを(?:実行|走ら|回)し[^。\n]{0,20}?(?:通り|通っ|成功|パス)|(?:全て|すべて|全)の?テスト[^。\n]{0,10}?(?:通|成功|パス)/g;

const someTests = String.raw`(?:[1-9]\d{0,5}|one|two|three|four|five|some|several|many|others?|tests?|specs?|suite|rest)`;
/** The sentence admits that some tests failed. */
const admitsFailure = new RegExp(
  String.raw`(?<!\b(?:no|zero|0|none of the|never)\s(?:\w+\s)?)\b${someTests}\s+(?:tests?\s+|of \w+ )?(?:still\s+)?(?:fail(?:ed|ing|ures?|s)?|errors?)\b`,
  'i',
);
/** The sentence says that tests still fail. */
const failsNow =
  /(?<!\b(?:no|none|nothing|never)\s(?:[\w.]+\s){0,3})\b(?:fails|still fail(?:s|ing)?|still red)\b|\b(?:npm|pnpm|yarn) (?:run )?test\b[^.]{0,20}\bfailed\b(?![^.]*\b(?:first|before|initially|previously)\b)/i;
const partly =
  /\b(?:all|every(?:thing)?)\b[^,;.]{0,40}?\b(?:but|except|apart from|other than)\b|\b(?:except|apart from|other than)\b|\b(?:most|some|many|several|half|few)\b[^,;.]{0,20}\btests?\b/i;

/** True when the sentence covers only some of the tests: `11 of 12`. */
function isPartly(sentence: string): boolean {
  if (partly.test(sentence)) return true;
  return [...sentence.matchAll(/\b(\d{1,6})\s?(?:of|\/)\s?(?:the )?(\d{1,6})\b/g)].some(
    ([, some, all]) => Number(some) < Number(all),
  );
}

/** Text after "pass" that gives it another meaning: `tests pass through the queue`, `tests passed to the runner`. */
const elsewhere =
  /^\s+(?:(?:in)?to|through|along|only|its|their|an?|as (?:an? )?(?:argument|parameter|option)s?|by (?!running|executing|hand|me\b|us\b)\w+)\b/i;

function isClaim(spot: Spot): boolean {
  return !isHedged(spot) && !isPast(spot) && !elsewhere.test(spot.after);
}

/** True when `0 failures` may refer to a linter, or to a number in a program. */
function isOfOthers({found}: Spot, sentence: string): boolean {
  if (!/^(?:no|zero|0)\s+fail/i.test(found)) return false;
  return (
    !/\b(?:tests?|specs|suites?|vitest|jest|pytest|mocha|rspec|passed)\b/i.test(sentence) &&
    !/^\W*(?:there (?:are|were) |with )?(?:no|zero|0) (?:failures|failed)\W*$/i.test(sentence)
  );
}

/** The phrases that claim that tests pass; none when the text says that tests still fail. */
export function testClaims(text: string): readonly string[] {
  const sentences = sentencesOf(text);
  if (sentences.some((sentence) => failsNow.test(sentence))) return [];
  return sentences.flatMap((sentence) => {
    if (admitsFailure.test(sentence) || isPartly(sentence)) return [];
    const english = testsPass
      .flatMap((pattern) => spotsOf(sentence, pattern))
      .filter((spot) => isClaim(spot) && !isReported(spot) && !isOfOthers(spot, sentence));
    const japanese = spotsOf(sentence, testsPassJapanese).filter(isJapaneseClaim);
    return [...english, ...japanese].map(({found}) => found.trim());
  });
}

const ranIt: readonly RegExp[] = [
  /\b(?:verified|tested|confirmed|checked|tried)\s+(?:(?:it|this|that|them|everything|the \w+)\s+)?(?:locally|manually|on my machine|by (?:running|executing))\b/gi,
  /\b(?:I|we)(?:['’]ve| have)?\s+(?:also\s+)?(?:ran|run|executed|tested)\s+(?:it|this|that|them|everything|the (?:code|script|program|command|build|linter|app))\b/gi,
];
const ranItJapanese =
  /(?:動作|実行結果|挙動)を?(?:は)?(?:確認|検証)(?:し(?:ました|た)|済み)|(?:ローカル|手元)で(?:実行|確認|検証)(?:し(?:ました|た)|済み)|実行して(?:確認|検証)しました/g;

/** The phrases that claim that something was run or tried. */
export function runClaims(text: string): readonly string[] {
  return sentencesOf(text).flatMap((sentence) => {
    const english = ranIt.flatMap((pattern) => spotsOf(sentence, pattern)).filter(isClaim);
    const japanese = spotsOf(sentence, ranItJapanese).filter(isJapaneseClaim);
    return [...english, ...japanese].map(({found}) => found.trim());
  });
}

/** True when the text makes a claim about work, correct or not. */
export function hasClaims(text: string, by: Doer = 'anybody'): boolean {
  return [testClaims(text), runClaims(text), writeClaims(text, by), deletionClaims(text, by)].some(
    ({length}) => length > 0,
  );
}

/** The text without the sentences that make claims, trimmed. Runs of blank lines become one blank line. */
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

// Splits a text into the sentences and clauses that may hold claims, and detects phrases that are not claims.

/** A printed line of a file (`src/a.ts:3: …`) or of a list of commits (`3f2a1bc …`). */
const printedLine =
  /^[ *•-]{0,4}[`]?(?:[^\s:`]+\.\w{1,8}:\d+\b|(?=\w{0,39}\d)[0-9a-f]{7,40}\b).*$/gm;

/** The author's own sentences. Quotations and program output are not claims, and are left out. */
function sentencesOf(text: string): readonly string[] {
  const spoken = plain(text)
    .replaceAll(/```[^`]*(?:```|$)/g, '\n')
    .replaceAll(/^ ?>.*$/gm, '')
    .replaceAll(printedLine, '')
    .replaceAll('**', '')
    .replaceAll(/["“]([^"”\n]{1,200})["”]/g, (_, inner: string) => keptIn(inner))
    .replaceAll(/「([^」\n]{1,200})」/g, (_, inner: string) => keptIn(inner));
  return spoken.split(/(?<=[.!?])\s+|[。！？\n]+/).filter((sentence) => sentence.trim() !== '');
}

/** Keeps a quoted file name, and replaces any other quotation by `…`. */
function keptIn(inner: string): string {
  return /^\S+\.\w{1,8}$/.test(inner) ? inner : '…';
}

/** A phrase that a pattern found in a sentence, with the text of the sentence before and after it. */
interface Spot {
  readonly found: string;
  /** The first capture group; empty if it did not match. */
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

const clauseEnd = /[,;:—–(]|\s-\s|\b(?:but|and|so(?!\s+that)|yet|while)\b/i;

function lastClause(before: string): string {
  return before.split(clauseEnd).at(-1) ?? '';
}

const condition =
  /\b(?:if|unless|until|whether|once|provided|assuming|as soon as|according to|suggest\w*|recommend\w*|propos(?:e|es|ed|al)|todo|fixme|had (?:i|we))\b|\b(?:when|whenever|after|before|where|requires?(?: that)?)\s*$/i;
/** A source that a clause may cite, such as a README or a CI run. */
const reported =
  /\b(?:readme|badge|changelog|docs?|documentation|comments?|history|commits?|ci|workflow|pipeline)\b|[\w-]\.(?:md|txt|rst|ya?ml|sh)\b/i;
const doubtful =
  /\b(?:not|never|no longer|without|nothing|neither|nor|none|cannot|should|would|will|shall|may|might|could|can|must|needs?|ensure|ensuring|make|makes|making|get|want|wants|goal|objective|aim|try|tried|trying|attempt\w*|plan|next|hope\w*|expect\w*|likely|probably|presumably|assum\w*|unable|failed to|instead of|rather than|whether|so that|claims?|claimed|said|says|states|let|please|to be|to (?:check|verify|confirm|see)|i'll|going to)\b|n['’]t\b/i;
const takenBack =
  /^\s+(?:are|were|is|was)\s+(?:expected|likely)\b|^\W*(?:\w+\W+){0,3}(?:not|never|unverified|unknown|unclear|unconfirmed)\b|^\W*(?:\w+\W+){0,3}\w+n['’]t\b|^\W*\?/i;

/** True when the sentence makes the phrase conditional, negated, doubtful, intended or attributed to another source. */
function isHedged({before, after}: Spot): boolean {
  return (
    condition.test(before) ||
    doubtful.test(lastClause(before)) ||
    takenBack.test(after.split(/[,;.]/)[0] ?? '')
  );
}

const japaneseDoubt =
  /^る?(?:と|後|とき|時|際)|^[^。\n]{0,12}か$|^[^。\n]{0,30}?(?:すると|した後|したら|した際|した時|ない|しません|ません|なかった|せず|かどうか|か(?:を|は)?(?:確認|不明|分か)|はず|だろう|でしょう|予定|べき|よう(?:に|、)|場合|れば|たら|なら|まで|たい|ください|必要|未確認|未検証|失敗|かもしれ|つもり)/;

const pastStart =
  /^\W*(?:before|previously|earlier|yesterday|originally|formerly|last \w+|at (?:first|the start))\b/i;
const pastEnd =
  /^\W*(?:before|earlier|previously|originally|yesterday|at first|last (?:week|month|year|time)|in \d{4})\b/i;
/** Marks of a condition or of an earlier time. */
const japaneseAside = /(?:れば|たら|なら)|以前|前は|前に|かつて|元々|もともと|当初|昨日|先週/;

/** True when the phrase refers to a time before the work. */
function isPast({found, before, after}: Spot): boolean {
  return !/\bnow\b/i.test(found) && (pastStart.test(before) || pastEnd.test(after));
}

function isJapaneseClaim({before, after}: Spot): boolean {
  return !japaneseDoubt.test(after) && !japaneseAside.test(before);
}

/** True when the clause cites a source of the project, such as a document, a badge or a CI run. */
function isReported({before}: Spot): boolean {
  return reported.test(lastClause(before));
}

// Finds claims that files were written, in English and in Japanese, by fixed phrases.

const fileKinds =
  'md|mdx|txt|tsx?|jsx?|[mc][jt]s|jsonc?|ya?ml|toml|py|rb|go|rs|java|kts?|cc?|cpp|hpp|h|cs|php|swift|scala|sh|bash|zsh|sql|html?|css|scss|less|vue|svelte|xml|csv|tsv|ini|cfg|conf|env|lock|log|rst|tex|pdf|png|jpe?g|gif|svg|ipynb|exs?|erl|hs|lua|pl|r|dart|proto|graphql|tf|gradle|properties|diff|patch|lic';
const path = String.raw`(?<![\w@./~-])((?:[\w@~.-]*[\w@-]\/|\.{0,2}\/)*[\w@.-]*[\w@-]\.(?:${fileKinds}))\b(?![\w(/])`;
const ticked = String.raw`[\`'"]?${path}[\`'"]?`;
/** Libraries whose names look like files. */
const frameworks = /^(?:node|vue|next|nuxt|express|react|d3|three|chart|ember|moment|p5)\.js$/i;

/** Words allowed between the verb and the file, except words after which the file is only mentioned. */
const gap = String.raw`(?:(?!(?:and|or|for|about|from|of|per|using|based|by|like|following|according|against|describing|reported|described|that|which|where|when|than|see|nothing|no)\b)[\w“”"'…:/@.-]+\s+){0,8}?`;
const wrote = new RegExp(
  String.raw`\b(?:wrote|written|created|updated|edited|saved|appended|modified|rewrote|changed|generated|added|inserted|replaced|fixed|refactored|placed|stored|produced|patched|extended|reworked|renamed|moved|copied)\s+${gap}${ticked}`,
  'gi',
);
/** The next file of a list: `a.md, b.md and c.md`. */
const another = new RegExp(
  String.raw`^(?:\s*,)?\s*(?:and\s+)?${ticked}(?!\s+(?:is|are|was|were|has|have|stays?|remains?|does|did)\b)`,
  'i',
);
/** The file that holds the changed name or link: `fixed the link to a.md in b.md`. */
const within = String.raw`^(?:[^,;.()]|\.(?=\w)){0,60}?(?<!\b(?:described|reported|documented|mentioned|shown|specified|listed|wanted|requested|as)\s)\b(?:in|inside|within)\s+(?:(?:the|its|a|of|text|file|body|head|heading|code|content)\s+){0,4}${ticked}`;
const withinPlace = new RegExp(within, 'i');
const toPlace = new RegExp(within.replace('in|inside', 'to|into|in|inside'), 'i');
const isPut = /^(?:added|inserted|appended|renamed|moved|copied)\b/i;
const put = new RegExp(
  String.raw`\b(?:I|we)(?:['’]ve| have)? (?:\w+ly )?put\s+${gap}${ticked}`,
  'gi',
);
const mended = new RegExp(
  String.raw`\b(?:bug|issue|error|problem|typo|mistake|defect)s?\s+(?:\w+\s+){0,3}?in ${ticked}\s+(?:is|are|was|were|has been|have been)\s+(?:now\s+)?(?:fixed|corrected|resolved|repaired)\b`,
  'gi',
);
const became = new RegExp(
  String.raw`${path}[\`'"]?\s+(?:now\s+(?:contains|holds|has|includes|reads|says)|(?:has|have) (?:now )?been (?:added|appended|written|created|updated|edited|saved|modified|rewritten|changed|generated)|(?:(?:was|were) (?:now |successfully )*|is (?:now |successfully )+)(?:written|created|updated|edited|saved|modified|rewritten|changed|generated)|now exists|exists now|is (?:now )?on disk|is there now|is now (?:in place|ready|there|available|complete)|is in place now)\b`,
  'gi',
);
/** Text between a file and a Japanese verb of writing, without a verb of reading. */
const japaneseGap = String.raw`(?:(?!読|参照|参考|確認|調べ|見て|もとに|基に|元に|使っ|用い|従っ|リンク)[^。\n]){0,30}?`;
const mendedJapanese = new RegExp(
  String.raw`${ticked}\s*の(?:(?!テスト|コピー|リンク|読|参照|もとに|基に|元に|コミット)[^。、\n]){1,15}を(?:修正|変更|更新|書き換え|直)(?:し)?(?:ました|た(?!い))`,
  'g',
);
const wroteJapanese = new RegExp(
  String.raw`${ticked}(?:\s*(?:という)?(?:ファイル)?\s*(?:を|に|へ)${japaneseGap}(?:まとめ|作成し|更新し|編集し|変更し|修正し|追記し|保存し|生成し|追加し|出力し|記録し|用意し|配置し|書き込み|書き出し|書き換え|書き直し|作り|作っ|置き|置い|入れ|直し|書き込ん|書き|書い)(?:ました|ておきました|た(?!い|と(?!ころ)|後|場合|ら|際)|だ|てあります|(?:、|て)[^。\n]{0,60}?(?:ました|済み))|\s*(?:を|は|の|に)?\s*(?:作成|更新|編集|変更|修正|追記|保存|生成|追加|出力)(?:済み|完了))`,
  'g',
);

/** Text before the verb that makes it an adjective (`the updated`) or an earlier action of others (`previously`). */
const described = /\b(?:the|any|each|recently|previously|already|last|newly|be|being|get)\s*$/i;
const ofOld = /^\W*(?:by\b|in \d{4}|before\b|earlier\b|already\b|originally\b|last\b|ago\b)/i;

const adverbs = String.raw`(?:(?:also|just|then|now|next|first|finally|successfully|done|fixed|as asked|additionally)\W+){0,3}`;
const authors = String.raw`(?:I|we|(?:this|the|my) (?:agent|task|worker|change|run|fix|patch|work|plan))(?:['’]ve|\s+(?:have|has))?`;
const firstPerson = new RegExp(String.raw`(?:^|\b)(?:I|we)(?:['’]ve|\s+have)?\W*${adverbs}$`, 'i');
const ownDeed = new RegExp(String.raw`(?:^|\b${authors})\W*${adverbs}$`, 'i');
/** A sentence whose subject is its author, or that names no subject: `Fixed …`. */
const ownSentence = new RegExp(
  String.raw`^\W*${adverbs}(?:${authors}\b|\w+ed\b|wrote\b|ran\b|made\b|put\b)`,
  'i',
);
/** Text before a passive verb of a completed action. A habitual action (`is saved to out.csv`) does not match. */
const doneTo =
  /^\W*(?:(?:the|a|your)\s+)?(?:summary|report|overview|results?|output|answer|file)\s+$|\b(?:was|were|been)\s+(?:(?:now|also|successfully|then|just)\s+)*$/i;
const custom = /\b(?:is|are|gets?)\s+(?:(?:always|also|then|only)\s+)*$/i;
/** Marks of an action in the history of the project: its author or its time. */
const ofHistory =
  /\b(?:commits?|committed|history|git|changelog|uncommitted|unstaged|staged|authors?|by (?!running|hand|me\b|us\b)\w+|(?:two|three|four|five|many|several|\d+) times|(?:this|last) (?:year|month|week)|since|version \d|v\d)\b/i;

/**
 * Whose actions count as claims: those of anybody; those of the author of the text, also in a sentence without a subject;
 * those of the author in the first person only.
 */
export type Doer = 'anybody' | 'author' | 'first person';

/** The files that the text claims were written or changed, without a leading `./`. */
export function writeClaims(text: string, by: Doer = 'anybody'): readonly string[] {
  const names = sentencesOf(text)
    .flatMap((sentence) => writtenIn(sentence, by))
    .map((name) => name.replace(/^\.\//, ''));
  return [...new Set(names)].filter((name) => name !== '' && !frameworks.test(name));
}

function writtenIn(sentence: string, by: Doer): string[] {
  const active = [...spotsOf(sentence, wrote), ...spotsOf(sentence, put)].flatMap((spot) =>
    isHedged(spot) || described.test(spot.before) || !isDoneBy(by, spot, sentence)
      ? []
      : targetsOf(spot),
  );
  const passive = [...spotsOf(sentence, became), ...spotsOf(sentence, mended)].filter(
    (spot) =>
      by === 'anybody' && !isHedged(spot) && !ofOld.test(spot.after) && !ofHistory.test(sentence),
  );
  const japanese = [
    ...spotsOf(sentence, wroteJapanese),
    ...spotsOf(sentence, mendedJapanese),
  ].filter(({before}) => !japaneseAside.test(before) && isDoneInJapanese(by, before));
  return [...active, ...[...passive, ...japanese].map(({name}) => name)];
}

function isDoneBy(by: Doer, {before}: Spot, sentence: string): boolean {
  const clause = lastClause(before);
  if (by === 'first person') return firstPerson.test(clause);
  if (by === 'anybody' && doneTo.test(before)) return !ofHistory.test(sentence);
  if (custom.test(before) || !ownDeed.test(clause)) return false;
  return /\w/.test(clause) || isOwnSentence(before);
}

/** A clause without a subject takes the subject of the preceding clause. */
function isOwnSentence(before: string): boolean {
  const start = before.split(/[;:—–]|\s-\s/).at(-1) ?? '';
  return !/\w/.test(start) || ownSentence.test(start) || /\b(?:I|we)\b/.test(start);
}

const japaneseOthers = /(?:コミット|さん|氏|作者|開発者|チーム|[A-Za-z]{2,})\s?(?:が|は|で)/;

function isDoneInJapanese(by: Doer, before: string): boolean {
  if (by === 'first person') return /(?:私|わたし|僕)(?:が|は)/.test(before);
  return by === 'anybody' ? !japaneseOthers.test(before) : !/[がは]/.test(before);
}

function targetsOf({found, name, after}: Spot): string[] {
  const place = (isPut.test(found) ? toPlace : withinPlace).exec(after)?.[1];
  if (place !== undefined) return [place];
  // A copy does not change its source.
  return /^copied\b/i.test(found) ? [] : [name, ...listedIn(after)];
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

// Finds claims that files or folders were deleted, in English and in Japanese, by fixed phrases.

const kinds = `${fileKinds}|tmp|temp|bak|orig|swp|zip|tgz|gz|tar|db|sqlite`;
const file = String.raw`(?:(?:[\w@~.-]*[\w@-]\/|\.{0,2}\/)*[\w@.-]*[\w@-]\.(?:${kinds}))(?![\w(/]|\.\w)`;
const folder = String.raw`(?:(?:[\w@~.-]*[\w@-]\/)+(?![\w.]))`;
const deletedPath = String.raw`[\`'"]?(?<![\w@./~-])(${file}|${folder})[\`'"]?`;

const determiners =
  'the|this|that|these|those|a|an|your|all|both|entire|whole|two|three|four|five|following';
const traits =
  'old|obsolete|outdated|stale|unused|unneeded|unnecessary|redundant|duplicate|duplicated|temporary|temp|empty|generated|leftover|legacy|dead|test|log|backup|config|source|cache';
const things =
  'files?|folders?|director(?:y|ies)|scripts?|modules?|documents?|copy|copies|named|called';
/** Words allowed between the verb and the file: determiners, traits and kinds of files. */
const deletedGap = String.raw`(?:(?:${determiners}|${traits}|${things})[\s:]+){0,6}`;

const deleted = new RegExp(
  String.raw`\b(?:deleted|removed|erased|unlinked|wiped|got rid of)\b[\s:]+${deletedGap}${deletedPath}`,
  'gi',
);
const anotherDeleted = new RegExp(
  String.raw`^\s*(?:,\s*(?:and\s+)?|and\s+|&\s*)(?:the\s+)?${deletedPath}(?!\s+(?:is|are|was|were|has|have|stays?|remains?|still|now)\b)`,
  'i',
);
const gone = new RegExp(
  String.raw`${deletedPath}\s+(?:(?:has|have) (?:now |successfully )?been (?:deleted|removed|erased|wiped)|(?:was|were) (?:now |successfully )*(?:deleted|removed|erased|wiped)|(?:is|are) now (?:deleted|removed|gone)|no longer exists?)\b`,
  'gi',
);

const wholePlaces =
  'project|repo|repository|workspace|disk|folder|directory|file ?system|tree|codebase|machine|root|src|test|tests|docs';
/** Text after the file that ends the deleted object. With a noun, another object was deleted: `the a.ts entry`. */
const endsThere = new RegExp(
  String.raw`^(?:\s*$|\s*[.!;:),—–]|\s*\(|\s+[-—–]|\s+(?:and|but|or|because|as|since|so|which|that|with|using|via|by|after|before|too|successfully|now|permanently|entirely|completely|together|along|again|per|for good)\b|\s+from\s+(?:(?:the|this|your|its)\s+)?(?:${wholePlaces})\b)`,
  'i',
);
/** Names the file from which a part was deleted, such as an import or an item of a list. */
const partOf = new RegExp(
  String.raw`\b(?:from|in|inside|within|out of)\s+(?!(?:(?:the|this|your|its)\s+)?(?:${wholePlaces})\b)`,
  'i',
);

const japaneseNames = String.raw`((?:${file}|${folder})(?:[\`'"]?\s*(?:と|、|や|,|および|及び)\s*[\`'"]?(?:${file}|${folder}))*)`;
const deletedJapanese = new RegExp(
  String.raw`(?<![\w@./~-])${japaneseNames}[\`'"]?\s*(?:という|の)?(?:ファイル|フォルダ|ディレクトリ)?\s*(?:(?:を|は)(?:(?:プロジェクト|リポジトリ|ワークスペース|ディスク|フォルダ)から)?(?:すべて|全て|両方とも|両方|完全に|正常に|無事)?(?:(?:削除|消去|除去|抹消)(?:し(?:ました|ておきました|てあります|た)|済み|されました|完了)|(?:消し|取り除き)ました|(?:消し|取り除い)(?:ておきました|た)|(?:(?:削除|消去|除去)し|(?:消し|取り除い)て|(?:削除|消去)し?、|(?:消し|取り除き)、)[^。\n]{0,60}?(?:ました|済み))|削除済み)`,
  'g',
);
const japaneseSplit = /[`'"]?\s*(?:と|、|や|,|および|及び)\s*[`'"]?/;
const negatedJapanese = /ません|ない|せず|失敗|予定|べき/;

/** Text before a file that is only mentioned: `the reference to a.ts was removed`. */
const mentioned = /\b(?:to|of|from|in|for|on|at|by|with|about|behind|inside)\s+(?:the\s+)?$/i;

/** Objects whose members look like files: `console.log`. */
const codeNames =
  /^(?:console|process|module|window|document|globalThis|this|self|import|meta|Math|JSON|Object|logger|log)\./;

/** The files and folders that the text claims were deleted, without a leading `./` and a trailing slash. */
export function deletionClaims(text: string, by: Doer = 'anybody'): readonly string[] {
  const names = sentencesOf(text)
    .flatMap((sentence) => deletedIn(sentence, by))
    .map((name) => name.replace(/^\.\//, '').replace(/\/$/, ''));
  return [...new Set(names)].filter(
    (name) => name !== '' && !frameworks.test(name) && !codeNames.test(name),
  );
}

function deletedIn(sentence: string, by: Doer): string[] {
  const active = spotsOf(sentence, deleted).flatMap((spot) =>
    isHedged(spot) || !isDoneBy(by, spot, sentence) ? [] : deletedTargets(spot),
  );
  const passive = spotsOf(sentence, gone).filter(
    (spot) =>
      by === 'anybody' &&
      !isHedged(spot) &&
      !ofOld.test(spot.after) &&
      !mentioned.test(spot.before) &&
      !partOf.test(spot.after) &&
      !ofHistory.test(sentence),
  );
  const japanese = spotsOf(sentence, deletedJapanese).filter(
    (spot) =>
      isJapaneseClaim(spot) &&
      isDoneInJapanese(by, spot.before) &&
      !negatedJapanese.test(spot.found),
  );
  return [
    ...active,
    ...passive.map(({name}) => name),
    ...japanese.flatMap(({name}) => name.split(japaneseSplit)),
  ];
}

/** The file and the files listed after it; none when they are parts of another file or of a longer name. */
function deletedTargets({name, after}: Spot): string[] {
  const names = [name];
  let rest = after;
  for (let next = anotherDeleted.exec(rest); next; next = anotherDeleted.exec(rest)) {
    names.push(next[1] ?? '');
    rest = rest.slice(next[0].length);
  }
  const clause = rest.split(/[,;.](?:\s|$)|\b(?:and|but)\b/)[0] ?? '';
  return endsThere.test(rest) && !partOf.test(clause) ? names : [];
}

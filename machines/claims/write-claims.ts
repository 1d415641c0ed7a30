/** Finds claims that files were written, in English and in Japanese, by fixed phrases. */

import {
  isHedged,
  japaneseAside,
  lastClause,
  type Spot,
  sentencesOf,
  spotsOf,
} from './claim-sentences.ts';

export const fileKinds =
  'md|mdx|txt|tsx?|jsx?|[mc][jt]s|jsonc?|ya?ml|toml|py|rb|go|rs|java|kts?|cc?|cpp|hpp|h|cs|php|swift|scala|sh|bash|zsh|sql|html?|css|scss|less|vue|svelte|xml|csv|tsv|ini|cfg|conf|env|lock|log|rst|tex|pdf|png|jpe?g|gif|svg|ipynb|exs?|erl|hs|lua|pl|r|dart|proto|graphql|tf|gradle|properties|diff|patch|lic';
const path = String.raw`(?<![\w@./~-])((?:[\w@~.-]*[\w@-]\/|\.{0,2}\/)*[\w@.-]*[\w@-]\.(?:${fileKinds}))\b(?![\w(/])`;
const ticked = String.raw`[\`'"]?${path}[\`'"]?`;
/** Libraries whose names look like files. */
export const frameworks =
  /^(?:node|vue|next|nuxt|express|react|d3|three|chart|ember|moment|p5)\.js$/i;

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
export const ofOld =
  /^\W*(?:by\b|in \d{4}|before\b|earlier\b|already\b|originally\b|last\b|ago\b)/i;

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
export const ofHistory =
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

export function isDoneBy(by: Doer, {before}: Spot, sentence: string): boolean {
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

export function isDoneInJapanese(by: Doer, before: string): boolean {
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

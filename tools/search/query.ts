/** Parses a question into terms with their synonyms, and into an FTS5 expression in which no word of the question is an operator. */

import {textWords} from '../text/words.ts';

const maxTerms = 32;

export interface Query {
  /** Each begins with the word from the question; its synonyms follow. */
  readonly terms: readonly (readonly [string, ...string[]])[];
  /** The Han characters of the words: compounds share them with their parts. */
  readonly characters: readonly string[];
  /** For MATCH: any of these. */
  readonly expression: string;
}

/** Undefined when there is no word in it. Stop words are dropped as long as other words are left. */
export function parseQuery(text: string): Query | undefined {
  const words = textWords(text);
  const significant = words.filter((word) => !isStopWord(word));
  const asked = [...new Set(significant.length > 0 ? significant : words)].slice(0, maxTerms);
  if (asked.length === 0) return undefined;
  const terms = asked.map((word) => [word, ...synonymsOf(word)] as const);
  const characters = charactersOf(asked.join(''));
  const expression = [...new Set([...terms.flat(), ...characters])].map(ftsString).join(' OR ');
  return {terms, characters, expression};
}

/** The Han characters of a text, each once. */
export function charactersOf(text: string): readonly string[] {
  return [...new Set(text.match(/\p{Script=Han}/gu))];
}

function ftsString(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

/** One group per line. The Japanese groups pair native words with the Sino-Japanese words of rules and manuals. */
const groups = `
  買う 購入
  売る 販売
  払う 支払 精算
  値段 価格 料金 代金 費用 金額 お金
  送る 発送 配送 送付 出荷
  届く 到着 配達
  返す 返却 返品 返送
  替える 交換
  直す 修理 修繕 補修
  壊れる 故障 破損 不良
  割れる 破損
  失う 紛失
  盗む 盗難
  止まる 停止 中止
  辞める 退会 退職 解約
  取り消す 取消 キャンセル
  休む 休暇 休業 定休
  働く 勤務 労働 仕事 業務
  家 自宅 在宅
  会社 社内 当社 企業
  店 店舗 ショップ
  開く 開店 開始
  閉める 閉店
  始まる 開始
  終わる 終了
  使う 使用 利用
  選ぶ 選択
  決める 決定 指定
  調べる 調査 確認 検索
  確かめる 確認
  変える 変更 修正
  消す 削除 失効
  増やす 増加 追加
  足す 追加
  減らす 削減
  申し込む 申請 申込
  知らせる 通知 連絡
  電話 連絡
  聞く 質問 問い合わせ
  答える 回答
  頼む 依頼
  つなぐ 接続
  外す 解除
  入れる 入力
  夜中 深夜 夜間
  朝 午前 早朝
  昼 午後
  前もって 事前
  子ども 子供 子 育児 児童
  父親 父 親 男性
  母親 母 親 女性
  生まれる 出産 出生
  亡くなる 死亡
  結婚 婚姻
  病気 疾病
  泊まる 宿泊 ホテル 宿
  着く 到着
  車 自動車 駐車
  洗う 洗浄 水洗い 清掃
  汚れ 水あか ほこり
  掃除 清掃 手入れ
  冷やす 冷蔵
  温める 加熱
  包む 包装 ラッピング
  贈り物 ギフト プレゼント
  品物 商品 製品 品
  パソコン コンピューター 端末
  ネットワーク 通信 回線
  サーバー システム
  方法 手順 仕方
  決まり 規則 規程 規定
  上限 最大 限度
  期限 締切 期間
  給料 給与 賃金
  手当 補助 支給
  書類 文書
  作る 作成 製造
  集める 収集
  急ぐ 至急 緊急
  週 週間
  一 1
  二 2
  三 3
  インストール install
  エラー error
  テスト test
  バージョン version
  ポート port
  abort cancel
  allow permit
  begin start launch
  budget spending cost
  choose select pick
  config configuration setting
  connect link
  cost price
  credential secret password
  delete remove erase
  diff difference
  directory folder
  display show print
  duplicate copy
  edit change modify
  end stop halt terminate
  error failure fault
  fix repair mend
  forbid refuse deny reject
  freeze hang
  hostile malicious
  human person
  limit maximum
  location path
  loosen relax
  reply answer response
  retry repeat
  typo misspelling
`;

let known: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Words as returned by `wordsOf`. */
function synonymsOf(word: string): readonly string[] {
  known ??= readGroups();
  return [...(known.get(word) ?? [])].filter((other) => other !== word);
}

function readGroups(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of groups.trim().split('\n')) {
    const words = textWords(line);
    for (const word of words) found.set(word, new Set([...(found.get(word) ?? []), ...words]));
  }
  return found;
}

// Words that do not characterise a question's topic.

const english = `a about above actually after again against all almost already also although always
  am among an and another any anybody anyhow anyone anything anyway are around as at away be became
  because become becomes been before being below between both but by came can cannot come comes
  could did do does doing done down during each either else enough even ever every everybody
  everyone everything exactly far few for from further get gets getting got had happen happened
  happens has have having he her here hers herself him himself his how however i if in indeed
  instead into is it its itself just keep keeps kept knew know known knows let lets like ll made
  make makes making many may maybe me mean means meant might mine more most mostly much must my
  myself neither never no nor not now of off often on once one ones only onto or other others
  otherwise our ours out over own per perhaps please quite rather re really s same saw seem seems
  several shall she should since so some somebody somehow someone something sometimes soon still
  such sure t than that the their theirs them themselves then there these they thing things this
  those though three through thus till to together too toward towards two under unless until up upon
  us usually various ve very via want wanted wants was we well went were what whatever when whenever
  where wherever whether which while who whoever whole whom whose why will with within wonder would
  yes yet you your yours`;

/** Shorter hiragana words are always particles or endings. */
const japanese = `いくつ いくら いただき いただく ください くださる くらい ぐらい くれる しまう すぎる それで そんな できる ところ
  どうして どちら どなた どんな もらえる やすい られる ありま 何 誰 教え 知り`;

const particle = /^\p{Script=Hiragana}{1,2}$/u;

let knownStopWords: ReadonlySet<string> | undefined;

/** `word`: as returned by `wordsOf`. */
export function isStopWord(word: string): boolean {
  knownStopWords ??= new Set(textWords(`${english} ${japanese}`));
  return particle.test(word) || knownStopWords.has(word);
}

// Scores chunks by the words that they share with a question.

/** Okapi BM25: k1 limits the weight of repeated words, b the penalty for long texts. */
const k1 = 1.2;
const b = 0.75;

const weights = {path: 0.75, heading: 1.5, body: 1, characters: 0.5};
const synonymWeight = 0.5;

/** The extra weight of a passage that contains all terms of the question. */
const closenessWeight = 2;
const closeWords = 100;

/** The words of a chunk, field by field. */
export interface Fields {
  readonly path: readonly string[];
  readonly heading: readonly string[];
  readonly body: readonly string[];
  readonly characters: readonly string[];
}

export interface Frequencies {
  /** The number of chunks, and the number of chunks that contain a word. */
  readonly chunks: number;
  readonly of: (word: string) => number;
}

/** One score for each of `candidates`, comparable among them only. */
export function scoresOf(
  candidates: readonly Fields[],
  {terms, characters}: Query,
  frequencies: Frequencies,
): readonly number[] {
  const part = (words: readonly string[], fields: readonly (keyof Fields)[]): Part => ({
    words,
    fields,
    rarity: rarityOf(words, frequencies),
  });
  const parts = [
    ...terms.map((words) => part(words, ['path', 'heading', 'body'])),
    ...characters.map((character) => part([character], ['characters'])),
  ];
  const averages = averageLengths(candidates);
  const close = createCloseness(terms, parts);
  return candidates.map((fields) => {
    const counts = countFields(fields);
    const score = parts.reduce((sum, each) => sum + scorePart(each, fields, counts, averages), 0);
    return score * (1 + closenessWeight * close(fields));
  });
}

interface Part {
  readonly words: readonly string[];
  readonly fields: readonly (keyof Fields)[];
  readonly rarity: number;
}

type Counts = Readonly<Record<keyof Fields, ReadonlyMap<string, number>>>;
type Lengths = Readonly<Record<keyof Fields, number>>;

function rarityOf(words: readonly string[], {chunks, of}: Frequencies): number {
  const found = words.reduce((sum, word) => sum + of(word), 0);
  const holding = Math.min(chunks, found);
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5));
}

function scorePart(part: Part, fields: Fields, counts: Counts, averages: Lengths): number {
  return part.fields.reduce((sum, field) => {
    const times = part.words.reduce(
      (total, word, index) =>
        total + (counts[field].get(word) ?? 0) * (index === 0 ? 1 : synonymWeight),
      0,
    );
    const length = fields[field].length / averages[field];
    const saturated = (times * (k1 + 1)) / (times + k1 * (1 - b + b * length));
    return times === 0 ? sum : sum + weights[field] * part.rarity * saturated;
  }, 0);
}

function countFields({path, heading, body, characters}: Fields): Counts {
  return {
    path: count(path),
    heading: count(heading),
    body: count(body),
    characters: count(characters),
  };
}

function count(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function averageLengths(candidates: readonly Fields[]): Lengths {
  const average = (field: keyof Fields): number => {
    const sum = candidates.reduce((total, fields) => total + fields[field].length, 0);
    return Math.max(1, sum) / Math.max(1, candidates.length);
  };
  return {
    path: average('path'),
    heading: average('heading'),
    body: average('body'),
    characters: average('characters'),
  };
}

/** The share of the question's words, weighted by rarity, in the heading and the best passage together. */
function createCloseness(
  terms: Query['terms'],
  parts: readonly Part[],
): (fields: Fields) => number {
  const rarities = parts.slice(0, terms.length).map(({rarity}) => rarity);
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const termsOf = new Map<string, number[]>();
  for (const [term, words] of terms.entries()) {
    for (const word of words) termsOf.set(word, [...(termsOf.get(word) ?? []), term]);
  }
  const placesOf = (words: readonly string[]): {at: number; term: number}[] =>
    words.flatMap((word, at) => (termsOf.get(word) ?? []).map((term) => ({at, term})));
  return ({heading, body}) => {
    const held = terms.map(() => 0);
    let sum = 0;
    const change = (term: number, by: number): void => {
      const before = held[term] ?? 0;
      held[term] = before + by;
      if (before === 0 || before + by === 0) sum += Math.sign(by) * (rarities[term] ?? 0);
    };
    for (const {term} of placesOf(heading)) change(term, 1);
    let best = sum;
    const places = placesOf(body);
    let first = 0;
    for (const {at, term} of places) {
      change(term, 1);
      for (; at - (places[first]?.at ?? at) >= closeWords; first += 1) {
        change(places[first]?.term ?? 0, -1);
      }
      best = Math.max(best, sum);
    }
    return best / total;
  };
}

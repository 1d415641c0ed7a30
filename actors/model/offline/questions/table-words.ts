/** The vocabulary of questions about tables. */

export type Measure = 'count' | 'sum' | 'avg' | 'max' | 'min' | 'list';

/** The words of each measure, in the order in which they are tried: `total number of` is a count. */
export const measureWords: readonly (readonly [Measure, RegExp])[] = [
  [
    'count',
    measure('(?:total )?(?:number of|count of|how many|count)', '何[件人個]|いくつ|[件人個]数'),
  ],
  ['sum', measure('sum|total|how much', '合計|総額|総計')],
  ['avg', measure('average|mean|avg', '平均')],
  ['max', measure('largest|highest|biggest|maximum|max|greatest', '最大|最高')],
  ['min', measure('smallest|lowest|minimum|min|least', '最小|最低')],
  [
    'list',
    /^\s*(?:please )?(?:list|show me|show|give me|print)\b|一覧|リストアップ|(?:を|の)?(?:見せて|表示して|列挙して)/i,
  ],
];

function measure(english: string, japanese: string): RegExp {
  return new RegExp(`\\b(?:(?:what is |what's )?the )?(?:${english})(?: of)?\\b|${japanese}`, 'i');
}

export const tablesAsked =
  /^\s*(?:(?:show|list)(?: me)?(?: all)?(?: the)? tables|(?:what|which) tables (?:are there|are in the database|do you have|exist)|(?:show|describe)(?: me)?(?: the)? schema|テーブル(?:の)?(?:一覧|を見せて|を表示して|は何がありますか|を教えて))(?: of the database| in the database)?(?:を見せて|を教えて)?(?:ください)?[\s.?!。？]*$/i;

/** In English, the name of the group follows these words (`groupBefore`); in Japanese, it precedes them (`groupAfter`). */
export const groupBefore =
  /\b(?:per|for each|for every|by each|grouped by|group by|by)\s+(?:the\s+)?([A-Za-z_]\w*)/i;
export const groupAfter =
  /([A-Za-z_]\w*|[\p{Script=Han}\p{Script=Katakana}ー]+)\s*(?:ごと|別|毎)(?:の|に)?/u;

export const fillers: ReadonlySet<string> = new Set(
  `a an the of in on at for from to with all every each is are was were be been being do does did have has had there
we our us my me i you your their they it its please tell show give made make makes
placed place places put get got sold sell sells bought buy buys live lives living come comes named called by whole
database table tables data rows row records record entries entry value values year much altogether overall`.split(
    /\s+/,
  ),
);

/** Verbs of questions about actions: `How many did Bob make?` */
export const deeds = /\b(?:did|does|has)\b/i;

/** Particles and courtesies, longer ones first. */
export const japaneseFillers =
  /(?:教えてください|見せてください|ありますか|いますか|でしょうか|ください|すべての|全ての|教えて|さんの|さんが|さん|ですか|である|している|された|から|まで|した|年|は|の|を|が|に|で|と|も|へ|だ|、|。|？|\?)/g;

export const japaneseNouns: readonly (readonly [string, string])[] = `
顧客:customer お客様:customer 客:customer 注文:order 商品:product 製品:product 売上:sale 売り上げ:sale 金額:amount
価格:price 値段:price 数量:quantity 社員:employee 従業員:employee 部署:department 給料:salary 給与:salary ユーザー:user
会員:member 店舗:store 在庫:stock 都市:city 国:country 状態:status 名前:name 年齢:age`
  .trim()
  .split(/\s+/)
  .map((pair) => pair.split(':'))
  .map(([japanese = '', english = '']) => [japanese, english] as const);

/** Done criteria of facts that can be judged by rule, in English and Japanese; see {@link criterionOf} for their wording. */

import {fieldReaders, type ValueKind} from './field-readers.ts';

export type Criterion =
  | {
      readonly kind: 'number';
      readonly isWhole: boolean;
      readonly min?: number;
      readonly max?: number;
    }
  | {readonly kind: 'notBlank'}
  | {readonly kind: ValueKind}
  | {readonly kind: 'oneOf'; readonly choices: readonly string[]}
  | {readonly kind: 'matches'; readonly pattern: string}
  | {readonly kind: 'length'; readonly unit: 'words' | 'characters'; readonly min: number};

type Rule = readonly [
  RegExp,
  (groups: Readonly<Record<string, string | undefined>>) => Criterion | undefined,
];

const count = String.raw`(?<n>-?[\d,]+(?:\.\d+)?)`;
const anInteger = String.raw`(?:an? )?(?<whole>integer|whole number)`;
const aNumber = String.raw`(?:${anInteger}|(?:an? )?(?:number|numeric(?: value)?|figure|count|amount))(?: of [\w ]{1,40})?`;

const rules: readonly Rule[] = [
  [
    /^(?:not (?:be )?(?:blank|empty)|non-?(?:blank|empty)|any(?:thing| text| answer)?|given|present|required|stated|provided|空(?:欄|白)?で(?:は)?ないこと|空(?:欄|白)?で(?:は)?ない|(?:何か)?(?:記入|入力|回答)(?:され|が)(?:て|あ)(?:いる|る)(?:こと)?|必須)$/i,
    () => ({kind: 'notBlank'}),
  ],
  ...valueRules(),
  [
    new RegExp(String.raw`^${aNumber}$`, 'i'),
    ({whole}) => ({kind: 'number', isWhole: whole !== undefined}),
  ],
  [
    new RegExp(
      String.raw`^${aNumber},? (?:between|from) ${count} (?:and|to) (?<m>-?[\d,]+(?:\.\d+)?)$`,
      'i',
    ),
    ranged,
  ],
  [
    new RegExp(String.raw`^${aNumber},? (?:of )?(?:at least|not less than|>=|≥) ?${count}$`, 'i'),
    ({whole, n}) => ranged({whole, n}),
  ],
  [
    new RegExp(
      String.raw`^${aNumber},? (?:of )?(?:at most|not more than|up to|<=|≤) ?${count}$`,
      'i',
    ),
    ({whole, n}) => ranged({whole, m: n}),
  ],
  [
    /^(?:有効な)?(?:数|数字|数値|(?<whole>整数))$/i,
    ({whole}) => ({kind: 'number', isWhole: whole !== undefined}),
  ],
  [
    /^(?<n>-?[\d,]+)(?:以上|から|~|-)(?<m>-?[\d,]+)(?:以下|まで)?の(?:数|数字|数値|(?<whole>整数))$/i,
    ranged,
  ],
  [/^(?<n>-?[\d,]+)以上の(?:数|数字|数値|(?<whole>整数))$/i, ranged],
  [/^(?<m>-?[\d,]+)以下の(?:数|数字|数値|(?<whole>整数))$/i, ranged],
  [
    /^(?:at least|a minimum of|>=|≥) ?(?<n>\d{1,6}) (?<unit>word|character|letter)s?(?: long)?$/i,
    ({n, unit}) => ({
      kind: 'length',
      unit: unit?.toLowerCase() === 'word' ? 'words' : 'characters',
      min: Number(n),
    }),
  ],
  [
    /^(?:最低)?(?<n>\d{1,6})(?:文字|字|(?<unit>語|単語))以上$/i,
    ({n, unit}) => ({
      kind: 'length',
      unit: unit === undefined ? 'characters' : 'words',
      min: Number(n),
    }),
  ],
  [/^(?:one|any) of(?: the following| these)?:? ?(?<list>.+)$/is, listed],
  [/^either (?<list>.+ or .+)$/is, listed],
  [/^(?:次の)?(?:いずれか|どれか|うち一つ|選択肢)(?:一つ)?: ?(?<list>.+)$/is, listed],
  [/^(?<list>.+)の(?:いずれか|どれか|うち(?:の)?一つ)(?:一つ)?$/is, listed],
];

function valueRules(): readonly Rule[] {
  return Object.values(fieldReaders).flatMap(({criterion}) =>
    criterion?.pattern ? [[criterion.pattern, () => ({kind: criterion.kind})] as const] : [],
  );
}

const matching =
  /^(?:matches|matching|match|正規表現:?)\s*(?:the )?(?:pattern|regex|regular expression)?:?\s*(?<a>.+)$|^(?<b>.+)に(?:一致|マッチ)(?:する|すること)?$/is;

/** Longer criteria say more than a rule can judge. */
const maxLength = 2_000;

/**
 * The rule that a criterion states: `a number` (`an integer from 0 to 60`), `a date`, `one of a, b, c`, `matches PATTERN`,
 * `not blank`, `at least 20 words` (`characters`), `yes or no`, `an email address`, `a url`, `a phone number`; 数値, 日付,
 * a、b、cのいずれか, PATTERNに一致, 空でない, 20文字以上, はいかいいえ. Undefined: only a model can judge it.
 */
export function criterionOf(doneCriteria: string): Criterion | undefined {
  if (doneCriteria.length > maxLength) return undefined;
  const text = doneCriteria.trim().replace(/[.。]$/u, '');
  const pattern = matching.exec(text)?.groups;
  if (pattern) return patternOf((pattern['a'] ?? pattern['b'] ?? '').trim());
  const stated = plain(text);
  for (const [rule, make] of rules) {
    const match = rule.exec(stated);
    if (match) return make(match.groups ?? {});
  }
  return undefined;
}

function plain(text: string): string {
  const folded = text.normalize('NFKC').replaceAll('、', ',').replaceAll(/\s+/g, ' ');
  return folded
    .replace(/^(?:must |should |has to |is |it is |it's )+(?:be )?/i, '')
    .replace(/(?:である|であること|のこと|です|が必要|を含む)$/u, '');
}

/** Enclosing slashes or backquotes are delimiters, not part of the pattern. */
function patternOf(written: string): Criterion {
  const [, inSlashes, flags] = /^\/(.+)\/(i?)$/s.exec(written) ?? [];
  if (inSlashes !== undefined) {
    return {kind: 'matches', pattern: flags === 'i' ? `(?i)${inSlashes}` : inSlashes};
  }
  const inQuotes = /^(?:`(.+)`|"(.+)"|'(.+)')$/s.exec(written);
  return {kind: 'matches', pattern: inQuotes?.[1] ?? inQuotes?.[2] ?? inQuotes?.[3] ?? written};
}

function ranged({whole, n, m}: Readonly<Record<string, string | undefined>>): Criterion {
  const [min, max] = [n, m].map((bound) =>
    bound === undefined ? undefined : Number(bound.replaceAll(',', '')),
  );
  return {
    kind: 'number',
    isWhole: whole !== undefined,
    ...(min === undefined ? {} : {min}),
    ...(max === undefined ? {} : {max}),
  };
}

function listed({list = ''}: Readonly<Record<string, string | undefined>>): Criterion | undefined {
  const parts = list.split(/[,;|・\n]|\bor\b|または|もしくは/iu);
  const choices = parts
    .map((part) => part.trim().replace(/^["'「『]|["'」』]$/gu, ''))
    .filter(Boolean);
  return choices.length > 1 ? {kind: 'oneOf', choices} : undefined;
}

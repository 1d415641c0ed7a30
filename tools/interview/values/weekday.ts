/** Days of the week relative to today: `Friday`, `next Friday`, `Friday next week`, 来週の金曜日. */

const numbers: ReadonlyMap<string, number> = new Map(
  [
    ['monday', '月'],
    ['tuesday', '火'],
    ['wednesday', '水'],
    ['thursday', '木'],
    ['friday', '金'],
    ['saturday', '土'],
    ['sunday', '日'],
  ].flatMap((names, at) => names.map((name) => [name, at + 1] as const)),
);

const english =
  /\b(?:(?<before>this|next|last) week,? (?:on )?|(?<which>this|next|last|coming) )?(?<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?:,? (?:of )?(?<after>this|next|last) week\b)?/gi;
const japanese =
  /(?:(?<before>今週|来週|再来週|先週)の?|(?<which>次|今度|前)の)?(?<day>[月火水木金土日])曜日?/gu;

const repeated = /\b(?:every|each|any)\b|毎週/i;

/**
 * The number of days from today, which is weekday 1 (Monday) to 7; two where both readings are usual: on a Monday, `next Friday` is
 * in four days or in eleven. Undefined for a text that names no day, or several.
 */
export function weekdayIn(text: string, today: number): readonly number[] | undefined {
  const {day = '', which = '', before = '', after = ''} = partsIn(text) ?? {};
  const wanted = numbers.get(day.toLowerCase());
  if (wanted === undefined) return undefined;
  const weeks = weeksAhead[`${before}${after}`.toLowerCase()];
  if (weeks !== undefined) return [wanted - today + 7 * weeks];
  return daysTo(wanted, today, which.toLowerCase());
}

function partsIn(text: string): Readonly<Record<string, string | undefined>> | undefined {
  if (repeated.test(text)) return undefined;
  const [only, second] = [...text.matchAll(english), ...text.matchAll(japanese)];
  return second ? undefined : only?.groups;
}

const weeksAhead: Readonly<Record<string, number>> = {
  last: -1,
  this: 0,
  next: 1,
  先週: -1,
  今週: 0,
  来週: 1,
  再来週: 2,
};

function daysTo(wanted: number, today: number, which: string): readonly number[] {
  const ahead = (wanted - today + 7) % 7;
  const kind = kinds[which];
  if (ahead === 0) return kind === undefined ? [0, 7] : [kind === 'last' ? -7 : 7];
  const isThisWeek = wanted > today;
  if (kind === 'next' && isThisWeek) return [ahead, ahead + 7];
  if (kind === 'last') return isThisWeek ? [ahead - 7] : [ahead - 7, ahead - 14];
  return [ahead];
}

const kinds: Readonly<Record<string, 'coming' | 'next' | 'last'>> = {
  coming: 'coming',
  next: 'next',
  次: 'next',
  今度: 'next',
  last: 'last',
  前: 'last',
};

/** Days of the week, as people name them from today: `Friday`, `next Friday`, `Friday next week`, 来週の金曜日. */

const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const japaneseNames = '月火水木金土日';

const dayName = `(?<day>${names.join('|')})`;
const english = [
  new RegExp(String.raw`\b(?:(?<which>this|next|last|coming) )?${dayName}\b(?! of\b)`, 'gi'),
  new RegExp(String.raw`\b${dayName},? (?:of )?(?<week>this|next|last) week\b`, 'gi'),
  new RegExp(String.raw`\b(?<week>this|next|last) week,? (?:on )?${dayName}\b`, 'gi'),
];
const japanese =
  /(?:(?<week>今週|来週|再来週|先週)の?|(?<which>次|今度|前)の)?(?<day>[月火水木金土日])曜日?/gu;

const repeated = /\b(?:every|each|any)\b|毎週/i;

/**
 * How many days it is from today, which is the weekday 1 (Monday) to 7; two where both are usual: on a Monday, `next Friday` is
 * one in four days or one in eleven. Undefined for a text that names none, or several.
 */
export function weekdayIn(text: string, today: number): readonly number[] | undefined {
  if (repeated.test(text)) return undefined;
  const [plain = [], ...inWeeks] = [...english, japanese].map((form) => [...text.matchAll(form)]);
  const whole = inWeeks.flat();
  const [only, second] = whole.length > 0 ? whole : plain;
  if (!only || second || plain.length > 1) return undefined;
  const {day = '', which = '', week = ''} = only.groups ?? {};
  const name = day.toLowerCase();
  const wanted = (names.includes(name) ? names.indexOf(name) : japaneseNames.indexOf(name)) + 1;
  const weeks = weeksAhead[week.toLowerCase()];
  if (weeks !== undefined) return [wanted - today + 7 * weeks];
  return daysTo(wanted, today, which.toLowerCase());
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
  const isThisWeek = wanted > today;
  switch (which) {
    case 'next':
    case '次':
    case '今度':
      if (ahead === 0) return [7];
      return isThisWeek ? [ahead, ahead + 7] : [ahead];
    case 'last':
    case '前':
      if (ahead === 0) return [-7];
      return isThisWeek ? [ahead - 7] : [ahead - 7, ahead - 14];
    case 'coming':
      return [ahead === 0 ? 7 : ahead];
    default:
      return ahead === 0 ? [0, 7] : [ahead];
  }
}

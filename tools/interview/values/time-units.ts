/** Units of time in labels and in replies: `How many years`, `six months`; 年数, 6か月. */

import type {TimeUnit} from '../../../machines/forms/interview/texts/interview-texts.ts';

export type {TimeUnit};

/** `asked` finds the unit in a label, `said` right after a number. The year of a birth is not a number of years. */
const units: Readonly<Record<TimeUnit, {readonly asked: RegExp; readonly said: RegExp}>> = {
  years: {
    asked: /\byears\b|何年(?![生にの度代])|年数|年間/i,
    said: /^[\s-]*(?:years?|yrs?)\b|^\s?年/i,
  },
  months: {asked: /\bmonths\b|何[かヶカケ]月|月数/i, said: /^[\s-]*months?\b|^\s?[かヶカケ]月/i},
  weeks: {asked: /\bweeks\b|何週間|週数/i, said: /^[\s-]*weeks?\b|^\s?週/i},
  days: {asked: /\bdays\b|何日間|日数/i, said: /^[\s-]*days?\b|^\s?日/i},
  hours: {asked: /\bhours\b|何時間|時間数/i, said: /^[\s-]*(?:hours?|hrs?)\b|^\s?時間/i},
  minutes: {asked: /\bminutes\b|何分/i, said: /^[\s-]*(?:minutes?|mins?)\b|^\s?分/i},
};
const names = ['years', 'months', 'weeks', 'days', 'hours', 'minutes'] as const;

/** The number of smaller units in a larger one; other pairs have no fixed ratio. */
const sizes: readonly (readonly [TimeUnit, TimeUnit, number])[] = [
  ['years', 'months', 12],
  ['weeks', 'days', 7],
  ['hours', 'minutes', 60],
];

/** Undefined for a label with no unit, or with several. */
export function unitAsked(label: string): TimeUnit | undefined {
  const [unit, second] = names.filter((name) => units[name].asked.test(label));
  return second === undefined ? unit : undefined;
}

/** The unit that follows a number. */
export function unitSaid(after: string): TimeUnit | undefined {
  return names.find((name) => units[name].said.test(after));
}

/** Rounded to hundredths. Undefined if the units have no fixed ratio. */
export function converted(value: number, from: TimeUnit, to: TimeUnit): number | undefined {
  if (from === to) return value;
  for (const [large, small, size] of sizes) {
    if (from === small && to === large) return Math.round((value / size) * 100) / 100;
    if (from === large && to === small) return value * size;
  }
  return undefined;
}

/** Writes days for the texts: in Japanese, or in English for any other language. */

export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** `4 March 2026` or `2026年3月4日`. */
export function longDate({year, month, day}: Day, language: string | undefined): string {
  return /^ja\b/i.test(language ?? '')
    ? `${year}年${month}月${day}日`
    : `${day} ${months[month - 1] ?? month} ${year}`;
}

const iso = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Formats a day such as 2026-03-04; returns any other text unchanged. */
export function longDateOf(text: string, language: string | undefined): string {
  const [, year, month, day] = iso.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return longDate({year, month, day}, language);
}

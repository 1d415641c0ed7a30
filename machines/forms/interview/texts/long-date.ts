/** Days as the texts write them: in English and Japanese, whatever the language is otherwise. */

export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** `4 March 2026` or `2026年3月4日`. */
export function longDate(day: Day, language: string | undefined): string {
  const locale = /^ja\b/i.test(language ?? '') ? 'ja' : 'en-GB';
  const options = {dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory'} as const;
  return new Intl.DateTimeFormat(locale, options).format(utc(day));
}

export function utc({year, month, day}: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

const iso = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Of 2026-03-04; other texts as they are. */
export function longDateOf(text: string, language: string | undefined): string {
  const [, year, month, day] = iso.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return longDate({year, month, day}, language);
}

/** The bounds of a field, `min` and `max`, by what the type of the field measures: why a bound is not one. */

/** Undefined for a bound that a field of the type may have. */
export type BoundCheck = (bound: number | string, type: string) => string | undefined;

export function amountProblem(bound: number | string, type: string): string | undefined {
  return typeof bound === 'string' ? `of a field of type ${type} is a number` : undefined;
}

export function wholeAmountProblem(bound: number | string, type: string): string | undefined {
  if (typeof bound === 'string') return amountProblem(bound, type);
  return Number.isInteger(bound) ? undefined : `of a field of type ${type} is a whole number`;
}

/** Of characters, or of choices. */
export function countProblem(bound: number | string, type: string): string | undefined {
  const problem = wholeAmountProblem(bound, type);
  if (problem !== undefined) return problem;
  return Number(bound) >= 0 ? undefined : 'counts, and so is at least 0';
}

export function dayProblem(bound: number | string): string | undefined {
  const isGood = bound === 'today' || isDay(String(bound));
  return isGood ? undefined : 'of a date is a day: YYYY-MM-DD or today';
}

/** `2026-03-04`, if the calendar has it. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return (
    day !== undefined && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

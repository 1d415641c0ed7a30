/** Checks of the bounds of a field, `min` and `max`, by the type of the field. */

/** Returns the problem of a bound; undefined for a bound that the type allows. */
export type BoundCheck = (bound: number | string, type: string) => string | undefined;

export function amountProblem(bound: number | string, type: string): string | undefined {
  return typeof bound === 'string' ? `must be a number in a field of type ${type}` : undefined;
}

export function wholeAmountProblem(bound: number | string, type: string): string | undefined {
  if (typeof bound === 'string') return amountProblem(bound, type);
  return Number.isInteger(bound) ? undefined : `must be a whole number in a field of type ${type}`;
}

/** For a number of characters or of choices. */
export function countProblem(bound: number | string, type: string): string | undefined {
  const problem = wholeAmountProblem(bound, type);
  if (problem !== undefined) return problem;
  return Number(bound) >= 0 ? undefined : 'must be at least 0';
}

export function dayProblem(bound: number | string): string | undefined {
  const isGood = bound === 'today' || isDay(String(bound));
  return isGood ? undefined : 'must be a day (YYYY-MM-DD) or today';
}

/** True for a day of the calendar, written as YYYY-MM-DD. */
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

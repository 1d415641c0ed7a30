/** Days of the Gregorian calendar, without a clock. */

import type {Day} from '../../../machines/forms/interview/texts/parts.ts';

export type {Day};

export function isDay({year, month, day}: Day): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lengthOf(year, month);
}

function lengthOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** `2026-03-04`. */
export function isoOf({year, month, day}: Day): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** The local day at a time (epoch ms). In UTC if the zone is unknown. */
export function dayAt(at: number, timezone: string | undefined): Day {
  const options = {year: 'numeric', month: 'numeric', day: 'numeric'} as const;
  const parts = formatIn(timezone, options).formatToParts(at);
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return {year: value('year'), month: value('month'), day: value('day')};
}

function formatIn(
  timezone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {...options, timeZone: timezone ?? 'UTC'});
  } catch {
    return new Intl.DateTimeFormat('en-US', {...options, timeZone: 'UTC'});
  }
}

export function plusDays({year, month, day}: Day, days: number): Day {
  const date = new Date(utc({year, month, day}) + days * 86_400_000);
  return {year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate()};
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(utc(day)).getUTCDay() || 7;
}

function utc({year, month, day}: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

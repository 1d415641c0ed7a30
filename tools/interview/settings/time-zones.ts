/** Finds time zones by country, by their name or its last part, by offset. */

import {once} from '../../../machines/domain/once.ts';
import {mainZones} from '../data/tables.ts';
import {fold} from '../fold.ts';

/** IANA zones of a country; none for an uninhabited one. */
export function zonesOf(country: string): readonly string[] {
  try {
    return new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  } catch {
    return [];
  }
}

/** One zone for each clock in use in the country; the best known come first. */
export function clocksOf(country: string): readonly string[] {
  const zones = zonesOf(country).toSorted((a, b) => rankOf(a) - rankOf(b));
  const clocks = new Map<string, string>();
  for (const zone of zones) {
    const clock = offsetsOf(zone).join();
    if (!clocks.has(clock)) clocks.set(clock, zone);
  }
  return [...clocks.values()];
}

function rankOf(zone: string): number {
  const rank = mainZones().indexOf(zone);
  return rank < 0 ? mainZones().length : rank;
}

/** This year's offsets, in winter and in summer, as `GMT+09:00`. */
function offsetsOf(zone: string): readonly string[] {
  const year = new Date().getUTCFullYear();
  return [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)].map((at) => offsetAt(zone, at));
}

function offsetAt(zone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en-US', {timeZone: zone, timeZoneName: 'longOffset'});
  const name = format.formatToParts(at).find(({type}) => type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' ? 'GMT+00:00' : name;
}

/** Zones that a text may mean, the best first; none if it names none. */
export function zonesIn(text: string, country: string | undefined): readonly string[] {
  const plain = fold(text).text.trim();
  const zone = /^[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+$|^UTC$/i.test(plain)
    ? canonical(plain)
    : undefined;
  if (zone !== undefined) return [zone];
  const byOffset = offsetIn(plain, country);
  if (byOffset.length > 0) return byOffset;
  if (/\b(?:utc|gmt)\s*[+-]/i.test(plain)) return [];
  return byName(plain.toLowerCase().slice(0, maxSearched));
}

const maxSearched = 200;

/** The zone as IANA writes it. */
function canonical(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', {timeZone: zone}).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const offset =
  /(?:^|\b(?:utc|gmt)\s*)(?<sign>[+-])\s?(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?(?!\d)/i;

/** Zones of the country with that offset; otherwise the generic zone of that offset. */
function offsetIn(text: string, country: string | undefined): readonly string[] {
  const {sign, hours, minutes = '00'} = offset.exec(text)?.groups ?? {};
  if (sign === undefined || hours === undefined || Number(hours) > 14) return [];
  const name = `GMT${sign}${hours.padStart(2, '0')}:${minutes}`;
  const local = clocksOf(country ?? '').filter((zone) => offsetsOf(zone).includes(name));
  return local.length > 0 || minutes !== '00' ? local : [countingZone(sign, Number(hours))];
}

/** The sign of generic zones is reversed: `Etc/GMT-9` is ahead of UTC. */
function countingZone(sign: string, hours: number): string {
  return hours === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`;
}

/** The last part of each zone's name, as people write it: `new york`. */
const zoneNames = once(
  () =>
    new Map(
      Intl.supportedValuesOf('timeZone').map(
        (zone) =>
          [(zone.split('/').at(-1) ?? zone).replaceAll('_', ' ').toLowerCase(), zone] as const,
      ),
    ),
);

function byName(text: string): readonly string[] {
  const words = text.split(/[^\p{L}\p{M}.'-]+/u).filter((word) => word !== '');
  const groups = [3, 2, 1].flatMap((length) =>
    words.map((_, at) =>
      words
        .slice(at, at + length)
        .join(' ')
        .replace(/\.$/, ''),
    ),
  );
  const zone = groups.map((name) => zoneNames().get(name)).find((one) => one !== undefined);
  return zone === undefined ? [] : [zone];
}

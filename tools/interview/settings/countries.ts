/** Countries by their names in several languages, by what people call them, and by their codes. */

import {nearest} from '../../../machines/domain/nearest.ts';
import {once} from '../../../machines/domain/once.ts';
import {countryAliases} from '../data/tables.ts';
import {fold} from '../fold.ts';
import {zonesOf} from './time-zones.ts';

/** ISO 3166-1 alpha-2, of the countries with a time zone. ICU knows none for Kosovo. */
const countryCodes = once((): readonly string[] => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  return codes.filter((code) => code === 'XK' || (isCurrent(code) && zonesOf(code).length > 0));
});

/** `DD` is now `DE`. */
function isCurrent(code: string): boolean {
  return new Intl.Locale(`und-${code}`).region === code;
}

const namers = ['en', 'ja', 'zh', 'ko', 'es', 'fr', 'de', 'pt', 'it', 'ru', 'nl', 'sv', 'pl', 'tr'];

let names: ReadonlyMap<string, readonly string[]> | undefined;

/** For each name, in lower case, the codes of the countries that it may mean. */
function countryNames(): ReadonlyMap<string, readonly string[]> {
  if (names) return names;
  const made = new Map<string, readonly string[]>();
  const styles = ['long', 'short'] as const;
  for (const [namer, style] of namers.flatMap((one) => styles.map((of) => [one, of] as const))) {
    const display = new Intl.DisplayNames(namer, {type: 'region', fallback: 'none', style});
    for (const code of countryCodes()) addName(made, display.of(code), code);
  }
  for (const [name, codes] of countryAliases()) made.set(name, codes);
  names = made;
  return made;
}

/** A name stays with the first code that it was given for. */
function addName(to: Map<string, readonly string[]>, name: string | undefined, code: string): void {
  if (name !== undefined && !to.has(plain(name))) to.set(plain(name), [code]);
}

function plain(text: string): string {
  return fold(text)
    .text.toLowerCase()
    .replaceAll(/[’'"()]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^the | ?[.!?]+$/g, '')
    .trim();
}

/** Lower-case words that are more often ordinary words than country codes. */
const words = /^(?:no|so|to|is|in|me|my|am|be|by|do|at|as|it|us)$/;

/** The countries that a text may mean: one if it is clear, none if it names none. */
export function countriesIn(text: string): readonly string[] {
  const whole = plain(text);
  const known = countryNames();
  const exact = codeOf(text.trim(), text.trim().length === 2) ?? known.get(whole);
  if (exact) return exact;
  const found = namesIn(whole, known);
  return [...new Set(found.length > 0 ? found : codesIn(text))];
}

/** Capitals in a sentence: `I live in the UK`. */
function codesIn(text: string): string[] {
  const written = [
    ...text.matchAll(/(?<![\p{L}\d])(?:[A-Z]{2}|USA|U\.S\.A?\.?|U\.K\.?)(?![\p{L}\d])/gu),
  ];
  return written.flatMap(
    ([name]) => codeOf(name, false) ?? countryNames().get(name.toLowerCase()) ?? [],
  );
}

function codeOf(text: string, isWhole: boolean): readonly string[] | undefined {
  const isWord = words.test(text) && text !== 'us';
  if (isWord || !/^[a-z]{2}$/i.test(text) || (!isWhole && text !== text.toUpperCase()))
    return undefined;
  const code = text.toUpperCase();
  if (code === 'UK') return ['GB'];
  return countryCodes().includes(code) ? [code] : undefined;
}

/** The longest names first; each hides the shorter names in it. */
function namesIn(text: string, known: ReadonlyMap<string, readonly string[]>): string[] {
  const isNative = /[^ -~]/.test(text);
  const found: {readonly at: number; readonly codes: readonly string[]}[] = [];
  let rest = text.slice(0, maxSearched);
  for (let length = Math.min(maxName, rest.length); length >= 2; length -= 1) {
    for (let at = 0; at + length <= rest.length; at += 1) {
      const name = rest.slice(at, at + length);
      const of = length < 4 && !isNative ? undefined : known.get(name);
      if (!of || !standsAlone(rest, at, at + length)) continue;
      found.push({at, codes: of});
      rest = `${rest.slice(0, at)}${'\u0000'.repeat(length)}${rest.slice(at + length)}`;
    }
  }
  return found.toSorted((a, b) => a.at - b.at).flatMap((one) => one.codes);
}

const maxSearched = 200;
const maxName = 45;

function standsAlone(text: string, start: number, end: number): boolean {
  const word = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Hangul}\d]/u;
  const isInside = (at: number): boolean =>
    word.test(text.charAt(at - 1)) && word.test(text.charAt(at));
  return !isInside(start) && !isInside(end);
}

/** The name of a country, for the person to choose by. */
export function countryName(code: string, language: string | undefined): string {
  try {
    return new Intl.DisplayNames([language ?? 'en', 'en'], {type: 'region'}).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The country with a similar name: a typing error, which is rarely in the first letter. */
export function countryNear(text: string): string | undefined {
  const wanted = plain(text);
  if (wanted.length < 4 || wanted.length > maxName) return undefined;
  const name = nearest(
    wanted,
    [...countryNames().keys()].filter((known) => known.length > 3 && known[0] === wanted[0]),
  );
  return name === undefined ? undefined : countryNames().get(name)?.[0];
}

let zoneCountries: ReadonlyMap<string, readonly string[]> | undefined;

/** For zones that are named after a city of one country. */
export function countryOfCity(zone: string): string | undefined {
  zoneCountries ??= countriesOfZones();
  const [only, second] = zoneCountries.get(zone) ?? [];
  return second === undefined ? only : undefined;
}

function countriesOfZones(): ReadonlyMap<string, readonly string[]> {
  const made = new Map<string, string[]>();
  for (const code of countryCodes()) {
    for (const zone of zonesOf(code)) made.set(zone, [...(made.get(zone) ?? []), code]);
  }
  return made;
}

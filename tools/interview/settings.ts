/** Countries, time zones and languages: their names in replies, and a guess from the locale. */

import {nearest} from '../../machines/domain/nearest.ts';
import {once} from '../../machines/domain/once.ts';
import {
  type KnownRespondent,
  type Respondent,
  sections,
} from '../../machines/questionnaire/answers.ts';
import {countryAliases, mainZones, languageAliases} from './data/tables.ts';
import {fold} from './fold.ts';

/** ISO 3166-1 alpha-2, of the countries with a time zone. ICU knows none for Kosovo. */
const countryCodes = once((): readonly string[] => {
  const codes = letterPairs().map((pair) => pair.toUpperCase());
  return codes.filter(
    (code) => code === 'XK' || (isCurrentCountry(code) && zonesOf(code).length > 0),
  );
});

function letterPairs(): string[] {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  return letters.flatMap((first) => letters.map((second) => first + second));
}

/** `DD` is now `DE`. */
function isCurrentCountry(code: string): boolean {
  return new Intl.Locale(`und-${code}`).region === code;
}

/** All names are known in these languages; those of languages also in their own. */
const namers = ['en', 'ja', 'zh', 'ko', 'es', 'fr', 'de', 'pt', 'it', 'ru'];
/** In which countries are known as well. */
const moreNamers = ['nl', 'sv', 'pl', 'tr'];

/** For each name, in lower case, the codes of the countries that it may mean. */
const countryNames = once((): ReadonlyMap<string, readonly string[]> => {
  const made = new Map<string, readonly string[]>();
  for (const namer of [...namers, ...moreNamers]) {
    for (const style of ['long', 'short'] as const) {
      const display = new Intl.DisplayNames(namer, {type: 'region', fallback: 'none', style});
      for (const code of countryCodes()) addFirst(made, plainName(display.of(code) ?? ''), [code]);
    }
  }
  for (const [name, codes] of countryAliases()) made.set(name, codes);
  return made;
});

/** A name stays with the first code that it was given for. */
function addFirst<Code>(to: Map<string, Code>, name: string, code: Code): void {
  if (name !== '' && !to.has(name)) to.set(name, code);
}

function plainName(text: string): string {
  return fold(text)
    .text.toLowerCase()
    .replaceAll(/[’'"()]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^the | ?[.!?]+$/g, '')
    .trim();
}

/** Lower-case words that are more often ordinary words than country codes. */
const ordinaryWords = /^(?:no|so|to|is|in|me|my|am|be|by|do|at|as|it|us)$/;

/** The countries that a text may mean: one if it is clear, none if it names none. */
export function countriesIn(text: string): readonly string[] {
  const whole = plainName(text);
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
  const isWord = ordinaryWords.test(text) && text !== 'us';
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
  const wanted = plainName(text);
  if (wanted.length < 4 || wanted.length > maxName) return undefined;
  const name = nearest(
    wanted,
    [...countryNames().keys()].filter((known) => known.length > 3 && known[0] === wanted[0]),
  );
  return name === undefined ? undefined : countryNames().get(name)?.[0];
}

/** For zones that are named after a city of one country. */
export function countryOfCity(zone: string): string | undefined {
  const [only, second] = zoneCountries().get(zone) ?? [];
  return second === undefined ? only : undefined;
}

const zoneCountries = once((): ReadonlyMap<string, readonly string[]> => {
  const made = new Map<string, string[]>();
  for (const code of countryCodes()) {
    for (const zone of zonesOf(code)) made.set(zone, [...(made.get(zone) ?? []), code]);
  }
  return made;
});

// Finds time zones by country, by their name or its last part, by offset.

/** IANA zones of a country; none for an uninhabited one. */
function zonesOf(country: string): readonly string[] {
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

// Finds languages by their names in their own and other languages, by their codes, and by a text's script.

/** The codes of ISO 639-1, and three of ISO 639-3 that many people use. */
const languageCodes = once((): readonly string[] => {
  const english = displayIn('en');
  const isCurrent = (code: string): boolean =>
    english.of(code) !== undefined && new Intl.Locale(code).language === code;
  return [...letterPairs().filter(isCurrent), 'fil', 'haw', 'yue'];
});

/** BCP 47 tags by name, in lower case. */
const languageNames = once((): ReadonlyMap<string, string> => {
  const made = new Map<string, string>();
  const add = (display: Intl.DisplayNames, code: string): void =>
    addFirst(made, fold(display.of(code) ?? '').text.toLowerCase(), code);
  for (const display of namers.map(displayIn))
    for (const code of languageCodes()) add(display, code);
  for (const code of languageCodes()) add(displayIn(code), code);
  for (const [name, code] of languageAliases()) made.set(name, code);
  return made;
});

function displayIn(locale: string): Intl.DisplayNames {
  return new Intl.DisplayNames([locale, 'en'], {type: 'language', fallback: 'none'});
}

/** The languages that a text names: `in English, please`, 日本語でお願いします, `en-GB`. */
export function languagesIn(
  text: string,
): readonly {readonly name: string; readonly code: string}[] {
  const plain = fold(text).text.toLowerCase().trim();
  const known = languageNames();
  const whole = known.get(plain.replace(/[.!?]+$/, ''));
  if (whole !== undefined) return [{name: plain, code: whole}];
  const words = plain.split(/[^\p{L}\p{M}'-]+/u).flatMap(withNative);
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ''}`);
  const found = [...pairs, ...words].flatMap((name) => {
    const code = name.length < 2 || courtesies.has(name) ? undefined : known.get(name);
    return code === undefined ? [] : [{name, code}];
  });
  const kept = found.filter(
    ({name}, at) => !found.slice(0, at).some((other) => other.name.includes(name)),
  );
  return kept.filter(({code}, at) => kept.findIndex((other) => other.code === code) === at);
}

const courtesies = new Set(['hello', 'hi', 'yes']);

/** Also finds names in text without spaces: 日本語でお願いします. */
function withNative(word: string): string[] {
  const run = /[\p{Script=Han}\p{Script=Katakana}ー]{2,}語?/gu;
  return [word].concat([...word.matchAll(run)].map(([name]) => name));
}

/** A canonical BCP 47 tag: `en`, `pt-BR`; undefined for a text that names no language. */
export function languageTag(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-');
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag)) return undefined;
  try {
    const locale = new Intl.Locale(tag);
    return languageCodes().includes(locale.language) ? locale.toString() : undefined;
  } catch {
    return undefined;
  }
}

// A wish to speak another language, expressed in reply to another question.

const around =
  /^(?:can|could|may|we|you|i|i'd|would|like|prefer|to|let's|please|pls|switch|change|speak|talk|continue|go|on|use|write|ask|reply|do|it|this|in|into|language|the|instead|now|rather|auf|bitte|en|em|por|favor|s'il|vous|te|plaît|want)$/;
const wish =
  /\b(?:in|please|pls|switch|change|speak|talk|continue|use|prefer|auf|bitte|en|em|favor|plaît)\b/;
/** These are statements about oneself: `I speak English`. */
const statement = /^(?:i|we) (?:can |do )?(?:speak|talk|use|write)\b/;
const aroundJapanese =
  /^(?:では|じゃあ|すみません|できれば|言語を|やっぱり|[,\s])*(?:で|に|が|を)(?:お願い|話|はな|続け|でき|いい|良い|よい|切り替え|切替|変え|変更|して|書いて|聞いて|質問|対応|進め).{0,15}$|^で[.\s]*$/u;

const maxLength = 80;

/** BCP 47. Undefined for the name of a language alone: it may be an answer. */
export function wishedLanguage(text: string): string | undefined {
  const plain = plainly(text);
  // Building the names of all languages takes a while.
  if (!/[でにがを]/.test(plain) && !wish.test(plain)) return undefined;
  const [only, second] = languagesIn(text);
  if (!only || second) return undefined;
  const rest = plain.replace(only.name, ' ').replaceAll(/\s+/g, ' ').trim();
  if (aroundJapanese.test(rest)) return only.code;
  const isWish = wish.test(rest) && !statement.test(plain);
  return isWish && rest.split(' ').every((word) => around.test(word)) ? only.code : undefined;
}

function plainly(text: string): string {
  const short = text.length > maxLength ? '' : fold(text).text;
  return short
    .toLowerCase()
    .replaceAll(/[,.!?]+/g, ' ')
    .trim();
}

// Settings of a respondent that their device suggests.

export interface Device {
  /** Of a program or a browser: `de-DE`, `de_DE.UTF-8`. */
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
}

/** Adds to the stated settings those that the device suggests, marked as assumed. */
export function withLikely(stated: Respondent, device: Device): KnownRespondent {
  const likely = likelyOf(device);
  const assumed = sections.filter(
    (each) => stated[each] === undefined && likely[each] !== undefined,
  );
  return {...likely, ...stated, ...(assumed.length > 0 ? {assumed} : {})};
}

function likelyOf({locale = '', timezone = ''}: Device): Respondent {
  const language = languageTag(locale.split(/[.@]/)[0] ?? '');
  const [zone] = timezone === '' ? [] : zonesIn(timezone, undefined);
  const country = zone === undefined ? undefined : countryOf(zone, language);
  return {
    ...(language && {language}),
    ...(country && {country}),
    ...(zone && {timezone: zone}),
  };
}

/** That of the time zone, unless the language names another: a locale such as en-US is used in many countries. */
function countryOf(zone: string, language: string | undefined): string | undefined {
  const country = countryOfCity(zone);
  const region = language === undefined ? undefined : new Intl.Locale(language).region;
  return region === undefined || region === country ? country : undefined;
}

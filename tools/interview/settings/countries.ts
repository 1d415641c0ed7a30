/** Countries by their names in several languages, by what people call them, and by their codes. */

import {nearest} from '../../../machines/domain/nearest.ts';
import {fold} from '../fold.ts';
import {zonesOf} from './time-zones.ts';

/** ISO 3166-1 alpha-2, and Kosovo's. */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  );
const namers = ['en', 'ja', 'zh', 'ko', 'es', 'fr', 'de', 'pt', 'it', 'ru', 'nl', 'sv', 'pl', 'tr'];

/** Several codes: it may be any of them. */
const aliases: Readonly<Record<string, string>> = {
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'u.s': 'US',
  america: 'US',
  'united states of america': 'US',
  states: 'US',
  米国: 'US',
  アメリカ: 'US',
  美国: 'US',
  uk: 'GB',
  'u.k.': 'GB',
  'u.k': 'GB',
  britain: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  英国: 'GB',
  イギリス: 'GB',
  イングランド: 'GB',
  スコットランド: 'GB',
  holland: 'NL',
  オランダ: 'NL',
  korea: 'KR',
  'republic of korea': 'KR',
  韓国: 'KR',
  北朝鮮: 'KP',
  中国: 'CN',
  'mainland china': 'CN',
  prc: 'CN',
  台湾: 'TW',
  香港: 'HK',
  'hong kong': 'HK',
  macau: 'MO',
  macao: 'MO',
  russia: 'RU',
  turkey: 'TR',
  'czech republic': 'CZ',
  'ivory coast': 'CI',
  burma: 'MM',
  swaziland: 'SZ',
  macedonia: 'MK',
  'cape verde': 'CV',
  'east timor': 'TL',
  vatican: 'VA',
  uae: 'AE',
  emirates: 'AE',
  drc: 'CD',
  congo: 'CG CD',
  コンゴ: 'CG CD',
  'virgin islands': 'VG VI',
  micronesia: 'FM',
  palestine: 'PS',
  syria: 'SY',
  laos: 'LA',
  brunei: 'BN',
  ドイツ: 'DE',
  フランス: 'FR',
  日本国: 'JP',
  nippon: 'JP',
  nihon: 'JP',
  豪州: 'AU',
  印度: 'IN',
  bosnia: 'BA',
  trinidad: 'TT',
  'saint martin': 'MF SX',
};

let names: ReadonlyMap<string, readonly string[]> | undefined;

/** By name, in lower case: the codes that it may stand for. */
function countryNames(): ReadonlyMap<string, readonly string[]> {
  if (names) return names;
  const made = new Map<string, readonly string[]>();
  const styles = ['long', 'short'] as const;
  for (const [namer, style] of namers.flatMap((one) => styles.map((of) => [one, of] as const))) {
    const display = new Intl.DisplayNames(namer, {type: 'region', fallback: 'none', style});
    for (const code of codes) addName(made, display.of(code), code);
  }
  for (const [name, of] of Object.entries(aliases)) made.set(name, of.split(' '));
  names = made;
  return made;
}

/** The first who gave a name keeps it. */
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

/** Lower-case words that stand in sentences more often than for a country. */
const words = /^(?:no|so|to|is|in|me|my|am|be|by|do|at|as|it|us)$/;

/** The countries that a text may mean: one where it is plain, none where it names none. */
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
  return codes.includes(code) ? [code] : undefined;
}

/** The longest names first; each takes its place away from the shorter ones in it. */
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

/** A code's name for the person to choose by. */
export function countryName(code: string, language: string | undefined): string {
  try {
    return new Intl.DisplayNames([language ?? 'en', 'en'], {type: 'region'}).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The country whose name is near: a typing error, which seldom is in the first letter. */
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

/** Of those zones that are called after a city of one country. */
export function countryOfCity(zone: string): string | undefined {
  zoneCountries ??= countriesOfZones();
  const [only, second] = zoneCountries.get(zone) ?? [];
  return second === undefined ? only : undefined;
}

function countriesOfZones(): ReadonlyMap<string, readonly string[]> {
  const made = new Map<string, string[]>();
  for (const code of codes) {
    for (const zone of zonesOf(code)) made.set(zone, [...(made.get(zone) ?? []), code]);
  }
  return made;
}

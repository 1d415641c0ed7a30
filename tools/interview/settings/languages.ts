/** Languages by their names, in their own words and in others, by their codes, and by how a text is written. */

import {fold} from '../fold.ts';

const codes =
  'aa ab af ak am ar as ay az ba be bg bm bn bo br bs ca co cs cy da de dv dz ee el en eo es et eu fa ff fi fil fj fo fr fy ga gd gl gn gu ha haw he hi hr ht hu hy ia id ig is it ja jv ka kk kl km kn ko ku ky la lb lg ln lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn no ny oc om or pa pl ps pt qu rm rn ro ru rw sa sc sd se si sk sl sm sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr ts tt ug uk ur uz vi wo xh yi yo yue zh zu'.split(
    ' ',
  );
/** In whose words all languages are known; each is known in its own, too. */
const namers = ['en', 'ja', 'zh', 'ko', 'es', 'fr', 'de', 'pt', 'it', 'ru'];

/** Courtesies and answers by which a language shows. */
const signs: Readonly<Record<string, string>> = {
  hello: 'en',
  hi: 'en',
  yes: 'en',
  'good morning': 'en',
  nihongo: 'ja',
  eigo: 'en',
  mandarin: 'zh',
  中文: 'zh',
  汉语: 'zh',
  国語: 'ja',
  hola: 'es',
  bonjour: 'fr',
  'guten tag': 'de',
  hallo: 'de',
  ciao: 'it',
  'bom dia': 'pt',
  olá: 'pt',
  'british english': 'en-GB',
  'american english': 'en-US',
  'brazilian portuguese': 'pt-BR',
  'traditional chinese': 'zh-Hant',
  'simplified chinese': 'zh-Hans',
};

let names: ReadonlyMap<string, string> | undefined;

/** By name, in lower case: BCP 47. */
export function languageNames(): ReadonlyMap<string, string> {
  if (names) return names;
  const made = new Map<string, string>();
  for (const namer of namers) {
    const display = displayIn(namer);
    for (const code of codes) addName(made, display.of(code), code);
  }
  for (const code of codes) addName(made, displayIn(code).of(code), code);
  for (const [name, code] of Object.entries(signs)) made.set(name, code);
  names = made;
  return made;
}

function displayIn(locale: string): Intl.DisplayNames {
  return new Intl.DisplayNames([locale, 'en'], {type: 'language', fallback: 'none'});
}

/** The first who gave a name keeps it. */
function addName(to: Map<string, string>, name: string | undefined, code: string): void {
  if (name === undefined) return;
  const key = fold(name).text.toLowerCase();
  if (!to.has(key)) to.set(key, code);
}

/** What a text says of a language: `in English, please`, 日本語でお願いします, `en-GB`. */
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

/** With the names in words that no spaces part: 日本語でお願いします. */
function withNative(word: string): string[] {
  const run = /[\p{Script=Han}\p{Script=Katakana}ー]{2,}語?/gu;
  return [word].concat([...word.matchAll(run)].map(([name]) => name));
}

/** BCP 47 in its usual writing: `en`, `pt-BR`; undefined for what names no language. */
export function languageTag(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-');
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag)) return undefined;
  try {
    const locale = new Intl.Locale(tag);
    return codes.includes(locale.language) ? locale.toString() : undefined;
  } catch {
    return undefined;
  }
}

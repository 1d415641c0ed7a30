/** Finds languages by their names in their own and other languages, by their codes, and by a text's script. */

import {once} from '../../../machines/domain/once.ts';
import {languageAliases} from '../data/tables.ts';
import {fold} from '../fold.ts';

/** The codes of ISO 639-1, and three of ISO 639-3 that many people use. */
const languageCodes = once((): readonly string[] => {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  const english = displayIn('en');
  const isCurrent = (code: string): boolean =>
    english.of(code) !== undefined && new Intl.Locale(code).language === code;
  return [...codes.filter(isCurrent), 'fil', 'haw', 'yue'];
});

/** All languages are known by their names in these languages; each also by its own name. */
const namers = ['en', 'ja', 'zh', 'ko', 'es', 'fr', 'de', 'pt', 'it', 'ru'];

let names: ReadonlyMap<string, string> | undefined;

/** BCP 47 tags by name, in lower case. */
export function languageNames(): ReadonlyMap<string, string> {
  if (names) return names;
  const made = new Map<string, string>();
  for (const namer of namers) {
    const display = displayIn(namer);
    for (const code of languageCodes()) addName(made, display.of(code), code);
  }
  for (const code of languageCodes()) addName(made, displayIn(code).of(code), code);
  for (const [name, code] of languageAliases()) made.set(name, code);
  names = made;
  return made;
}

function displayIn(locale: string): Intl.DisplayNames {
  return new Intl.DisplayNames([locale, 'en'], {type: 'language', fallback: 'none'});
}

/** A name stays with the first code that it was given for. */
function addName(to: Map<string, string>, name: string | undefined, code: string): void {
  if (name === undefined) return;
  const key = fold(name).text.toLowerCase();
  if (!to.has(key)) to.set(key, code);
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

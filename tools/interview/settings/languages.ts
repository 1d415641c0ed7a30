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

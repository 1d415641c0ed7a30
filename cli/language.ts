/** The language of the screen: decided once from the command line and the environment, then passed to each text. */

import type {Environment} from './terminal.ts';

export type Language = 'en' | 'ja';

/** One text in every language. */
export type Texts = Readonly<Record<Language, string>>;

/** A text of the command line in every language, or a text of another layer in English. */
export type Message = Texts | string;

/** Holds the language of the reader, as a terminal and a style do. Absent: English. */
export interface Reader {
  readonly language?: Language | undefined;
}

/**
 * `--lang`, else the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set, else English. A language without texts leaves the
 * choice to the next source on the command line, and means English in the environment.
 */
export function languageOf(argv: readonly string[], env: Environment): Language {
  const given = langIn(argv);
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'];
  return tryLanguage(given) ?? tryLanguage(locale) ?? 'en';
}

/** The last `--lang` before the two dashes. */
function langIn(argv: readonly string[]): string | undefined {
  const dashes = argv.indexOf('--');
  const args = dashes < 0 ? argv : argv.slice(0, dashes);
  const at = args.findLastIndex((arg) => arg === '--lang' || arg.startsWith('--lang='));
  const arg = args[at];
  return arg === '--lang' ? args[at + 1] : arg?.slice('--lang='.length);
}

/** Of a tag or a locale: `ja`, `ja-JP`, `ja_JP.UTF-8`. Undefined for a language without texts. */
function tryLanguage(locale: string | undefined): Language | undefined {
  const [primary] = (locale ?? '').toLowerCase().split(/[-_.@]/);
  return primary === 'ja' || primary === 'en' ? primary : undefined;
}

/** Picks the messages of a reader's language. */
export function inLanguages<Messages>(
  languages: Readonly<Record<Language, Messages>>,
): (reader: Reader) => Messages {
  return ({language = 'en'}) => languages[language];
}

/** The text in a reader's language; a text of another layer as it is. */
export function say(message: Message, {language = 'en'}: Reader): string {
  return typeof message === 'string' ? message : message[language];
}

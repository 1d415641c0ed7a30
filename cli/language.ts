/** The language of the screen: decided once from the command line and the environment, then passed to each text. */

import {readFileSync} from 'node:fs';

import {once} from '../machines/domain/once.ts';
import {type Catalogue, type Message, messageText} from '../machines/message.ts';
import type {Environment} from './terminal.ts';
import {shippedFile} from './version.ts';

export type Language = 'en' | 'ja';

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
export function tryLanguage(locale: string | undefined): Language | undefined {
  const [primary] = (locale ?? '').toLowerCase().split(/[-_.@]/);
  return primary === 'ja' || primary === 'en' ? primary : undefined;
}

/** The words of a message in the language of its reader. */
export function say(message: Message | string, {language = 'en'}: Reader): string {
  return messageText(message, language === 'en' ? undefined : japanese());
}

/** A word of the protocol, such as a phase or a state. One without a translation stands for itself. */
export function protocolWord(word: string): Message {
  return {text: `${word}{:word}`, values: []};
}

/** A word of the protocol as its reader calls it. */
export function wordIn(word: string, reader: Reader): string {
  return say(protocolWord(word), reader);
}

const japanese = once((): Catalogue => {
  const texts: Record<string, string> = JSON.parse(
    readFileSync(shippedFile('cli/texts/ja.json'), 'utf8'),
  );
  return new Map(Object.entries(texts));
});

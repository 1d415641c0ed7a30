/** The language of the page: `?lang=en` or `?lang=ja`, else the browser's. */

import {messageText, t as message, type Value} from '../../../../machines/message.ts';
import japanese from './ja.json' with {type: 'json'};

export const language: 'en' | 'ja' = chosen();

const catalogue = language === 'ja' ? new Map(Object.entries(japanese)) : undefined;

/** A text in the language of the page. */
export function t(parts: TemplateStringsArray, ...values: readonly Value[]): string {
  return messageText(message(parts, ...values), catalogue);
}

/** A word of the protocol, such as a status, as the reader calls it. One without a translation stands for itself. */
export function word(text: string): string {
  return messageText({text: `${text}{:word}`, values: []}, catalogue);
}

function chosen(): 'en' | 'ja' {
  const wanted = new URLSearchParams(location.search).get('lang') ?? navigator.language;
  return wanted.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}

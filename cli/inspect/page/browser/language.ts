/** The language of the page: ?lang=en or ?lang=ja, else the browser's; times and numbers in its words. */

import {t as message, messageText, type Value} from '../../../../machines/message.ts';
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

// Times and numbers in words.

const clock = new Intl.DateTimeFormat(language, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});
const numbers = new Intl.NumberFormat(language);
const money = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

export function clockTime(at: number): string {
  return clock.format(at);
}

export function grouped(count: number): string {
  return numbers.format(count);
}

export function dollars(amount: number): string {
  return money.format(amount);
}

/** `850 ms`, `1.2 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
}

/** Warnings as a screen shows them. Their text is English, as programs read it; sentences that have a translation get it. */

import {offlineSentences} from '../../actors/config/offline-lines.ts';
import {type Reader, say} from '../language.ts';
import {oneLine} from './text.ts';

const maxMessage = 1000;

export function warningText(message: string, reader: Reader): string {
  return `${say({en: 'warning', ja: '警告'}, reader)}: ${oneLine(warningIn(message, reader), maxMessage)}`;
}

function warningIn(message: string, {language = 'en'}: Reader): string {
  if (language === 'en') return message;
  return Object.values(offlineSentences)
    .reduce((text, sentence) => text.replace(sentence.en, () => sentence[language]), message)
    .replaceAll('。 ', '。');
}

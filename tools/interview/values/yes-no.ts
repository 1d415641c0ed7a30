/** Yes and no, in English, Japanese and a few words of other languages. */

import {yesNoWords} from '../data/tables.ts';
import {type Folded, quotedPart} from '../fold.ts';
import type {ValueReading} from './reading.ts';

const opening =
  /^(?:(?:well|oh|um|uh|hmm|so|ah|yes but|えーと|えっと|あの|まあ)[, ]+)*(?<word>yes|yeah|yep|yup|sure|no|nope|nah|はい|ええ|うん|いいえ|いえ|いや)(?=[\s,.!;:…-])/i;
const other: Readonly<Record<'yes' | 'no', RegExp>> = {
  yes: /\b(?:no|nope|not|n't)\b|いいえ|違い|ません/i,
  no: /\b(?:yes|yeah|yep|sure)\b|はい/i,
};
const harmless = /\bno (?:problem|worries|doubt|trouble|question)\b/gi;

const maxLength = 500;

export function readYesNo(folded: Folded): ValueReading<boolean> {
  const value = yesOrNo(folded.text);
  if (value === undefined) return {problem: (texts) => texts.notYesNo};
  return {value, quote: quotedPart(folded, 0, folded.text.length)};
}

/** Undefined for anything that is not clearly one of them: `maybe`, `yes and no`. */
export function yesOrNo(text: string): boolean | undefined {
  if (text.length > maxLength) return undefined;
  const whole = text
    .replaceAll(/[\s,.!~…ー-]+/gu, ' ')
    .trim()
    .replace(/ ?(?:please|thanks|thank you|お願いします)$/i, '');
  const words = yesNoWords();
  const answer = words.get(whole.toLowerCase());
  if (answer !== undefined) return answer;
  const word = opening.exec(`${text.trim()} `)?.groups?.['word']?.toLowerCase();
  if (word === undefined) return undefined;
  const isYes = words.get(word) === true;
  const rest = text.toLowerCase().replace(word, '').replaceAll(harmless, '');
  return other[isYes ? 'yes' : 'no'].test(rest) ? undefined : isYes;
}

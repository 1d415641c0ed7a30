/** Yes and no, in English, Japanese and a few words of other languages. */

import {type Folded, quoted} from '../fold.ts';
import type {ValueReading} from './reading.ts';

const yes =
  /^(?:y|yes|yeah|yep|yup|ya|aye|sure|certainly|definitely|absolutely|of course|indeed|correct|right|true|ok|okay|affirmative|i do|i am|i have|i did|i can|i will|i would|it is|it does|that's right|that is right|why not|no problem|はい|ええ|うん|そう|そうです|その通り|その通りです|もちろん|もちろんです|あります|います|できます|大丈夫|大丈夫です|可能|可能です|有|有り|あり|イエス|オーケー|是|是的|네|예|sí|si|oui|ja|da|да|sim)$/i;
const no =
  /^(?:n|no|nope|nah|never|not really|not at all|of course not|certainly not|definitely not|absolutely not|incorrect|false|negative|not yet|i don't|i do not|i'm not|i am not|i haven't|i have not|i didn't|i did not|i can't|i cannot|i won't|it isn't|it is not|it doesn't|いいえ|いえ|いや|ううん|違う|違います|ちがいます|ない|ないです|なし|ありません|いません|できません|無|無し|ノー|不是|否|아니요|아니오|non|nein|нет|não)$/i;
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
  return {value, quote: quoted(folded, 0, folded.text.length)};
}

/** Undefined for anything that is not plainly one of them: `maybe`, `yes and no`. */
export function yesOrNo(text: string): boolean | undefined {
  if (text.length > maxLength) return undefined;
  const whole = text
    .replaceAll(/[\s,.!~…ー-]+/gu, ' ')
    .trim()
    .replace(/ ?(?:please|thanks|thank you|お願いします)$/i, '');
  if (yes.test(whole)) return true;
  if (no.test(whole)) return false;
  const word = opening.exec(`${text.trim()} `)?.groups?.['word']?.toLowerCase();
  if (word === undefined) return undefined;
  const isYes = yes.test(word);
  const rest = text.toLowerCase().replace(word, '').replaceAll(harmless, '');
  return other[isYes ? 'yes' : 'no'].test(rest) ? undefined : isYes;
}

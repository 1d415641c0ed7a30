/** Detects a question, which is answered with tools that only read, in place of a task, which costs more and may change files. */

import {t} from '../../machines/message.ts';

export const readAsQuestion = t`Read as a question, answered with tools that only read. To make it a task, begin with /agent.`;

/** `Can you add a test?` and 〜くれませんか ask for work, as does `When the build fails, retry it.` */
export function isQuestion(text: string): boolean {
  const whole = text.trim();
  const last = whole.split(/(?<=[.!?。！？])\s*(?=\S)|\n/u).at(-1) ?? whole;
  if ([whole, last].some((part) => isPolite(part))) return false;
  return /[?？]["”』」)）]*$|か。?$/u.test(whole) || questionWord.test(whole);
}

/** More than a word, in Japanese more than a yes or no. */
export function isSentence(text: string): boolean {
  return (
    /\S\s+\S/u.test(text) ||
    /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]\S{5}/u.test(text)
  );
}

const questionWord =
  /^(?:what|why|how|which|who|whose|where(?! (?:possible|needed|necessary|appropriate)))(?:['’]s)?\b(?! about\b)/i;

function isPolite(text: string): boolean {
  return (
    polite.test(text) ||
    /(?:くれ|もらえ|いただけ|頂け|ください|下さい)\p{Script=Hiragana}*[?？。]*$/u.test(text)
  );
}

const polite =
  /^(?:please\b|(?:so |and |now |then )?(?:can|could|would|will) (?:you|we)\b|why (?:don['’]t|not)\b|how about\b)|\b(?:can|could|would|will) you\s*\?$|\b(?:please|ok|okay|right)\s*\?$/i;

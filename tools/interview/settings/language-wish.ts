/** A wish to speak another language, expressed in reply to another question. */

import {fold} from '../fold.ts';
import {languagesIn} from './languages.ts';

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

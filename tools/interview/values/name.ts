/** Names: a text field for a name takes no sentence and no address. */

import {typeOf} from '../../../machines/questionnaire/field-types.ts';
import type {FormField} from '../../../machines/questionnaire/questionnaire.ts';
import type {Folded} from '../fold.ts';

/** The field asks for a name, and for nothing else. */
export function isOfName(field: FormField): boolean {
  const {label, id} = field;
  if (typeOf(field).isProse !== true || further.test(label)) return false;
  return /\bname\b|名前|氏名/i.test(`${label} ${id.replaceAll(/[_-]/g, ' ')}`);
}

const further = /\b(?:and|or|address|e-?mail|why)\b|住所|メール|[/・、]/i;

const maxWords = 6;
const maxLength = 60;
const letters = /^[\p{L}\p{M}\p{N}'.&・=\s-]+$/u;
const ofSentences =
  /^(?:i|im|i'm|i'd|i'll|me|my|mine|we|you|your|it|it's|that|that's|this|is|am|are|was|were|be|will|would|can|could|have|has|do|does|don't|not|no|none|nothing|nope|yes|yeah|ok|okay|sure|please|thanks|thank|hello|hi|hey|sorry|well|what|why|how|who|when|where|want|need|like|live|leaving|going|at|in|on|to|from|with|for|by|about|because|if|so|but|just|call|email|mail|phone)$/i;
const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const japaneseSentence =
  /(?:です|ます|ました|ません|ください|下さい|たい|よね|かな|した|する|ない|なし|こと|もの)$|[をへ]|\p{N}/u;

/** True for folded words that can be a name. A name with a word of a sentence, such as I Wayan Balik, is accepted when it is repeated. */
export function isName(text: string): boolean {
  const words = text.trim().split(/\s+/);
  const isShort = text.trim().length <= maxLength && words.length <= maxWords;
  if (!isShort || !letters.test(text) || !/\p{L}/u.test(text) || /\p{N}{3}/u.test(text))
    return false;
  if (isJapanese(text)) return !japaneseSentence.test(text.trim());
  return !words.some((word) => ofSentences.test(word));
}

export function isJapanese(text: string): boolean {
  return japanese.test(text);
}

/** `before`: the person's previous reply on the same field. */
export function isRepeated({text}: Folded, before: Folded | undefined): boolean {
  return before?.text.trim().toLowerCase() === text.trim().toLowerCase();
}

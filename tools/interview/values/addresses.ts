/** Addresses of mail and of the web, and phone numbers. */

import {createRequire} from 'node:module';

import type * as Phones from 'libphonenumber-js/min';

import {typeOf} from '../../../machines/questionnaire/field-types.ts';
import type {FormField} from '../../../machines/questionnaire/questionnaire.ts';
import {type Folded, quotedPart} from '../fold.ts';
import {
  type Complaint,
  isTooLong,
  type Occurrence,
  type ReadingContext,
  type ValueReading,
} from './reading.ts';

const mail =
  /(?<![a-z0-9!#$%&'*+/=?^_`{|}~.@-])(?:mailto:)?([a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,8})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z](?:[a-z0-9-]{0,61}[a-z0-9]))(?![a-z0-9@-]|\.[a-z0-9])/gi;

/** The domain in lower case; the local part unchanged, as mail servers may distinguish cases. */
export function emailsIn(text: string): Occurrence<string>[] {
  return [...text.matchAll(mail)].flatMap(({0: token, 1: name = '', 2: domain = '', index}) =>
    name.length > 64
      ? []
      : [{value: `${name}@${domain.toLowerCase()}`, start: index, end: index + token.length}],
  );
}

export function readEmail(folded: Folded): ValueReading<string> {
  return only(
    folded,
    emailsIn,
    (texts) => texts.notEmail,
    (texts) => texts.severalEmails,
  );
}

const web =
  /(?<![a-z0-9@.:/-])(?:https?:\/\/[^\s<>"'`,\u3000-\u303f\u3040-\uffff]{1,1000}|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}(?![a-z0-9@-])(?::\d{1,5})?(?:[/?#][^\s<>"'`,\u3000-\u303f\u3040-\uffff]{0,1000})?)/gi;

/** With the schemes http and https, https if none is given; in the form that browsers write. */
export function urlsIn(text: string): Occurrence<string>[] {
  return [...text.matchAll(web)].flatMap(({0: token, index}) => {
    const address = token.replace(/[.;:!?)\]}*_]+$/, '');
    const value = urlOf(address);
    return value === undefined ? [] : [{value, start: index, end: index + address.length}];
  });
}

function urlOf(address: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  if (!url || url.username !== '' || !/[.:]|^localhost$/.test(url.hostname)) return undefined;
  return url.pathname === '/' && url.search === '' && url.hash === '' ? url.origin : url.href;
}

export function readUrl(folded: Folded): ValueReading<string> {
  return only(
    folded,
    urlsIn,
    (texts) => texts.notUrl,
    (texts) => texts.severalUrls,
  );
}

const load = createRequire(import.meta.url);

/** Loaded with the first number: its tables of all countries are large. */
function phoneLibrary(): typeof Phones {
  const library: typeof Phones = load('libphonenumber-js/min');
  return library;
}

/** E.164. A number without a country code belongs to the respondent's country. */
export function phonesIn(text: string, {country}: ReadingContext): Occurrence<string>[] {
  if (!/\d.{0,3}\d/.test(text)) return [];
  const {findPhoneNumbersInText, isSupportedCountry} = phoneLibrary();
  const known = country !== undefined && isSupportedCountry(country);
  const found = findPhoneNumbersInText(text, known ? {defaultCountry: country} : {});
  return found.map(({number, startsAt, endsAt}) => ({
    value: number.number,
    start: startsAt,
    end: endsAt,
  }));
}

export function readPhone(folded: Folded, context: ReadingContext): ValueReading<string> {
  const hasCode = folded.text.includes('+') || context.country !== undefined;
  return only(
    folded,
    (text) => phonesIn(text, context),
    (texts) => (hasCode || !/\d{3}/.test(folded.text) ? texts.notPhone : texts.phoneWithoutCountry),
    (texts) => texts.severalPhones,
  );
}

function only(
  folded: Folded,
  find: (text: string) => readonly Occurrence<string>[],
  none: Complaint,
  several: Complaint,
): ValueReading<string> {
  const found = isTooLong(folded) ? [] : find(folded.text);
  const [first] = found;
  if (!first) return {problem: none};
  if (found.some(({value}) => value !== first.value)) return {problem: several};
  return {value: first.value, quote: quotedPart(folded, first.start, first.end)};
}

// Names: a text field for a name takes no sentence and no address.

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

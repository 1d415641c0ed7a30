/** Addresses of mail and of the web, and phone numbers. */

import {createRequire} from 'node:module';

import type * as Phones from 'libphonenumber-js/min';

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

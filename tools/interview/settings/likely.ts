/** Settings of a respondent that their device suggests. */

import {
  type KnownRespondent,
  type Respondent,
  sections,
} from '../../../machines/questionnaire/answers.ts';
import {countryOfCity} from './countries.ts';
import {languageTag} from './languages.ts';
import {zonesIn} from './time-zones.ts';

export interface Device {
  /** Of a program or a browser: `de-DE`, `de_DE.UTF-8`. */
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
}

/** Adds to the stated settings those that the device suggests, marked as assumed. */
export function withLikely(stated: Respondent, device: Device): KnownRespondent {
  const likely = likelyOf(device);
  const assumed = sections.filter(
    (each) => stated[each] === undefined && likely[each] !== undefined,
  );
  return {...likely, ...stated, ...(assumed.length > 0 ? {assumed} : {})};
}

function likelyOf({locale = '', timezone = ''}: Device): Respondent {
  const language = languageTag(locale.split(/[.@]/)[0] ?? '');
  const [zone] = timezone === '' ? [] : zonesIn(timezone, undefined);
  const country = zone === undefined ? undefined : countryOf(zone, language);
  return {
    ...(language && {language}),
    ...(country && {country}),
    ...(zone && {timezone: zone}),
  };
}

/** That of the time zone, unless the language names another: a locale such as en-US is used in many countries. */
function countryOf(zone: string, language: string | undefined): string | undefined {
  const country = countryOfCity(zone);
  const region = language === undefined ? undefined : new Intl.Locale(language).region;
  return region === undefined || region === country ? country : undefined;
}

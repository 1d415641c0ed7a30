/** Reads a language, a country or a time zone from a person's words, by rule. */

import {languageOfRequest, languageOfScript} from '../../machines/domain/language.ts';
import type {
  Route,
  SettingReading,
  SettingToRead,
} from '../../machines/questionnaire/answer-reading.ts';
import type {Respondent} from '../../machines/questionnaire/answers.ts';
import {fold, type Folded} from './fold.ts';
import {
  countriesIn,
  countryName,
  countryNear,
  countryOfCity,
  languagesIn,
  languageTag,
  clocksOf,
  zonesIn,
} from './settings.ts';
import {clearChoice} from './values/choice.ts';

/** Longer replies contain more than a place of residence. */
const maxLength = 500;

/** Never rejects. */
export async function readSetting(setting: SettingToRead): Promise<SettingReading> {
  return readNow(setting);
}

const settingNamed =
  /^(?:(?:no|sorry|actually|please)[,. ]+)*(?:change |set )?(?:my |the )?(?<name>language|country|time ?zone)(?: is| to| should be|:|=)* +(?<said>.+?)[.!]?$/i;
const settingNamedInJapanese =
  /^(?<name>言語|(?:お住まいの)?国|タイムゾーン)(?:は|を|:)? *(?<said>.+?)(?:です|に(?:して|変更|変えて).{0,10}|でお願いします)?[.!]?$/u;
const maxWords = 3;
const maxChangeLength = 100;

/** `Time zone: Tokyo`, 国はドイツです, or the name of a country, of a zone or of a language alone. */
export function changedSetting({text}: Folded, known: Respondent): Route | undefined {
  if (text.length > maxChangeLength) return undefined;
  const whole = text.trim();
  const {name = '', said = whole} =
    (settingNamed.exec(whole) ?? settingNamedInJapanese.exec(whole))?.groups ?? {};
  const isChange = said.split(/\s+/).length <= maxWords && !whole.endsWith('?');
  return isChange ? (placeIn(name, said, known) ?? languageIn(name, said)) : undefined;
}

function placeIn(name: string, text: string, {language, country}: Respondent): Route | undefined {
  const known = {...(language && {language}), ...(country && {country})};
  return (['country', 'timezone'] as const)
    .filter((section) => name === '' || sectionNames[section].test(name))
    .flatMap((section): Route[] => {
      const {value} = readNow({...known, section, text});
      return value === undefined ? [] : [{kind: 'setting', section, value}];
    })[0];
}

function languageIn(name: string, text: string): Route | undefined {
  const isOther = name !== '' && !sectionNames.language.test(name);
  const [wished, second] = isOther ? [] : languagesIn(text);
  return wished && !second ? {kind: 'language', language: wished.code} : undefined;
}

const sectionNames = {language: /language|言語/i, country: /country|国/i, timezone: /zone|ゾーン/i};

function readNow(setting: SettingToRead): SettingReading {
  const text = fold(setting.text.slice(0, maxLength)).text.trim();
  switch (setting.section) {
    case 'language':
      return readLanguage(text);
    case 'country':
      return readCountry(text, setting.language);
    case 'timezone':
      return text === '' ? inferred(setting.country) : readTimezone(text, setting.country);
    default:
      return setting.section satisfies never;
  }
}

function readLanguage(text: string): SettingReading {
  const tag = languageTag(text);
  const [only, second] = languagesIn(text);
  if (only && !second) return {value: only.code};
  if (second)
    return {
      problem: 'several languages are named',
      choices: languagesIn(text).map(({code}) => code),
    };
  const value = tag ?? languageOfScript(text) ?? languageOfSentence(text);
  return value === undefined
    ? {problem: 'the language is unknown; give a BCP 47 tag such as "en" or "ja"'}
    : {value};
}

/** A few words may be names. */
function languageOfSentence(text: string): string | undefined {
  return text.split(/\s+/).length < 4 ? undefined : languageOfRequest(text);
}

function readCountry(text: string, language: string | undefined): SettingReading {
  const [only, ...others] = countriesIn(text);
  if (only === undefined) return unknownCountry(text, language);
  if (others.length === 0) return {value: only};
  const choices = [only, ...others].map((code) => countryName(code, language));
  return {problem: 'it may be one of several countries', choices};
}

function unknownCountry(text: string, language: string | undefined): SettingReading {
  const [zone] = text === '' ? [] : zonesIn(text, undefined);
  const byCity = zone === undefined ? undefined : countryOfCity(zone);
  if (byCity !== undefined) return {value: byCity};
  const near = countryNear(text);
  const problem = 'the country is unknown; give its name or its ISO 3166-1 code such as "JP"';
  return near === undefined ? {problem} : {problem, choices: [countryName(near, language)]};
}

function readTimezone(text: string, country: string | undefined): SettingReading {
  const clocks = country === undefined ? [] : clocksOf(country);
  const chosen = /^\W*\d{1,2}\W*$/.test(text) ? clearChoice(text, clocks) : undefined;
  if (chosen !== undefined) return {value: chosen};
  const [only, ...others] = zonesIn(text, country);
  if (only === undefined)
    return {
      problem: 'the time zone is unknown; give an IANA name such as "Asia/Tokyo"',
      choices: clocks,
    };
  if (others.length === 0) return {value: only};
  return {problem: 'it may be one of several time zones', choices: [only, ...others]};
}

/** One zone, or several that always show the same time. */
function inferred(country: string | undefined): SettingReading {
  if (country === undefined) return {problem: 'the country is unknown'};
  const [only, ...others] = clocksOf(country);
  if (only === undefined) return {problem: `no time zone is known for ${country}`};
  return others.length === 0
    ? {value: only}
    : {problem: `${country} has several time zones`, choices: [only, ...others]};
}

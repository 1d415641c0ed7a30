/** Formats a value for people. */

import {inputFor} from './field-inputs.ts';
import type {Field, Standing, Value} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';

export function shownValue(field: Field, {language, say}: Texts): string {
  const {value} = field;
  const locale = localeFor(language);
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value);
  if (typeof value === 'string')
    return inputFor(field).control === 'date' ? shownDate(value, locale) : value;
  return new Intl.ListFormat(locale, {type: 'unit'}).format(value);
}

/** The browser's own locale of this language, such as en-GB, if it has one. */
function localeFor(language: string): string {
  const isSame = (tag: string): boolean => tag.toLowerCase().split('-')[0] === language;
  return navigator.languages.find(isSame) ?? language;
}

function shownDate(iso: string, locale: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(locale, {dateStyle: 'long', timeZone: 'UTC'}).format(date);
}

/** The settings that the person did not state, in words. */
export function assumedSettings(standing: Standing, {language}: Texts): readonly string[] {
  const {assumed = [], timezone} = standing;
  const nameOf = (type: 'language' | 'region', code = ''): string | undefined =>
    code === '' ? undefined : new Intl.DisplayNames(language, {type}).of(code);
  const names = {
    language: nameOf('language', standing.language?.split('-')[0]),
    country: nameOf('region', standing.country),
    timezone,
  };
  return assumed.flatMap((setting) => names[setting] ?? []);
}

/** Formats a value for editing. */
export function typedValue(value: Value | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

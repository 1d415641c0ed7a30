/** A value as a person reads it. */

import type {Texts} from './texts/texts.ts';
import type {Field, Value} from './wire.ts';

export function shownValue({type, value}: Field, {language, say}: Texts): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  if (typeof value === 'number') return new Intl.NumberFormat(language).format(value);
  if (typeof value === 'string') return type === 'date' ? shownDate(value, language) : value;
  return new Intl.ListFormat(language, {type: 'unit'}).format(value);
}

function shownDate(iso: string, language: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language, {dateStyle: 'long', timeZone: 'UTC'}).format(date);
}

/** A value as it is typed. */
export function typedValue(value: Value | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

/** Values for other fields that a reply plainly holds: an address where only one field asks for one, a choice by its full name. */

import type {Found} from '../../machines/domain/answer-reading.ts';
import type {FormField} from '../../machines/domain/questionnaire.ts';
import {fold, type Folded, typed} from './fold.ts';
import {emailsIn, phonesIn, urlsIn} from './values/addresses.ts';
import type {Occurrence, ReadingContext} from './values/reading.ts';
import {readValue} from './values/value.ts';

/** The rest of a longer reply is not searched. */
const maxSearched = 10_000;

export interface Discovery {
  readonly found: readonly Found[];
  /** The reply without them, where something is left; verbatim. */
  readonly rest?: string;
}

/** `open` are the fields that may be given a value; `current` has the first claim to one of its own type. */
export function foundIn(
  folded: Folded,
  open: readonly FormField[],
  current: FormField | undefined,
  context: ReadingContext,
): Discovery {
  const searched = folded.text.slice(0, maxSearched);
  const places = (['email', 'url', 'phone'] as const).flatMap((type) =>
    placesOf(type, searched, open, current, context),
  );
  const valid = places.filter(
    ({field, quote}) => 'value' in readValue(field, fold(quote(folded)), context),
  );
  const found = valid.map(({field, value, quote}) => ({
    field: field.id,
    value,
    quote: quote(folded),
  }));
  const choices = choicesIn(folded, open, current);
  const rest = current?.type === 'text' ? restOf(folded, valid) : undefined;
  return {found: [...found, ...choices], ...(rest === undefined ? {} : {rest})};
}

interface Place extends Occurrence<string> {
  readonly field: FormField;
  readonly quote: (folded: Folded) => string;
}

function placesOf(
  type: 'email' | 'url' | 'phone',
  text: string,
  open: readonly FormField[],
  current: FormField | undefined,
  context: ReadingContext,
): Place[] {
  const [field, second] = open.filter((other) => other.type === type);
  if (!field || second || current?.type === type) return [];
  const [only, other] = occurrencesOf(type, text, context);
  if (!only || other) return [];
  return [{...only, field, quote: (folded) => typed(folded, only.start, only.end)}];
}

function occurrencesOf(
  type: 'email' | 'url' | 'phone',
  text: string,
  context: ReadingContext,
): readonly Occurrence<string>[] {
  if (type === 'email') return emailsIn(text);
  return type === 'url' ? urlsIn(text) : phonesIn(text, context);
}

/** Shorter names, and these, stand in too many sentences. */
const tooCommon =
  /^(?:.{0,3}|other|none|some|never|often|always|both|maybe|sometimes|full|part|more|less|high|low|good|well|work|home)$/i;
const tooCommonJapanese = /^(?:.|その他|なし|あり|不明|はい|いいえ)$/u;

/** Only where the reply names a single choice of all open fields with choices. */
function choicesIn(
  folded: Folded,
  open: readonly FormField[],
  current: FormField | undefined,
): Found[] {
  const {text} = folded;
  if (text.length > 500) return [];
  const named = open
    .filter(({type, id}) => type === 'choice' && id !== current?.id)
    .flatMap((field) =>
      (field.choices ?? []).flatMap((choice) => occurrencesOfChoice(folded, field, choice)),
    );
  const [only, second] = named;
  const isCurrents =
    current?.choices?.some((choice) => text.toLowerCase().includes(choice.toLowerCase())) === true;
  return only && !second && !isCurrents && !/\b(?:not|no)\b|n't\b|ない|ません/i.test(text)
    ? [only]
    : [];
}

function occurrencesOfChoice(folded: Folded, field: FormField, choice: string): Found[] {
  const name = fold(choice).text.toLowerCase();
  const isNative = /[^ -~]/.test(name);
  if ((isNative ? tooCommonJapanese : tooCommon).test(name)) return [];
  const {text} = folded;
  const at = text.toLowerCase().indexOf(name);
  if (at < 0) return [];
  const around = `${text.charAt(at - 1)}${text.charAt(at + name.length)}`;
  if (!isNative && /[\p{L}\p{N}]/u.test(around)) return [];
  return [{field: field.id, value: choice, quote: typed(folded, at, at + name.length)}];
}

const fillers =
  /^(?:and|my|me|is|the|at|on|it's|its|you|can|reach|contact|by|or|i'm|i|am|also|email|e-mail|mail|phone|tel|telephone|mobile|number|website|url|address|です|で|は|と|が|メール|メールアドレス|電話|電話番号|番号|連絡先)$/i;

/** Of a list of several values, the part that is none of them: `Ann Lee` of `Ann Lee, ann@example.org`. */
function restOf(folded: Folded, places: readonly Place[]): string | undefined {
  if (places.length === 0) return undefined;
  const parts = splitBy(folded, /[\n,;/]| and | - /g);
  const left = parts.filter(({start, end}) => {
    const inside = places.filter((place) => place.start < end && place.end > start);
    return inside.length === 0 && /[\p{L}\p{N}]/u.test(folded.text.slice(start, end));
  });
  const isPlain = parts.every((part) => left.includes(part) || holdsOnly(folded, part, places));
  const [only, second] = left;
  if (!isPlain || !only || second) return undefined;
  return typed(folded, only.start, only.end);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function splitBy({text}: Folded, separator: RegExp): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const {0: mark, index} of text.matchAll(separator)) {
    spans.push({start, end: index});
    start = index + mark.length;
  }
  return [...spans, {start, end: text.length}].filter(
    ({start: from, end}) => text.slice(from, end).trim() !== '',
  );
}

function holdsOnly({text}: Folded, {start, end}: Span, places: readonly Place[]): boolean {
  let rest = text.slice(start, end);
  for (const place of places) {
    if (place.start >= start && place.end <= end)
      rest = rest.replace(text.slice(place.start, place.end), ' ');
  }
  return rest.split(/[^\p{L}\p{N}'-]+/u).every((word) => word === '' || fillers.test(word));
}

/** Values for other fields that a reply plainly holds: an address where only one field asks for one, a choice by its full name. */

import type {Found} from '../../machines/questionnaire/answer-reading.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
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
  /^(?:and|my|me|call|text|write|to|is|the|at|on|it's|its|you|can|reach|contact|by|or|i'm|i|am|also|email|e-mail|mail|phone|tel|telephone|mobile|number|website|url|address|です|で|は|と|が|メール|メールアドレス|電話|電話番号|番号|連絡先)$/i;

const separators =
  /[\n,;/<>()]| and | - |[.] (?=(?:my|you|call|e-?mail|phone|tel|reach|contact)\b)/gi;

/** Of a list of several values, the part that is none of them: `Ann Lee` of `Ann Lee, ann@example.org`. */
function restOf(folded: Folded, places: readonly Place[]): string | undefined {
  if (places.length === 0) return undefined;
  const masked = places.reduce(
    (text, {start, end}) => `${text.slice(0, start)}${mask.repeat(end - start)}${text.slice(end)}`,
    folded.text,
  );
  const spans = spansOf(masked);
  const left = spans.filter(({text}) => !text.includes(mask) && /[\p{L}\p{N}]/u.test(text));
  const [only, second] = left;
  const areValues = spans.every((span) => left.includes(span) || holdsOnlyFillers(span.text));
  if (!only || second || !areValues) return undefined;
  return typed(folded, only.start, only.end);
}

/** Stands in place of what was found. */
const mask = '\u0000';

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function spansOf(text: string): Span[] {
  const ends = [...text.matchAll(separators)].map(
    ({0: mark, index}) => [index, mark.length] as const,
  );
  let start = 0;
  return [...ends, [text.length, 0] as const].map(([end, length]) => {
    const span = {text: text.slice(start, end), start, end};
    start = end + length;
    return span;
  });
}

function holdsOnlyFillers(text: string): boolean {
  return text.split(/[^\p{L}\p{N}'-]+/u).every((word) => word === '' || fillers.test(word));
}

/**
 * Values for other fields that a reply clearly contains: an address, a day or a number if only one field can take it, a choice by
 * its full name.
 */

import type {Found} from '../../machines/questionnaire/answer-reading.ts';
import {typeOf} from '../../machines/questionnaire/field-types.ts';
import type {FormField, AnswerValue} from '../../machines/questionnaire/questionnaire.ts';
import {fillers} from './data/tables.ts';
import {readerOf, fieldReaders, readValue} from './field-readers.ts';
import {fold, type Folded, typed} from './fold.ts';
import {withoutName} from './labels.ts';
import {emailsIn, urlsIn, isJapanese, isName, isOfName} from './values/addresses.ts';
import {numbersIn, withoutDates} from './values/number.ts';
import type {Occurrence, ReadingContext} from './values/reading.ts';

interface Discovery {
  readonly found: readonly Found[];
  /** The reply without these values, verbatim; empty if nothing is left. Absent: the whole reply. */
  readonly rest?: string;
}

/** `open`: the fields that may receive a value; `current` takes precedence for a value of its own type. */
export function foundIn(
  folded: Folded,
  open: readonly FormField[],
  current: FormField | undefined,
  context: ReadingContext,
): Discovery {
  const places = placesIn(folded, open, current, context);
  const choices = choicesIn(folded, open, current);
  const found = [...places, ...choices].map(toFound);
  if (!current || !typeOf(current).isProse) return {found};
  const rest = restOf(folded, places);
  if (rest !== undefined && !isSentence(rest, current)) return {found, rest};
  return isSentence(folded.raw, current)
    ? besideName(folded, [...places.filter(isDated), ...choices])
    : besideStory(folded, places, choices);
}

/** More than the name that the field asks for. */
function isSentence(text: string, field: FormField): boolean {
  return isOfName(field) && !isName(withoutName(fold(text), field).text);
}

function besideName(folded: Folded, places: readonly Place[]): Discovery {
  const name = nameIn(folded, places, true);
  return {found: places.map(toFound), ...(name === undefined ? {} : {rest: name})};
}

/** In a story, a day or a number may be about anything. */
function besideStory(
  folded: Folded,
  places: readonly Place[],
  choices: readonly Place[],
): Discovery {
  const addresses = places.filter(({field}) => readerOf(field).isAddress);
  return {
    found: [...addresses, ...choices].map(toFound),
    rest: withoutValues(folded, addresses),
  };
}

/** In a story, a day counts if it is written out: `nice weather today` gives no date. */
function isDated({field, quote}: Place): boolean {
  return typeOf(field).isDay !== true || /\p{N}/u.test(fold(quote).text);
}

/** In reply to a question that is not about a field: addresses, days, and a name that is introduced as one. */
export function foundAside(
  folded: Folded,
  open: readonly FormField[],
  context: ReadingContext,
): readonly Found[] {
  const places = placesIn(folded, open, undefined, context).filter(isDated);
  const [field, second] = open.filter(isOfName);
  const name = field && !second ? nameIn(folded, places, false) : undefined;
  const named = field && name !== undefined ? [{field: field.id, value: name, quote: name}] : [];
  return [...named, ...places.map(toFound)];
}

function toFound({field: {id}, value, quote}: Place): Found {
  return {field: id, value, quote};
}

/** Shorter names, and these, occur in too many sentences. */
const tooCommon =
  /^(?:.{0,3}|other|none|some|never|often|always|both|maybe|sometimes|full|part|more|less|high|low|good|well|work|home)$/i;
const tooCommonJapanese = /^(?:.|その他|なし|あり|不明|はい|いいえ)$/u;

/** By field: a single choice that the reply names, or several if the field allows several; none if the reply negates or weighs something. */
function choicesIn(
  folded: Folded,
  open: readonly FormField[],
  current: FormField | undefined,
): Place[] {
  const {text} = folded;
  if (text.length > 500 || unsure.test(text)) return [];
  const taken = new Set(current?.choices?.map((choice) => choice.toLowerCase()));
  const named = open
    .filter((field) => typeOf(field).choices)
    .flatMap((field) => (field.choices ?? []).flatMap((choice) => namedIn(folded, field, choice)))
    .filter(({choice}) => !taken.has(choice.toLowerCase()));
  const fieldsNamed = Map.groupBy(named, ({choice}) => choice.toLowerCase());
  const sure = named.filter(({choice}) => fieldsNamed.get(choice.toLowerCase())?.length === 1);
  return [...Map.groupBy(sure, ({field}) => field)].flatMap(([field, places]) =>
    chosen(folded, field, places),
  );
}

const unsure =
  /\b(?:not|no|or|maybe|perhaps|might|unless|instead)\b|n't\b|ない|ません|かも|たぶん|または|それとも/i;

interface NamedChoice {
  readonly field: FormField;
  readonly choice: string;
  readonly start: number;
  readonly end: number;
}

/** With the text from the first name to the last. */
function chosen(
  folded: Folded,
  field: FormField,
  places: readonly NamedChoice[],
): readonly Place[] {
  const start = Math.min(...places.map((place) => place.start));
  const end = Math.max(...places.map((place) => place.end));
  const quote = typed(folded, start, end);
  const [only, second] = places;
  const isSingle = typeOf(field).choices === 'one';
  if (!only || (second && isSingle) || (!isSingle && namesMore(folded, field, places))) return [];
  if (isSingle) return [{field, value: only.choice, quote, start, end}];
  const reading = readValue(field, fold(quote), {at: 0});
  return 'value' in reading ? [{field, ...reading, start, end}] : [];
}

/** A choice with a common name, such as Go, is named as well, or only mentioned. */
function namesMore(
  {text}: Folded,
  {choices = []}: FormField,
  places: readonly NamedChoice[],
): boolean {
  const others = choices.filter((each) => !places.some(({choice}) => choice === each));
  return others.some((each) => text.split(/[^\p{L}\p{N}+#]+/u).includes(fold(each).text));
}

function namedIn(folded: Folded, field: FormField, choice: string): NamedChoice[] {
  const name = fold(choice).text.toLowerCase();
  const isNative = /[^ -~]/.test(name);
  if ((isNative ? tooCommonJapanese : tooCommon).test(name)) return [];
  const {text} = folded;
  const start = text.toLowerCase().indexOf(name);
  if (start < 0) return [];
  const end = start + name.length;
  const around = `${text.charAt(start - 1)}${text.charAt(end)}`;
  return !isNative && /[\p{L}\p{N}]/u.test(around) ? [] : [{field, choice, start, end}];
}

// Finds the name in a reply that has more than a name.

const certain =
  /(?:^|[\s,.!])(?:my (?:full )?name is|my name's|name's|call me|(?:私の)?名前は) *(\S.*?)(?:です|と申します|といいます|と言います)?[\s.!]*$/iu;
const humbly =
  /^(?:(?:私|わたし|僕)は)? *(\S+(?: \S+)?)(?:と申します|といいます|と言います)[\s.!]*$/u;
const loosely = /(?:^|[\s,.!])(?:i'm|i am|this is|(?:私|わたし|僕)は) *(\S.*?)(?:です)?[\s.!]*$/iu;
const politely = /^(\S+(?: \S+)?)です[\s.!]*$/u;
const oneCapital = /^\p{Lu}\S*(?: \S+)*$/u;
const capitals = /^\p{Lu}\S*(?: \S+)* \p{Lu}\S*$/u;

/**
 * The name is introduced as one, or is the only text that can be one beside the values of other fields. `isAsked`: a name is asked
 * for, so that fewer signs suffice.
 */
function nameIn(
  folded: Folded,
  places: readonly Occurrence<unknown>[],
  isAsked: boolean,
): string | undefined {
  const spans = spansOf(masked(folded.text, places));
  const named = (read: (text: string) => string | undefined): readonly Occurrence<string>[] =>
    spans.flatMap(({text, start}) => {
      const value = read(text) ?? '';
      if (value === '' || value.includes(mask) || !isName(value)) return [];
      const at = start + text.lastIndexOf(value);
      return [{value, start: at, end: at + value.length}];
    });
  const introductions = named((text) => introduced(text, isAsked));
  const others = places.length > 0 ? named((text) => writtenName(text, isAsked)) : [];
  const [only, second] = introductions.length > 0 ? introductions : others;
  return only && !second ? typed(folded, only.start, only.end) : undefined;
}

function introduced(text: string, isAsked: boolean): string | undefined {
  const sure = saidIn(text, [certain, humbly]);
  const name = sure ?? saidIn(text, [loosely, politely]);
  return sure ?? (name === undefined ? undefined : writtenName(name, isAsked) || undefined);
}

function saidIn(text: string, patterns: readonly RegExp[]): string | undefined {
  return patterns.map((pattern) => pattern.exec(text)?.[1]).find((said) => said !== undefined);
}

/** Empty for words that are not written as a name. */
function writtenName(text: string, isAsked: boolean): string {
  const words = text.trim();
  const isWritten = isAsked
    ? oneCapital.test(words) || isJapanese(words)
    : capitals.test(words) && !isJapanese(words);
  return isWritten ? words : '';
}

// Finds addresses, days and numbers for other fields in a reply, and the text that remains without them.

/** The rest of a longer reply is not searched. */
const maxSearched = 10_000;

interface Place extends Occurrence<AnswerValue> {
  readonly field: FormField;
  /** Verbatim. */
  readonly quote: string;
}

/** Places whose value only one of the open fields can take, and not the current one. */
function placesIn(
  folded: Folded,
  open: readonly FormField[],
  current: FormField | undefined,
  context: ReadingContext,
): readonly Place[] {
  const searched = folded.text.slice(0, maxSearched);
  const typedPlaces = Object.entries(fieldReaders).flatMap(([type, {find}]) => {
    const [field, second] = open.filter((other) => other.type === type);
    if (!find || !field || second || current?.type === type) return [];
    const [only, other] = find(searched, context);
    return only && !other ? [{...only, field}] : [];
  });
  const valid = typedPlaces.map(quotedIn(folded)).filter((place) => canBe(place, context));
  const others = masked(searched, [...emailsIn(searched), ...urlsIn(searched), ...valid]);
  const numbers = numberIn(others, open, current, context).map(quotedIn(folded));
  return [...valid, ...numbers.filter((place) => canBe(place, context))];
}

/** The only number, for the only field that takes one, with nothing else in its part of the reply. */
function numberIn(
  text: string,
  open: readonly FormField[],
  current: FormField | undefined,
  context: ReadingContext,
): readonly Omit<Place, 'quote'>[] {
  const [field, secondField] = open.filter((one) => typeOf(one).value === 'number');
  if (!field || secondField || !current || canBeNumber([current, ...open], current)) return [];
  const plain = withoutDates(text, context);
  const [number, second] = numbersIn(plain, context);
  if (!number || second || number.end - number.start === text.trim().length) return [];
  const isAlone =
    /(?:^|[,;\n]|\band) *$/i.test(plain.slice(0, number.start)) &&
    /^ *(?:です)?(?:[,;.\n]|and\b|$)/i.test(plain.slice(number.end));
  return isAlone ? [{...number, field}] : [];
}

/** In a text a number may be about anything; a choice may be given by its number. */
function canBeNumber(fields: readonly FormField[], current: FormField): boolean {
  const {value, isProse} = typeOf(current);
  return value === 'number' || isProse === true || fields.some(({choices}) => choices);
}

function quotedIn(folded: Folded): (place: Omit<Place, 'quote'>) => Place {
  return (place) => ({...place, quote: typed(folded, place.start, place.end)});
}

/** A day without its year can be the answer as well: the year is asked for. */
function canBe({field, quote}: Place, context: ReadingContext): boolean {
  const folded = fold(quote);
  if ('value' in readValue(field, folded, context)) return true;
  return readerOf(field).isOpen?.(folded, context) === true;
}

const separators =
  /[\n,;/<>()]| and | - |[.] (?=(?:my|you|call|e-?mail|phone|tel|reach|contact|we|i)\b)|[.](?=[^ -~\n])/gi;

/** In a list of several values, the part that is not one of them: `Ann Lee` of `Ann Lee, ann@example.org`. */
function restOf(folded: Folded, places: readonly Place[]): string | undefined {
  if (places.length === 0) return undefined;
  const spans = spansOf(masked(folded.text, places));
  const left = spans.filter(({text}) => !text.includes(mask) && /[\p{L}\p{N}]/u.test(text));
  const [only, second] = left;
  const areValues = spans.every((span) => left.includes(span) || holdsOnlyFillers(span.text));
  if (!only || second || !areValues) return undefined;
  return typed(folded, only.start, only.end);
}

/** Replaces a found value. */
const mask = '\u0000';

function masked(text: string, places: readonly Occurrence<unknown>[]): string {
  return places.reduce(
    (rest, {start, end}) => `${rest.slice(0, start)}${mask.repeat(end - start)}${rest.slice(end)}`,
    text,
  );
}

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

/** The reply without the parts at its ends that hold nothing but these values; empty if nothing else is left. */
function withoutValues(folded: Folded, places: readonly Place[]): string {
  if (places.length === 0) return folded.raw;
  const words = spansOf(masked(folded.text, places)).filter(({text}) => !holdsOnlyFillers(text));
  const [first, last] = [words[0], words.at(-1)];
  return first && last ? typed(folded, first.start, last.end) : '';
}

function holdsOnlyFillers(text: string): boolean {
  const known = fillers();
  return text
    .split(/[^\p{L}\p{N}'-]+/u)
    .every((word) => word === '' || known.has(word.toLowerCase()));
}

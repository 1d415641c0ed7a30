/** Finds fields by the names that people use: their label, their id, a word of it, or their type. */

import {once} from '../../machines/domain/once.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {fieldReaders, readerOf} from './field-readers.ts';
import {fold, type Folded, typed} from './fold.ts';
import {isOfName} from './values/addresses.ts';

/** `exact`: the label, the id or the only field of its kind; `part`: words that occur in no other label. */
export interface NamedField {
  readonly field: FormField;
  readonly how: 'exact' | 'part';
}

const personalName = /^(?:name|full name|名前|氏名|フルネーム)$/;

const maxNameLength = 80;

/** Undefined for a name that fits no field, or several. */
export function fieldNamed(name: string, fields: readonly FormField[]): NamedField | undefined {
  if (name.length > maxNameLength) return undefined;
  const wanted = plainName(name);
  if (wanted === '') return undefined;
  const exact = createFinder(fields)(wanted);
  if (exact.length > 0) return only(exact, 'exact');
  return only(
    fields.filter((field) => isPart(wanted, field)),
    'part',
  );
}

function only(fields: readonly FormField[], how: NamedField['how']): NamedField | undefined {
  const [field, second] = fields;
  return field && !second ? {field, how} : undefined;
}

/** Finds the fields with a name, or the only one that it can mean; built once for any number of names. */
function createFinder(fields: readonly FormField[]): (wanted: string) => readonly FormField[] {
  const names = fields.flatMap((field) =>
    [...new Set(namesOf(field))].map((name) => ({name, field})),
  );
  const byName = Map.groupBy(names, ({name}) => name);
  return (wanted) => {
    if (wanted === '') return [];
    return byName.get(wanted)?.map(({field}) => field) ?? meant(wanted, fields);
  };
}

function meant(wanted: string, fields: readonly FormField[]): readonly FormField[] {
  const isKind = Object.values(fieldReaders).some(({name}) => name?.test(wanted));
  const ofKind = isKind ? fields.filter((field) => readerOf(field).name?.test(wanted)) : [];
  if (ofKind.length === 1) return ofKind;
  const ofName = personalName.test(wanted) ? fields.filter(isOfName) : [];
  return ofName.length === 1 ? ofName : [];
}

function namesOf({label, id}: FormField): string[] {
  const folded = fold(label).text;
  const bare = folded.replaceAll(/\([^()]*\)|\[[^[\]]*\]|【[^【】]*】/g, ' ');
  return [folded, bare, id].map(plainName);
}

/** Without words around a name: `your`, `my`, a question mark, `field`. */
function plainName(name: string): string {
  return fold(name)
    .text.toLowerCase()
    .replaceAll(/[\s_"'「」『』*]+/gu, ' ')
    .trim()
    .replace(/^(?:(?:my|your|the|our|a|an|for|to) |私の|あなたの|ご|お)+(?=.)/u, '')
    .replace(/(?: field| answer| please|欄|の欄|の項目|[?:.,!]| )+$/u, '')
    .trim();
}

/** These words occur in too many labels to identify one. */
const commonWords = /^(?:of|and|or|is|are|you|what|how|do|did|in|on|at|it|no|yes|number|date)$/;

function isPart(wanted: string, field: FormField): boolean {
  const label = plainName(field.label);
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(wanted)) {
    return wanted.length >= 2 && label.includes(wanted);
  }
  const words = label.split(/[^\p{L}\p{N}]+/u);
  const asked = wanted.split(' ');
  return (
    asked.every((word) => words.includes(word)) && !asked.every((word) => commonWords.test(word))
  );
}

/** A part of a reply that names its field: `Email: ann@example.org`. */
export interface Labelled {
  readonly field: FormField;
  /** Verbatim. */
  readonly text: string;
}

export interface LabelledParts {
  readonly parts: readonly Labelled[];
  /** The text before the first of them, verbatim. */
  readonly before: string;
}

const marker = /(?<=^|[\n,;/])([^\n,;:=]{1,80})[:=]/gu;
const bullet = /^\s*[-*•]/u;
/** A filled-in form has fewer characters; the rest belongs to the last part. */
const maxLabelledLength = 20_000;
/** The maximum number of fields in a form. */
const maxParts = 300;

/** All `LABEL: text` of a reply, on lines of their own or one after the other. */
export function labelledParts(folded: Folded, fields: readonly FormField[]): LabelledParts {
  const finder = once(() => createFinder(fields));
  const marks = folded.text
    .slice(0, maxLabelledLength)
    .matchAll(marker)
    .flatMap(({0: token, 1: name = '', index}) => {
      const named = only(finder()(plainName(name.replace(bullet, ''))), 'exact');
      return named ? [{field: named.field, start: index, end: index + token.length}] : [];
    })
    .take(maxParts)
    .toArray();
  const parts = marks.map(({field, end}, at) => ({
    field,
    text: typed(folded, end, marks[at + 1]?.start ?? folded.text.length)
      .replace(/[,;、，；/]$/u, '')
      .trim(),
  }));
  return {parts, before: typed(folded, 0, marks[0]?.start ?? folded.text.length)};
}

const statement =
  /^(?:(?:my|our|the) (?<name>.{1,60}?)(?: is | are |'s )|(?:私の|わたしの)?(?<native>[^ -~]{1,40}?)は *)(?<said>.+?)(?:です|でございます|と申します|といいます|と言います)?[.]?$/isu;
const introduction =
  /^(?:(?:hi|hello|hey|こんにちは|はい)[,!. ]*)?(?:i'm|i am|it's|it is|this is|my name is|my name's|name's|call me|私は|わたしは|名前は)? *(?<said>[^\n.,!?]{1,60}?)(?:(?:,| and) (?:i|my|you|we)\b[^\n]{0,200})?(?:です|と申します|といいます|と言います)?[.!]?$/iu;
/** In a longer reply these words are part of the value. */
const maxStatementLength = 300;

/** The value in a reply without the field's name: `Name: Ann`, `My name is Ann`, 名前はアンです. */
export function withoutName(folded: Folded, field: FormField): Folded {
  const {parts, before} = labelledParts(folded, [field]);
  const [part, second] = parts;
  if (part && !second && before === '') return fold(part.text);
  if (folded.text.length > maxStatementLength) return folded;
  return saidIn(folded, statedIn(folded, field) ?? introducedIn(folded, field));
}

function statedIn({text}: Folded, field: FormField): string | undefined {
  const {name, native = '', said} = statement.exec(text)?.groups ?? {};
  return fieldNamed(name ?? native, [field]) ? said : undefined;
}

function introducedIn({text}: Folded, field: FormField): string | undefined {
  return isOfName(field) ? introduction.exec(text)?.groups?.['said'] : undefined;
}

/** Verbatim; the whole reply if nothing was found. */
function saidIn(folded: Folded, said: string | undefined): Folded {
  const start = said === undefined ? -1 : folded.text.lastIndexOf(said);
  return start < 0 ? folded : fold(typed(folded, start, start + (said ?? '').length));
}

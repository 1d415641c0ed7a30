/**
 * JSON with the position of each key and entry. The parser is strict: a duplicate key is a problem, as in TOML.
 */

import type {Json} from '../../machines/domain/json.ts';
import {once} from '../../machines/domain/once.ts';
import {escapeLine} from '../escape.ts';
import {type Locate, type Place, placeAt} from './toml.ts';

export type PlacedJson =
  | {readonly ok: true; readonly value: Json; readonly locate: Locate}
  | {readonly ok: false; readonly problem: string; readonly place: Place};

const maxDepth = 64;

/** Of a string, the quotation mark that begins it. */
const tokenPattern =
  /[ \t\r\n]*(?:(?<mark>[[\]{}:,])|(?<string>")|(?<word>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b)|(?<end>$))/y;

type Path = readonly (string | number)[];

interface Token {
  readonly kind: 'mark' | 'string' | 'scalar' | 'end';
  readonly text: string;
  readonly offset: number;
}

interface Reader {
  readonly text: string;
  /** By path. Absent: not wanted. */
  readonly offsets?: Map<string, number>;
  token: Token;
  /** The position at which the next token is read. */
  next: number;
}

class Problem extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Returned strings are well-formed. Never throws. */
export function readPlacedJson(text: string): PlacedJson {
  try {
    return {ok: true, value: readWhole({text, token: start, next: 0}), locate: locatorOf(text)};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {ok: false, problem: error.message, place: placeAt(text, error.offset)};
  }
}

const start: Token = {kind: 'end', text: '', offset: 0};

function readWhole(reader: Reader): Json {
  advance(reader);
  const value = readValue(reader, []);
  if (reader.token.kind !== 'end') throw unexpected(reader.token, 'the end');
  return value;
}

/** `text`: valid. It is read again for its places when one is wanted. */
function locatorOf(text: string): Locate {
  const placed = once(() => {
    const offsets = new Map<string, number>();
    readWhole({text, offsets, token: start, next: 0});
    return offsets;
  });
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = placed().get(JSON.stringify(path.slice(0, length)));
      if (offset !== undefined) return placeAt(text, offset);
    }
    return {line: 1, column: 1};
  };
}

/** Advances to the next token and returns the previous one. */
function advance(reader: Reader): Token {
  const {token, text} = reader;
  tokenPattern.lastIndex = reader.next;
  const match = tokenPattern.exec(text);
  if (!match) throw strange(text, reader.next);
  const {mark, string, word} = match.groups ?? {};
  const end = tokenPattern.lastIndex;
  const offset = end - (mark ?? string ?? word ?? '').length;
  reader.next = string === undefined ? end : endOfString(text, end);
  const kind = mark ? 'mark' : string ? 'string' : word ? 'scalar' : 'end';
  reader.token = {kind, text: text.slice(offset, reader.next), offset};
  return token;
}

/** The index after the closing quotation mark. What is between them is checked by `JSON.parse`. */
function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function readValue(reader: Reader, path: Path): Json {
  if (path.length > maxDepth) {
    throw new Problem(`nested deeper than ${maxDepth} levels`, reader.token.offset);
  }
  const token = advance(reader);
  if (token.text === '{') return readObject(reader, path);
  if (token.text === '[') return readList(reader, path);
  if (token.kind !== 'string' && token.kind !== 'scalar') throw unexpected(token, 'a value');
  return scalarOf(reader, token);
}

function scalarOf({text}: Reader, token: Token): Json {
  try {
    const value: Json = JSON.parse(token.text);
    return typeof value === 'string' ? value.toWellFormed() : value;
  } catch {
    throw strange(text, token.offset);
  }
}

function readObject(reader: Reader, path: Path): Json {
  const entries = new Map<string, Json>();
  if (take(reader, '}')) return {};
  do {
    const key = advance(reader);
    const name = key.kind === 'string' ? scalarOf(reader, key) : undefined;
    if (typeof name !== 'string') throw unexpected(key, 'a key in double quotes');
    if (entries.has(name))
      throw new Problem(`the key ${shown(JSON.stringify(name))} appears twice`, key.offset);
    reader.offsets?.set(JSON.stringify([...path, name]), key.offset);
    if (!take(reader, ':')) throw unexpected(reader.token, '":"');
    entries.set(name, readValue(reader, [...path, name]));
  } while (take(reader, ','));
  if (!take(reader, '}')) throw unexpected(reader.token, '"," or "}"');
  return Object.fromEntries(entries);
}

function readList(reader: Reader, path: Path): Json {
  const list: Json[] = [];
  if (take(reader, ']')) return list;
  do {
    const entry = [...path, list.length];
    reader.offsets?.set(JSON.stringify(entry), reader.token.offset);
    list.push(readValue(reader, entry));
  } while (take(reader, ','));
  if (!take(reader, ']')) throw unexpected(reader.token, '"," or "]"');
  return list;
}

function take(reader: Reader, mark: string): boolean {
  if (reader.token.kind !== 'mark' || reader.token.text !== mark) return false;
  advance(reader);
  return true;
}

function unexpected(token: Token, wanted: string): Problem {
  const found = token.kind === 'end' ? 'the end' : shown(token.text);
  return new Problem(`expected ${wanted}, found ${found}`, token.offset);
}

function strange(text: string, from: number): Problem {
  const blank = /[ \t\r\n]*/y;
  blank.lastIndex = from;
  blank.exec(text);
  const offset = blank.lastIndex;
  const found = /^[^\s,:[\]{}]*|./u.exec(text.slice(offset, offset + 40))?.[0] ?? '';
  const hint = found.startsWith('"') ? '; this string is not closed, or contains a line end' : '';
  return new Problem(`${shown(found)} is not valid JSON${hint}`, offset);
}

function shown(text: string): string {
  return escapeLine(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/**
 * JSON with the position of each key and entry. The parser is strict: a duplicate key is a problem, as in TOML.
 */

import type {Json} from '../../machines/domain/json.ts';
import {escapeLine} from '../escape.ts';
import {type Locate, type Place, placeAt} from './toml.ts';

export type PlacedJson =
  | {readonly ok: true; readonly value: Json; readonly locate: Locate}
  | {readonly ok: false; readonly problem: string; readonly place: Place};

const maxDepth = 64;

const tokenPattern =
  /[ \t\r\n]*(?:(?<mark>[[\]{}:,])|(?<string>"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<word>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b)|(?<end>$))/uy;

type Path = readonly (string | number)[];

interface Token {
  readonly kind: 'mark' | 'string' | 'scalar' | 'end';
  readonly text: string;
  readonly offset: number;
}

interface Reader {
  readonly text: string;
  /** Offsets by path. */
  readonly offsets: Map<string, number>;
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

/** Never throws. */
export function readPlacedJson(text: string): PlacedJson {
  const token: Token = {kind: 'end', text: '', offset: 0};
  const reader: Reader = {text, offsets: new Map(), token, next: 0};
  try {
    advance(reader);
    const value = readValue(reader, []);
    if (reader.token.kind !== 'end') throw unexpected(reader.token, 'the end');
    return {ok: true, value, locate: locatorOf(reader)};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {ok: false, problem: error.message, place: placeAt(text, error.offset)};
  }
}

function locatorOf({text, offsets}: Reader): Locate {
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = offsets.get(JSON.stringify(path.slice(0, length)));
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
  const found = mark ?? string ?? word ?? '';
  const kind = mark ? 'mark' : string ? 'string' : word ? 'scalar' : 'end';
  reader.next = tokenPattern.lastIndex;
  reader.token = {kind, text: found, offset: reader.next - found.length};
  return token;
}

function readValue(reader: Reader, path: Path): Json {
  if (path.length > maxDepth) {
    throw new Problem(`nested deeper than ${maxDepth} levels`, reader.token.offset);
  }
  const token = advance(reader);
  if (token.text === '{') return readObject(reader, path);
  if (token.text === '[') return readList(reader, path);
  if (token.kind !== 'string' && token.kind !== 'scalar') throw unexpected(token, 'a value');
  const value: Json = JSON.parse(token.text);
  return value;
}

function readObject(reader: Reader, path: Path): Json {
  const entries = new Map<string, Json>();
  if (take(reader, '}')) return {};
  do {
    const key = advance(reader);
    if (key.kind !== 'string') throw unexpected(key, 'a key in double quotes');
    const name = String(JSON.parse(key.text));
    if (entries.has(name)) throw new Problem(`the key ${shown(key.text)} occurs twice`, key.offset);
    reader.offsets.set(JSON.stringify([...path, name]), key.offset);
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
    reader.offsets.set(JSON.stringify(entry), reader.token.offset);
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

/** Finds the position of each key in a TOML text. It reads only texts that a TOML parser has accepted. */

/** Keys nested deeper are located by their parent. */
const maxDepth = 6;

export function createTomlLocator(text: string): Locate {
  const places = new Map<string, Place>();
  readDocument({tokens: tokenize(text), next: 0, places});
  return (path) => {
    for (let length = Math.min(path.length, maxDepth); length > 0; length -= 1) {
      const place = places.get(idOf(path.slice(0, length)));
      if (place) return place;
    }
    return {line: 1, column: 1};
  };
}

function idOf(path: PlacePath): string {
  return JSON.stringify(path.map(String));
}

interface Token {
  readonly kind: 'string' | 'word' | 'mark' | 'newline';
  readonly text: string;
  readonly place: Place;
}

const tokenPattern =
  /(?<skip>[ \t\r]+|#[^\n]*)|(?<newline>\n)|(?<string>"""[^]*?(?<!\\)(?:\\\\)*"""+|'''[^]*?'''+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')|(?<mark>[[\]{}=,.])|(?<word>[^\s[\]{}=,."'#]+)/gy;

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  for (const match of text.matchAll(tokenPattern)) {
    const {skip: skipped, newline, string, mark} = match.groups ?? {};
    const kind = newline ? 'newline' : string ? 'string' : mark ? 'mark' : 'word';
    const place = {line, column: match.index - lineStart + 1};
    if (skipped === undefined) tokens.push({kind, text: match[0], place});
    const breaks = match[0].split('\n').length - 1;
    if (breaks > 0) lineStart = match.index + match[0].lastIndexOf('\n') + 1;
    line += breaks;
  }
  return tokens;
}

interface Reader {
  readonly tokens: readonly Token[];
  next: number;
  readonly places: Map<string, Place>;
}

function readDocument(reader: Reader): void {
  let table: PlacePath = [];
  const listed = new Map<string, number>();
  while (reader.next < reader.tokens.length) {
    if (skip(reader, 'newline')) continue;
    if (skip(reader, '[')) {
      const isListed = skip(reader, '[');
      const head = reader.tokens[reader.next];
      table = readKey(reader, []);
      if (isListed && head) table = nextOf(table, {listed, reader, place: head.place});
      while (skip(reader, ']'));
    } else {
      readPair(reader, table);
    }
  }
}

interface Listing {
  /** The number of entries so far of each list. */
  readonly listed: Map<string, number>;
  readonly reader: Reader;
  readonly place: Place;
}

/** The table that a header in double brackets opens: the next one of its list. */
function nextOf(list: PlacePath, {listed, reader, place}: Listing): PlacePath {
  const id = idOf(list);
  const index = listed.get(id) ?? 0;
  listed.set(id, index + 1);
  const table = [...list, String(index)];
  reader.places.set(idOf(table), place);
  return table;
}

function readPair(reader: Reader, table: PlacePath): void {
  const path = readKey(reader, table);
  if (skip(reader, '=')) readValue(reader, path);
  else reader.next += 1;
}

/** Reads `a."b c".d` and records the position of each part. */
function readKey(reader: Reader, table: PlacePath): PlacePath {
  const path = [...table];
  for (;;) {
    const token = reader.tokens[reader.next];
    if (!token || (token.kind !== 'word' && token.kind !== 'string')) return path;
    path.push(token.kind === 'string' ? unquote(token.text) : token.text);
    if (path.length <= maxDepth) {
      const id = idOf(path);
      if (!reader.places.has(id)) reader.places.set(id, token.place);
    }
    reader.next += 1;
    if (!skip(reader, '.')) return path;
  }
}

function readValue(reader: Reader, path: PlacePath): void {
  if (skip(reader, '{')) readInlineTable(reader, path);
  else if (skip(reader, '[')) readArray(reader, path);
  else while (isScalar(reader.tokens[reader.next])) reader.next += 1;
}

/** A number with a fraction is three tokens, a date with a time two. */
function isScalar(token: Token | undefined): boolean {
  return (
    token !== undefined && (token.kind === 'word' || token.kind === 'string' || token.text === '.')
  );
}

function readInlineTable(reader: Reader, path: PlacePath): void {
  while (reader.next < reader.tokens.length && !skip(reader, '}')) {
    if (!skip(reader, ',') && !skip(reader, 'newline')) readPair(reader, path);
  }
}

function readArray(reader: Reader, path: PlacePath): void {
  for (let index = 0; reader.next < reader.tokens.length && !skip(reader, ']');) {
    if (skip(reader, ',')) index += 1;
    else if (!skip(reader, 'newline')) readEntry(reader, [...path, index]);
  }
}

function readEntry(reader: Reader, path: PlacePath): void {
  const {place} = reader.tokens[reader.next] ?? {};
  if (place && path.length <= maxDepth) reader.places.set(idOf(path), place);
  const before = reader.next;
  readValue(reader, path);
  // Anything that is not a value is skipped.
  if (reader.next === before) reader.next += 1;
}

function skip(reader: Reader, wanted: string): boolean {
  const token = reader.tokens[reader.next];
  if (!token || (token.kind === 'newline' ? 'newline' : token.text) !== wanted) return false;
  if (token.kind === 'string') return false;
  reader.next += 1;
  return true;
}

/** TOML's escapes are the same as JSON's with a few exceptions; a key with one of these is located by its parent. */
function unquote(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

// A position in a text.

export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** Keys, and indexes in lists: `['fields', 2, 'pattern']`. */
export type PlacePath = readonly (string | number)[];

/** Finds the first position of a key, an entry or a table; that of its nearest parent when it has none itself. */
export type Locate = (path: PlacePath) => Place;

export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return {line: before.length, column: (before.at(-1) ?? '').length + 1};
}

/** Reads the text files of this folder: names under headings, or names alone, one per line. README.md says how to add one. */

/** `what` completes a sentence that begins "is not". */
export interface Expected {
  readonly what: string;
  readonly holds: (text: string) => boolean;
}

export interface NameSchema {
  /** Absent: the file has no headings. */
  readonly heading?: Expected;
  readonly name: Expected;
}

const typeset = /[’‘“”‐-―−、。]/u;

/** In the form that `fold` gives to a reply: a name written otherwise is never found. */
export const comparedName: Expected = {
  what: 'in lower case with plain quotes, dashes and spaces',
  holds: (name) => name === name.normalize('NFKC').toLowerCase() && !typeset.test(name),
};

export function oneOf(...words: readonly string[]): Expected {
  return {what: `one of ${words.join(', ')}`, holds: (text) => words.includes(text)};
}

export function matching(pattern: RegExp, what: string): Expected {
  return {what, holds: (text) => pattern.test(text)};
}

interface Entry {
  readonly line: number;
  readonly text: string;
  /** The name that a heading contains in its brackets. */
  readonly heading?: string | undefined;
}

/** The names under each heading, in the order of the file. Throws with the file and the line of the first mistake. */
export function readNames(
  file: string,
  text: string,
  schema: NameSchema,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const lines = new Map<string, number>();
  let names = schema.heading ? undefined : namesUnder('', found);
  for (const entry of entriesIn(text, schema)) {
    const problem = problemOf(entry, schema, lines.get(entry.text), names !== undefined);
    if (problem !== undefined) throw new Error(`${file}:${entry.line}: ${problem}`);
    lines.set(entry.text, entry.line);
    if (entry.heading === undefined) names?.push(entry.text);
    else names = namesUnder(entry.heading, found);
  }
  return found;
}

function namesUnder(heading: string, found: Map<string, string[]>): string[] {
  const names: string[] = [];
  found.set(heading, names);
  return names;
}

function entriesIn(text: string, {heading}: NameSchema): readonly Entry[] {
  return text.split('\n').flatMap((written, at) => {
    const entry = written.trim();
    if (entry === '' || entry.startsWith('#')) return [];
    const named = heading && entry.startsWith('[') ? /^\[(.*)\]$/.exec(entry)?.[1] : undefined;
    return [{line: at + 1, text: entry, heading: named}];
  });
}

function problemOf(
  {text, heading}: Entry,
  schema: NameSchema,
  firstLine: number | undefined,
  hasHeading: boolean,
): string | undefined {
  const quoted = `"${text}"`;
  if (firstLine !== undefined) return `${quoted} is on line ${firstLine}, too`;
  const expected = heading === undefined ? schema.name : schema.heading;
  if (expected?.holds(heading ?? text) === false) return `${quoted} is not ${expected.what}`;
  return heading === undefined && !hasHeading ? `${quoted} has no [heading] above it` : undefined;
}

/** The heading of each name. */
export function headingsByName(
  names: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, string> {
  return new Map(
    [...names].flatMap(([heading, list]) => list.map((name) => [name, heading] as const)),
  );
}

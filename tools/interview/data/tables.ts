/** The text files of this folder and their schemas; a file is read on first use. README.md says how to add an entry. */

import {once} from '../../../machines/domain/once.ts';
import {dataFile} from '../../text/data-file.ts';

/** `what` completes a sentence that begins "is not". */
interface Expected {
  readonly what: string;
  readonly holds: (text: string) => boolean;
}

interface NameSchema {
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
function headingsByName(
  names: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, string> {
  return new Map(
    [...names].flatMap(([heading, list]) => list.map((name) => [name, heading] as const)),
  );
}

// The text files of this folder and their schemas; a file is read on first use. README.md says how to add an entry.

const commandNames = [
  'skip',
  'decline',
  'why',
  'pause',
  'quit',
  'continue',
  'startOver',
  'submit',
  'agree',
  'disagree',
  'without',
  'nothing',
  'back',
  'help',
  'lost',
] as const;

export type Command = (typeof commandNames)[number];

const phraseSchema = {heading: oneOf(...commandNames), name: comparedName};

/** By phrase, in English and Japanese. */
export const commandPhrases = once((): ReadonlyMap<string, Command> => {
  const english = dataFile(new URL('phrases-en.txt', import.meta.url));
  const japanese = dataFile(new URL('phrases-ja.txt', import.meta.url));
  const files = [
    readNames('phrases-en.txt', english, phraseSchema),
    readNames('phrases-ja.txt', japanese, phraseSchema),
  ];
  return new Map(
    files.flatMap((file) =>
      commandNames.flatMap((command) =>
        (file.get(command) ?? []).map((phrase) => [phrase, command] as const),
      ),
    ),
  );
});

/** Words that may precede a phrase. */
export const wordsBefore = once((): readonly string[] => {
  const text = dataFile(new URL('courtesies-before.txt', import.meta.url));
  return readNames('courtesies-before.txt', text, {name: comparedName}).get('') ?? [];
});

/** Words that may follow a phrase. */
export const wordsAfter = once((): readonly string[] => {
  const text = dataFile(new URL('courtesies-after.txt', import.meta.url));
  return readNames('courtesies-after.txt', text, {name: comparedName}).get('') ?? [];
});

/** Words without meaning between values. */
export const fillers = once((): ReadonlySet<string> => {
  const text = dataFile(new URL('fillers.txt', import.meta.url));
  return new Set(readNames('fillers.txt', text, {name: comparedName}).get(''));
});

/** Whole answers: true for a yes. */
export const yesNoWords = once((): ReadonlyMap<string, boolean> => {
  const text = dataFile(new URL('yes-no.txt', import.meta.url));
  const schema = {heading: oneOf('yes', 'no'), name: comparedName};
  const answers = headingsByName(readNames('yes-no.txt', text, schema));
  return new Map([...answers].map(([word, answer]) => [word, answer === 'yes']));
});

/** The codes of the countries to which a name may refer. */
export const countryAliases = once((): ReadonlyMap<string, readonly string[]> => {
  const text = dataFile(new URL('countries.txt', import.meta.url));
  return severalByName(
    readNames('countries.txt', text, {
      heading: matching(/^[A-Z]{2}(?: [A-Z]{2})*$/, 'a code of two capitals, or several'),
      name: comparedName,
    }),
  );
});

/** BCP 47, by name. */
export const languageAliases = once((): ReadonlyMap<string, string> => {
  const text = dataFile(new URL('languages.txt', import.meta.url));
  const tag = matching(/^[a-z]{2,3}(?:-[A-Z][A-Za-z]+)?$/, 'a BCP 47 tag, such as "pt-BR"');
  return headingsByName(readNames('languages.txt', text, {heading: tag, name: comparedName}));
});

const zonePattern = /^(?:UTC|[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_]+)+)$/;
const zone = matching(zonePattern, 'an IANA time zone, such as "Asia/Tokyo"');

/** The best known first. */
export const mainZones = once((): readonly string[] => {
  const text = dataFile(new URL('main-zones.txt', import.meta.url));
  return readNames('main-zones.txt', text, {name: zone}).get('') ?? [];
});

function severalByName(
  names: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const headings = headingsByName(names);
  return new Map([...headings].map(([name, heading]) => [name, heading.split(' ')] as const));
}

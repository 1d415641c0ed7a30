/** Patterns of words that no text and no name of the product has, and where they are found. */
import {readFile} from 'node:fs/promises';

import fastGlob from 'fast-glob';

export interface WordPattern {
  /** Names the pattern in messages and in the list of exceptions. */
  name: string;
  pattern: RegExp;
  /** The replacement. */
  instead: string;
}

/** `pattern` is matched against each line. */
export const wordPatterns: readonly WordPattern[] = [
  {
    name: 'comment that begins with "What"',
    pattern: /^\s*(?:\/\*\*|\*|\/\/|#+) ?(?:What|Whether|Whatever|Whoever)\b/v,
    instead: 'a noun that names the thing',
  },
  {
    name: 'told, tell, heard, hear',
    pattern: /\b(?:un)?(?:told|tells?|telling|heard|hears?|hearing)\b/iv,
    instead: 'report, record, send, receive, read',
  },
  {
    name: 'told, tell, heard, hear in a name',
    pattern:
      /[a-z](?:Told|Tells?|Telling|Teller|Heard|Hears?|Hearing)(?![a-z])|\b(?:told|tell|tells|telling|teller|untold|heard|hear|hears|unheard)(?=[A-Z])/v,
    instead: 'report, record, send, receive, read',
  },
  {
    name: '"is no …"',
    pattern: /(?<!\bthere )(?<!\bthat )\b(?:is|was|are|were) no (?!longer\b|more\b)/iv,
    instead: '"is not a …"',
  },
  {
    name: '"stands in"',
    pattern: /\bst(?:ands|and|ood) (?:in|at|beside|by)\b/iv,
    instead: '"is in"',
  },
  {name: '"comes to"', pattern: /\bc(?:omes|ome|ame) to\b/iv, instead: '"results in"'},
  {name: '"but for"', pattern: /\bbut for\b/iv, instead: '"except"'},
  {name: '"goes on"', pattern: /\bgo(?:es|ing)? on\b|\bwent on\b/iv, instead: '"continues"'},
  {name: 'whoever, whatever', pattern: /\bwho(?:so)?ever\b|\bwhatever\b/iv, instead: 'a noun'},
  {
    name: 'a relative clause in place of a noun',
    pattern:
      /\b(?:of|by|from|to|in|with|about) what (?:is|was|has|it|they|a|the)\b|\bthose (?:that|who|which)\b/iv,
    instead: 'a noun',
  },
];

export interface WordFinding {
  file: string;
  line: number;
  pattern: string;
  text: string;
}

const productGlob = ['{machines,actors,tools,cli,diagrams}/**/*.{ts,md,js}', 'README.md'];

/** Files of the repository at `root` whose words are read, relative to it. */
export function productTextFiles(root: string): Promise<string[]> {
  return fastGlob(productGlob, {cwd: root, ignore: ['**/node_modules/**']});
}

export function findWords(file: string, text: string): WordFinding[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      wordPatterns
        .filter(({pattern}) => pattern.test(line))
        .map(({name}) => ({file, line: index + 1, pattern: name, text: line.trim()})),
    );
}

export async function findWordsOfProduct(root: string, files: string[]): Promise<WordFinding[]> {
  const found = await Promise.all(
    files.map(async (file) => findWords(file, await readFile(`${root}/${file}`, 'utf8'))),
  );
  return found.flat();
}

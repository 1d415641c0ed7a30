/** The product's Markdown: README, the READMEs of the rooms, and the pages of diagrams/. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Pages of the tests and of the demo. */
const samples = ['test/fixtures/**', 'cli/demo/**'];

/** Paths relative to the repository, README first. */
export const documents: readonly string[] = [
  'README.md',
  ...globSync('{machines,actors,tools,cli,diagrams,test}/**/*.md', {
    cwd: root,
    exclude: samples,
  }).toSorted(),
];

export function readDocument(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The text of every code block in this language, in the order of the page. */
export function codeBlocks(markdown: string, language: string): readonly string[] {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );
}

/** The code blocks of all documents. */
export function allCodeBlocks(language: string): readonly string[] {
  return documents.flatMap((path) => codeBlocks(readDocument(path), language));
}

/** From a heading to the next one of its level or above. Throws Error when the page lacks the heading. */
export function sectionOf(markdown: string, heading: string): string {
  const from = markdown.indexOf(`${heading}\n`);
  if (from < 0) throw new Error(`there is no heading "${heading}"`);
  const level = heading.indexOf(' ');
  const rest = markdown.slice(from + heading.length);
  const to = rest.search(new RegExp(`^#{1,${level}} `, 'm'));
  return to < 0 ? rest : rest.slice(0, to);
}

/** The relative targets of its links and pictures, such as `tools/README.md#libraries`, outside of code. */
export function linksOf(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^\w+:/.test(target));
}

/** The anchors of its headings, by GitHub's rules. */
export function anchorsOf(markdown: string): readonly string[] {
  const seen = new Map<string, number>();
  const prose = markdown.replaceAll(/^```.*?^```/gms, '');
  return [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

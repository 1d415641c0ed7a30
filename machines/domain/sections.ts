/** Messages are made of titled sections: `# Title`, then its text. The offline model reads them back by title. */

export type Section = readonly [title: string, text: string | undefined];

/** Joins the sections that have a text. */
export function writeSections(sections: readonly Section[]): string {
  return sections
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([title, text]) => `# ${title}\n${text ?? ''}`)
    .join('\n\n');
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** Reads back what the search tool answers. */

export interface Passage {
  /** `docs/a.md:3-7`. */
  readonly place: string;
  readonly heading: string;
  readonly quote: string;
}

/** The passages, the best first. Quotes can't be mistaken for heads: each of their lines begins with `> `. */
export function readPassages(text: string): Passage[] {
  return text.split(/^(?=\[\d+\] )/m).flatMap((block) => {
    const [head = '', ...lines] = block.split('\n');
    const place = /^\[\d+\] (.+:\d+-\d+)$/.exec(head)?.[1];
    if (place === undefined) return [];
    const heading = lines.find((line) => line.startsWith('heading: '))?.slice('heading: '.length);
    const quote = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
    return [{place, heading: heading ?? '', quote: quote.join('\n').trim()}];
  });
}

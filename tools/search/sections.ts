/** The structure of a document: its title, and its headings if it is Markdown. */

const markdown = /\.(md|mdx|markdown)$/i;
const prose = /(\.(txt|rst|adoc|org|text)|\/[^.]*|^[^./]*)$/i;
const maxTitle = 200;

const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*\r?$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

export interface Section {
  readonly start: number;
  readonly end: number;
  /** The title, then the headings from the outermost to its own. */
  readonly headings: readonly string[];
}

/** Sections that follow each other without a gap. A heading without a text of its own belongs to the next section. */
export function sectionsOf(path: string, text: string): readonly Section[] {
  if (!markdown.test(path)) return [{start: 0, end: text.length, headings: titleOf(path, text)}];
  const sections: Section[] = [];
  let start = 0;
  let headings: readonly string[] = [];
  let bodyAt = 0;
  const close = (end: number): void => {
    if (text.slice(bodyAt, end).trim() === '') return;
    sections.push({start, end, headings: headings.filter(Boolean)});
    start = end;
  };
  for (const found of headingsOf(text)) {
    close(found.start);
    headings = [...padded(headings, found.depth - 1), found.text];
    bodyAt = found.end;
  }
  const last = sections.at(-1);
  if (text.slice(start).trim() !== '' || !last) {
    return [...sections, {start, end: text.length, headings: headings.filter(Boolean)}];
  }
  return [...sections.slice(0, -1), {...last, end: text.length}];
}

/** The outer headings, with blanks for skipped levels. */
function padded(headings: readonly string[], depth: number): string[] {
  return Array.from({length: depth}, (_, level) => headings[level] ?? '');
}

interface Heading {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly text: string;
}

function* headingsOf(text: string): Generator<Heading> {
  let fenced: string | undefined;
  for (const match of text.matchAll(/[^\n]+/g)) {
    const [line] = match;
    const mark = fence.exec(line)?.[1];
    if (fenced !== undefined) {
      if (mark?.startsWith(fenced) === true) fenced = undefined;
      continue;
    }
    fenced = mark;
    const [, signs, title] = heading.exec(line) ?? [];
    if (signs === undefined || title === undefined) continue;
    yield {
      start: match.index,
      end: match.index + line.length,
      depth: signs.length,
      text: title.slice(0, maxTitle).toWellFormed(),
    };
  }
}

/** The first line of prose; the first paragraph of the comment that begins a source file. */
function titleOf(path: string, text: string): readonly string[] {
  const head = text.slice(0, 2_000).replace(/^\ufeff?(#!.*\n)?\s*/, '');
  const found = prose.test(path) ? /^.*/.exec(head)?.[0] : leadingComment(head);
  const title = found?.replaceAll(/\s+/g, ' ').trim().slice(0, maxTitle).toWellFormed() ?? '';
  return title === '' ? [] : [title];
}

function leadingComment(head: string): string | undefined {
  const block = /^(?:\/\*+|<!--|"""|''')([\s\S]*?)(?:\*\/|-->|"""|'''|\n[ \t]*\*?[ \t]*\r?\n)/.exec(
    head,
  )?.[1];
  if (block !== undefined) return block.replaceAll(/\n[ \t]*\*/g, '\n');
  const lines = /^((?:\/\/|#|--|;).*(?:\n|$))+/.exec(head)?.[0];
  return lines?.replaceAll(/^[/#;-]+/gm, '');
}

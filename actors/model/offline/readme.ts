/** Extracts the first paragraph of prose from a README. */

const names = /^readme(?:\.(?:md|markdown|rst|txt|adoc|org))?$/i;

export function isReadme(path: string): boolean {
  return names.test(path);
}

const maxChars = 600;

/** The first paragraph without title, badges, pictures, HTML and code; undefined if there is none. */
export function firstParagraph(text: string): string | undefined {
  const prose = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/```[^]*?```|~~~[^]*?~~~|<!--[^]*?-->/g, '')
    .replaceAll(/<[^>\n]*>/g, '');
  const paragraphs = prose.split(/\n\s*\n/).map(paragraphText);
  const first = paragraphs.find(
    (paragraph) => /[\p{L}]{2}/u.test(paragraph) && paragraph.length > 10,
  );
  if (first === undefined) return undefined;
  return first.length > maxChars ? `${first.slice(0, maxChars).toWellFormed()}…` : first;
}

function paragraphText(paragraph: string): string {
  const lines = paragraph.split('\n').map((line) => line.trim());
  const isTitle = (line: string, index: number): boolean =>
    /^#|^[=\-~^*]{3,}$|^\.\. |^:\w+:|^\|/.test(line) ||
    /^[=\-~^*]{3,}$/.test(lines[index + 1] ?? '');
  return lines
    .filter((line, index) => !isTitle(line, index))
    .join(' ')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[!?\[?[^\]]*\]?\]\([^)]*(?:badge|shields|\.svg)[^)]*\)/gi, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

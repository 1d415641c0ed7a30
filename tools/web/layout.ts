/** The layout of elements as text. */

/** Their content is not part of the page's text, or is only shown without scripts or by other means. */
const dropped: ReadonlySet<string> = new Set(
  'script style template noscript noembed noframes iframe object svg canvas audio video datalist'.split(
    ' ',
  ),
);

const blocks: ReadonlySet<string> = new Set(
  (
    'address article aside body caption dd details dialog div dt fieldset figcaption figure footer form ' +
    'header hgroup legend li main nav option section summary tr'
  ).split(' '),
);

const apart: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote hr'.split(' '),
);

export function isDropped(name: string): boolean {
  return dropped.has(name);
}

export function isList(name: string): boolean {
  return name === 'ul' || name === 'ol';
}

export function isCell(name: string): boolean {
  return name === 'td' || name === 'th';
}

/** Between an element and the text around it. */
export function lineEndsOf(name: string, parent: string): number {
  if (blocks.has(name) || (isList(name) && parent === 'li')) return 1;
  return apart.has(name) ? 2 : 0;
}

/** The position of an element: in `lists` lists, as the `nth` (from 1) of its kind in `parent`. */
export interface Position {
  readonly parent: string;
  readonly lists: number;
  readonly nth: number;
}

/** The maximum number of indented levels of nested lists. */
const maxIndent = 8;

/** The mark before the text of an element. */
export function markOf(name: string, {parent, lists, nth}: Position): string | undefined {
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading) return '#'.repeat(Number(heading));
  if (isCell(name)) return nth > 1 ? '|' : '';
  if (name !== 'li') return undefined;
  return (
    '  '.repeat(Math.min(Math.max(0, lists - 1), maxIndent)) + (parent === 'ol' ? `${nth}.` : '-')
  );
}

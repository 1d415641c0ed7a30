/**
 * A small grammar of requests. A phrase is a sentence with slots. It must account for every word of a request:
 *
 *   (replace|change) [all] {from:text} (with|by) {to:text} {scope:words}
 *
 * `(a|b)` is one alternative, `[a|b]` an optional alternative, `{name:kind}` a slot, `[{name:kind}]` an optional slot, `<part>`
 * one of the templates of a part. Courtesies before and after the phrase are ignored. Blanks between Japanese words are
 * optional.
 */

import {escapePattern} from '../../../machines/domain/escape-pattern.ts';

export interface Phrase {
  readonly pattern: RegExp;
  readonly kinds: Readonly<Record<string, SlotKind>>;
  /** Patterns of its beginnings, shortest first, up to the first slot that another reader must understand. */
  readonly beginnings: () => Iterable<RegExp>;
}

export type Slots = Readonly<Record<string, string | undefined>>;

const quotes = '`[^`\\n]+`|"[^"\\n]*"|“[^”\\n]*”|「[^」]*」|\'[^\'\\n]*\'';
const fence = '```[^\\n]*\\n[^]*?```';
const bareFile =
  '(?:[^\\s"\'`“”「」、。:;,*?]*?\\.[A-Za-z]\\w{0,9}|(?:[\\w@.+-]+/)+[\\w@+-][\\w@.+-]*|Makefile|Dockerfile|LICENSE|\\.\\w[\\w.-]*)';

const file = `(?:${quotes}|${bareFile})`;
const comma = '(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s*[、と]\\s*)(?:(?:to|at|from|of|in)\\s+)?';
const word = '[A-Za-z_$][\\w$-]*';

const slotKinds = {
  text: `(?:${quotes}|[^\\s"'\`“”「」、。]+?)`,
  quoted: `(?:${fence}|${quotes})`,
  file,
  /** One file, or `a.txt, b.txt and c.txt`, read by `itemsOf`. */
  oneFile: file,
  files: `${file}(?:${comma}${file})*`,
  quotedList: `(?:${quotes})(?:${comma}(?:${quotes}))*`,
  json: '(?:`[^`\\n]+\\.json`|"[^"\\n]+\\.json"|[^\\s"`“”「」、,]+\\.json)',
  object: '(?:\\{[^]*\\}|\\[[^]*\\])',
  value: `(?:${quotes}|\\{[^]*\\}|\\[[^]*\\]|-?\\d+(?:\\.\\d+)?|${word}(?:\\.\\w[\\w-]*)*)`,
  key: `(?:${quotes}|${word}(?:\\.${word})*)`,
  bareKey: `${word}(?:\\.${word})*`,
  literal: '(?:-?\\d+(?:\\.\\d+)?|true|false|null)',
  nth: '(?:first|last|最初|最後|[1-9]\\d{0,5}(?:st|nd|rd|th)?)',
  /** Texts that people write without quotes in a first test. */
  greeting: '(?:hello,? world|hello|hi there|hi)[!.]?',
  folder: `(?:${quotes}|(?!(?:please|now|thanks|for|here)\\b)[\\w@+-][\\w.@+-]*(?:/[\\w@+-][\\w.@+-]*)*/?)`,
  level: 'major|minor|patch',
  version: 'v?\\d+\\.\\d+\\.\\d+(?:[-+][\\w.+-]*\\w)?',
  identifier:
    '(?:`[\\w$.:#]+`|"[\\w$.:#]+"|「[\\w$.:#]+」|[A-Za-z_$][\\w$]*(?:(?:\\.|::)[A-Za-z_$][\\w$]*)*)',
  kind: '[A-Za-z.*+#]+',
  section:
    'dependencies|scripts|entry points?|依存関係|依存パッケージ|スクリプト|エントリーポイント',
  marks: '(?:todo|fixme)s?(?:\\s*(?:\\band\\b|\\bor\\b|/|,|と|、)\\s*(?:todo|fixme)s?)?',
  /** Words that another reader must understand. */
  words: '(?:[^`"“”「」\\n]|`[^`\\n]+`|"[^"\\n]+")+?',
  /** The rest of the request, verbatim. */
  rest: '[^]+',
} as const;

export type SlotKind = keyof typeof slotKinds;

/** Words of prose, which name a file or a part of a command only in quotes. */
export const proseWords =
  'and|then|but|if|on|in|for|with|until|unless|to|so|please|again|twice|once|when|after|before|all|every|my|our|the|a|an|it|them|what|why|how';

const courtesyBefore =
  "(?:(?:please|kindly|hey|hi|ok|okay|now|just|can you|could you|would you|will you|i want you to|i need you to|i would like you to|i'd like you to|すみません|すみませんが)(?:\\s*[,、]\\s*|\\s+))*";
const courtesyAfter =
  '(?:[\\s,、]*(?:please|for me|now|thanks|thank you|ください|下さい|お願いします|お願い|ね))*[\\s.!?。！？]*';

const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const elements =
  /\[\{(?<maybe>\w+)(?::(?<maybeKind>\w+))?\}\]|\[(?<perhaps>[^\]]*)\]|\((?<oneOf>[^)]*)\)|\{(?<name>\w+)(?::(?<kind>\w+))?\}|(?<word>[^\s[\](){}]+)/g;

export function phrases(
  templates: readonly string[],
  parts: Readonly<Record<string, readonly string[]>> = {},
): readonly Phrase[] {
  return templates.flatMap((template) => {
    const [whole, name = ''] = /<(\w+)>/.exec(template) ?? [];
    if (whole === undefined) return [phrase(template)];
    return phrases(
      (parts[name] ?? []).map((words) => template.replace(whole, () => words)),
      parts,
    );
  });
}

/** The phrases of each paragraph, by the name in its first line. */
export function rulesIn(
  text: string,
  parts: Readonly<Record<string, readonly string[]>> = {},
): ReadonlyMap<string, readonly Phrase[]> {
  const paragraphs = text
    .trim()
    .split('\n\n')
    .map((paragraph) => paragraph.split('\n'));
  return new Map(paragraphs.map(([name = '', ...says]) => [name, phrases(says, parts)]));
}

/** Throws for a slot of an unknown kind, which is a bug: phrases are part of the program. */
export function phrase(template: string): Phrase {
  const gap = japanese.test(template) ? '\\s*' : '\\s+';
  const pieces = [...template.matchAll(elements)].map(({groups = {}}) => pieceOf(groups, gap));
  const kinds = Object.fromEntries(pieces.flatMap(({slot}) => (slot ? [slot] : [])));
  const end = Object.values(kinds).includes('rest') ? '' : courtesyAfter;
  const start = `^\\s*${courtesyBefore}`;
  const open = pieces.findIndex(({slot}) => slot?.[1] === 'words' || slot?.[1] === 'rest');
  const known = open < 0 ? pieces : pieces.slice(0, open);
  const beginnings = () =>
    known
      .keys()
      .map((index) => known.slice(0, index + 1))
      // A slot alone would match any word.
      .filter((some) => some.some(({slot}) => !slot))
      .map((some) => joinedPieces(some, gap))
      .map((source) => new RegExp(`${start}${source}(?=$|[\\s,.;:!?]|[^ -~])`, 'i'));
  return {
    pattern: new RegExp(`${start}${joinedPieces(pieces, gap)}${end}$`, 'i'),
    kinds,
    beginnings,
  };
}

interface Piece {
  readonly source: string;
  readonly isOptional: boolean;
  /** The pattern between this piece and the piece before it. */
  readonly joint: string;
  readonly slot?: readonly [name: string, kind: SlotKind];
}

function pieceOf({perhaps, oneOf, word: single, ...slot}: Slots, gap: string): Piece {
  const {maybe, name = maybe, maybeKind, kind = maybeKind} = slot;
  const isOptional = (maybe ?? perhaps) !== undefined;
  if (name !== undefined) return {...slotOf(name, kind ?? name, gap), isOptional};
  const words = perhaps ?? oneOf ?? String(single);
  // No blank is required before a colon or a comma.
  const joint = /^[:,、]/.test(words) ? '\\s*' : gap;
  return {source: `(?:${alternatives(words, gap)})`, isOptional, joint};
}

function slotOf(name: string, kind: string, gap: string): Omit<Piece, 'isOptional'> {
  if (!isSlotKind(kind)) throw new Error(`no kind of slot: ${kind}`);
  // The rest may begin with a colon.
  const joint = kind === 'rest' ? '(?=[\\s:])\\s*' : gap;
  return {source: `(?<${name}>${slotKinds[kind]})`, joint, slot: [name, kind]};
}

function joinedPieces(pieces: readonly Piece[], gap: string): string {
  const first = pieces.findIndex(({isOptional}) => !isOptional);
  return pieces
    .map(({source, isOptional, joint, slot}, index) => {
      // A slot matches only words that no other piece accounts for.
      const perhaps = slot ? '??' : '?';
      if (isOptional)
        return index < first ? `(?:${source}${gap})${perhaps}` : `(?:${joint}${source})${perhaps}`;
      return index === first ? source : `${joint}${source}`;
    })
    .join('');
}

function isSlotKind(kind: string): kind is SlotKind {
  return kind in slotKinds;
}

function alternatives(words: string, gap: string): string {
  return words
    .split('|')
    .map((text) => text.trim().split(/\s+/).map(escapePattern).join(gap))
    .join('|');
}

/** The longest request. Long requests contain a text to be written. */
const maxRequest = 100_000;

/** Such requests are not read: the time of the patterns grows with the square of the number of blanks. */
const blanks = /\s{200}/;

/** Returns the result of `take` for the first matching phrase for which it is defined. */
export function firstReading<Result>(
  forms: readonly Phrase[],
  request: string,
  take: (slots: Slots) => Result | undefined,
): Result | undefined {
  if (request.length > maxRequest || blanks.test(request)) return undefined;
  for (const {pattern, kinds} of forms) {
    const found = pattern.exec(request);
    const slots = Object.entries(found?.groups ?? {}).map(([name, value]) => [
      name,
      value === undefined || asTheyStand.has(kinds[name] ?? 'words') ? value : unquoted(value),
    ]);
    const result = found ? take(Object.fromEntries(slots)) : undefined;
    if (result !== undefined) return result;
  }
  return undefined;
}

/** The length of the longest start of a request that a phrase accounts for. */
export function understoodLength(forms: readonly Phrase[], request: string): number {
  if (request.length > maxRequest || blanks.test(request)) return 0;
  let longest = 0;
  for (const pattern of forms.flatMap(({beginnings}) => [...beginnings()]))
    longest = Math.max(longest, pattern.exec(request)?.[0].length ?? 0);
  return longest;
}

const asTheyStand: ReadonlySet<string> = new Set(
  'words rest oneFile files json quotedList value'.split(' '),
);

export function itemsOf(list: string): readonly string[] {
  return [...list.matchAll(new RegExp(`${quotes}|${bareFile}(?=$|[\\s,、と])`, 'g'))].map(
    ([item]) => unquoted(item),
  );
}

/** Removes quotes. The text of a fenced block ends with a newline; quoted text is exact. */
export function unquoted(text: string): string {
  const block = /^```[^\n]*\n([^]*?)\n?```$/.exec(text)?.[1];
  if (block !== undefined) return `${block}\n`;
  return /^(?:`[^`]*`|"[^"]*"|“[^”]*”|「[^」]*」|'[^']*')$/.test(text) ? text.slice(1, -1) : text;
}

/** The text that takes the place of a passage: untouched lines keep their bytes, others follow the lines that they replace. */

import {diffArrays} from 'diff';

import type {Likeness, Span} from './passage.ts';

/** With more differing lines they are paired by their position. */
const maxEdits = 400;

/** A passage at its place in the text of a file. */
export interface Replaced {
  readonly text: string;
  readonly span: Span;
  /** The passage as it was asked for: it has as many lines as the file has there. */
  readonly oldText: string;
  readonly newText: string;
  readonly likeness: Likeness;
}

export function rebuilt(replaced: Replaced): string {
  const {text, span, oldText, newText, likeness} = replaced;
  const isLiteral = likeness === 'exact' && (newText.includes('\r') || !newText.includes('\n'));
  if (isLiteral) return newText;
  const found = text.slice(span.from, span.to);
  const lineEnd = lineEndAt(text, span);
  if (likeness === 'exact' && lineEnd === '\n' && !found.includes('\r')) return newText;
  const there = linesOf(found);
  const asked = linesOf(oldText);
  const indent = likeness === 'whiteSpace' ? indentation(asked, there) : undefined;
  const pairs = pairLines(asked, linesOf(newText));
  return pairs
    .map(({line, at, isSame}) => {
      const base = there[Math.min(at, there.length - 1)] ?? noLine;
      const body = isSame ? base.body : (indent?.(line.body, at) ?? line.body);
      return `${body}${line.end === '' ? '' : base.end || endBefore(there, at) || lineEnd}`;
    })
    .join('');
}

/** The line end of the line in which a passage ends, or else of a line before it. */
function lineEndAt(text: string, {from, to}: Span): string {
  if (!text.includes('\r')) return '\n';
  const after = text.indexOf('\n', to);
  const at = after < 0 ? text.lastIndexOf('\n', from - 1) : after;
  if (at < 0) return text.includes('\n') ? '\n' : '\r';
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

interface Line {
  readonly body: string;
  readonly end: string;
}

const noLine: Line = {body: '', end: ''};

function linesOf(text: string): Line[] {
  return text.split(/(?<=\n)|(?<=\r)(?!\n)/).map((line) => {
    const body = line.replace(/\r?\n$|\r$/, '');
    return {body, end: line.slice(body.length)};
  });
}

function endBefore(lines: readonly Line[], at: number): string {
  return lines.slice(0, at).findLast(({end}) => end !== '')?.end ?? '';
}

/** A new line with the index of the old line that it is, or takes the place of. */
interface Pair {
  readonly line: Line;
  readonly at: number;
  readonly isSame: boolean;
}

function pairLines(old: readonly Line[], now: readonly Line[]): Pair[] {
  const changes = diffArrays(
    old.map(({body}) => body),
    now.map(({body}) => body),
    {maxEditLength: maxEdits},
  );
  if (!changes) return now.map((line, at) => ({line, at, isSame: line.body === old[at]?.body}));
  const pairs: Pair[] = [];
  let [at, removed] = [0, 0];
  for (const {added, removed: isRemoved, count = 0} of changes) {
    if (isRemoved) [at, removed] = [at + count, count];
    else {
      for (let index = 0; index < count; index += 1) {
        const replaced =
          removed === 0 ? Math.max(0, at - 1) : at - removed + Math.min(index, removed - 1);
        const line = now[pairs.length] ?? noLine;
        pairs.push({line, at: added ? replaced : at + index, isSame: !added});
      }
      [at, removed] = [added ? at : at + count, 0];
    }
  }
  return pairs;
}

type Indent = (line: string, at: number) => string;

/** Gives a new line the indentation that the file has where the passage had that of the line. */
function indentation(asked: readonly Line[], there: readonly Line[]): Indent {
  const pairs = asked.map(({body}, at) => ({
    at,
    isBlank: body.trim() === '',
    indent: blanksOf(body),
    own: blanksOf(there[at]?.body ?? ''),
  }));
  const [first] = pairs;
  // The first line of a passage often lacks its indentation.
  const isLacking = pairs.length > 1 && first?.indent === '' && first.own !== '';
  const indented = pairs.filter(({at, isBlank}) => !isBlank && !(isLacking && at === 0));
  const known = new Map(indented.toReversed().map(({indent, own}) => [indent, own]));
  return (line, at) => {
    if (line.trim() === '') return line;
    const indent = blanksOf(line);
    const own = at === 0 && indent === first?.indent ? first.own : translated(indent, known);
    return `${own}${line.slice(indent.length)}`;
  };
}

/** By the one difference of all lines, if there is one; else by the longest known beginnings. */
function translated(indent: string, known: ReadonlyMap<string, string>): string {
  const exact = known.get(indent);
  if (exact !== undefined) return exact;
  const [[asked = '', there = ''] = []] = known;
  const more = there.slice(0, Math.max(0, there.length - asked.length));
  const less = asked.slice(0, Math.max(0, asked.length - there.length));
  const isOneDifference = [...known].every(([one, other]) => more + one === less + other);
  if (isOneDifference && indent.startsWith(less)) return `${more}${indent.slice(less.length)}`;
  const begin = [...known.keys()]
    .filter((each) => each !== '' && indent.startsWith(each))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  if (begin === '') return indent;
  return `${known.get(begin) ?? ''}${translated(indent.slice(begin.length), known)}`;
}

function blanksOf(line: string): string {
  return /^[^\S\r\n]*/.exec(line)?.[0] ?? '';
}

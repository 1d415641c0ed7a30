/** Performs read_file. */

import {maxResultChars} from '../../machines/domain/text-limits.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {leadsToCredentials} from '../../machines/places/places.ts';
import {type Denial, refused} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import {decodedText, numberedLines, readInside} from './read.ts';

/** With line numbers, without the note. */
const maxChars = maxResultChars - 500;

interface Wanted {
  readonly path: string;
  /** The number of the first line, from 1. */
  readonly first: number;
  /** The maximum number of lines. */
  readonly limit: number;
}

export function readLines({path, first: from, limit}: Wanted, workspace: string): ToolOutcome {
  const file = readInside(workspace, path);
  if (!file.ok) return file.denial;
  if (leadsToCredentials(path, file.value.path)) return secretBehind(path, file.value.path);
  const text = decodedText(file.value);
  if (!text.ok) return text.denial;
  const {shown, first, last} = excerpt(text.value, from, limit);
  const place = `${escapeLine(file.value.path)}:${first}-${last}`;
  return {kind: 'succeeded', text: shown, sources: last < first ? [] : [{place}]};
}

/** The file read must be the one that was voted on: such a file must be named by its own name, not by that of a link. */
function secretBehind(path: string, target: string): Denial {
  const message = `${escapeLine(path)} leads to ${escapeLine(target)}, which may hold credentials; name that file itself`;
  return refused('credentials', message);
}

interface Excerpt {
  readonly shown: string;
  /** Lines, from 1; none when `last` comes before `first`. */
  readonly first: number;
  readonly last: number;
}

function excerpt(text: string, first: number, limit: number): Excerpt {
  if (text === '') return {shown: '', first, last: first - 1};
  const lines = text.split(/(?<=\n)/);
  const wanted = lines.slice(first - 1, first - 1 + limit);
  if (wanted.length === 0) {
    const shown = `[the file has ${lines.length} lines; line ${first} is beyond its end]`;
    return {shown, first, last: first - 1};
  }
  const parts = withinChars(numberedLines(wanted, first));
  const last = first - 1 + Math.max(1, parts.length);
  const isEnd = last >= lines.length;
  const more = isEnd ? '' : `; read on with offset ${last + 1}`;
  if (parts.length === 0) return {shown: longLine(wanted[0] ?? '', first, more), first, last};
  const body = parts.join('');
  if (isEnd) return {shown: body, first, last};
  const end = `[lines ${first} to ${last} of ${lines.length}${more}]`;
  return {shown: `${body}${end}`, first, last};
}

function withinChars(lines: readonly string[]): string[] {
  let chars = 0;
  const end = lines.findIndex((line) => (chars += line.length) > maxChars);
  return lines.slice(0, end < 0 ? lines.length : end);
}

function longLine(line: string, number: number, more: string): string {
  const part = line.slice(0, maxChars / 2).toWellFormed();
  return `${numberedLines([part], number).join('')}\n[line ${number} has ${line.length} characters; the first ${part.length} are shown${more}]`;
}

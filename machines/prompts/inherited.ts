/** What an interaction lets those below it know of itself, and what of it they are told, by context mode. */

import {capBytes} from '../domain/buffer.ts';
import {bytesOf, lineOf} from '../domain/bytes.ts';
import type {ContextMode} from '../domain/interaction-form.ts';
import type {ContextSettings} from '../domain/settings.ts';
import {quotedLines} from './section-text.ts';

export interface SharedPart {
  readonly title: string;
  readonly text: string;
  /** In a summary: instead of the text. Absent: a summary does without. */
  readonly brief?: string;
  /** The files that say what a workspace is: forms that read them themselves do without. */
  readonly isSurvey?: true;
}

export interface Shared {
  /** Whose it is: `agent, executing`. */
  readonly from: string;
  /** The most important first; one without a text is none. */
  readonly parts: readonly SharedPart[];
}

/** Bytes of a line in a summary. */
const maxLine = 300;

/** Of what is summed up a second time. */
const maxBriefParts = 8;

/** Bytes of the marks that a cut takes from quoted lines, at most. */
const requoting = 6;

/** Bytes of a part: with less it is left out. */
const leastShare = 120;

/**
 * What an interaction below is told: `full` all that is shared, `projected` a summary of it, `fresh` nothing. At most
 * `maxTotalBytes` of a full text and `maxEntryBytes` of a summary; what is cut or left out is said. Texts are quoted: no line of them passes for a title.
 */
export function inheritedFor(
  mode: ContextMode,
  {from, parts}: Shared,
  {maxTotalBytes, maxEntryBytes}: ContextSettings,
): string | undefined {
  if (mode === 'fresh') return undefined;
  const isWhole = mode === 'full';
  const told = parts
    .map(({title, text, brief = ''}): Told => ({title, text: isWhole ? text : brief}))
    .filter(({text}) => text.trim() !== '')
    .map(({title, text}): Told => ({title, text: quotedLines(text)}));
  if (told.length === 0) return undefined;
  return fitted(`From the ${from}:`, told, isWhole ? maxTotalBytes : maxEntryBytes);
}

/** A line of a summary. */
export function briefLine(text: string): string {
  return lineOf(text, maxLine);
}

/** A text that was made here, in a line for each of its first parts. */
export function briefOf(inherited: string): string {
  const parts = inherited.split('\n\n').slice(0, maxBriefParts);
  return parts.map((part) => briefLine(part.replaceAll(/^> ?/gm, ''))).join('\n');
}

/** The text is quoted. */
type Told = Pick<SharedPart, 'title' | 'text'>;

/** Undefined if not even the first part has room. */
function fitted(intro: string, parts: readonly Told[], max: number): string | undefined {
  const whole = written(intro, parts);
  if (bytesOf(whole) <= max) return whole;
  const room = max - bytesOf(written(intro, [leftOut(parts)]));
  const kept = parts.filter((_, index) => shareOf(parts.slice(0, index + 1), room) >= leastShare);
  if (kept.length === 0) return undefined;
  const gone = parts.slice(kept.length);
  return written(intro, [...shortened(kept, room), ...(gone.length > 0 ? [leftOut(gone)] : [])]);
}

/** Each has its share; what one does not need goes to the first that does. */
function shortened(parts: readonly Told[], room: number): Told[] {
  const share = shareOf(parts, room);
  let left = room - titleBytes(parts);
  return parts.map(({title, text}, index) => {
    const reserved = sum(parts.slice(index + 1).map((each) => Math.min(bytesOf(each.text), share)));
    const own = quotedWithin(text, left - reserved);
    left -= bytesOf(own);
    return {title, text: own};
  });
}

/** A quoted text, in which what is left around a cut is quoted as well. */
function quotedWithin(quoted: string, max: number): string {
  if (bytesOf(quoted) <= max) return quoted;
  const lines = capBytes(quoted, max - requoting).split('\n');
  return lines.map((line) => (line.startsWith('>') ? line : `> ${line}`)).join('\n');
}

/** Bytes that each text may have, titles aside. */
function shareOf(parts: readonly Told[], room: number): number {
  return Math.floor((room - titleBytes(parts)) / parts.length);
}

function titleBytes(parts: readonly Told[]): number {
  return sum(parts.map(({title}) => bytesOf(written('', [{title, text: ''}]))));
}

function leftOut(parts: readonly Told[]): Told {
  const titles = parts.map(({title}) => title);
  return {title: 'Left out, as there is no room', text: quotedLines(titles.join(', '))};
}

function written(intro: string, parts: readonly Told[]): string {
  return [intro, ...parts.map(({title, text}) => `${title}:\n${text}`)].join('\n\n');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

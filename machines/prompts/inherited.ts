/** The context that an interaction shares with its children, by context mode. */

import type {ContextMode} from '../domain/interaction-form.ts';
import type {ContextSettings} from '../domain/settings.ts';
import {bytesOf, capBytes, lineOf} from '../domain/text-limits.ts';
import type {LoopStep} from '../domain/tool.ts';
import {quotedLines, sum} from './section-text.ts';
import {bullets} from './sections.ts';

export interface SharedPart {
  readonly title: string;
  readonly text: string;
  /** Replaces the text in a summary. Absent: a summary leaves the part out. */
  readonly brief?: string;
  /** The files that describe a workspace: left out for forms that read them themselves. */
  readonly isSurvey?: true;
}

export interface Shared {
  /** The form and state of the parent: `agent, executing`. */
  readonly from: string;
  /** The most important first; parts without a text are ignored. */
  readonly parts: readonly SharedPart[];
}

/** Bytes of a line in a summary. */
const maxLine = 300;

/** Maximum number of parts when a summary is summarized again. */
const maxBriefParts = 8;

/** Bytes for quotation marks that must be restored after a cut. */
const requoting = 6;

/** In bytes: a part with less room is left out. */
const leastShare = 120;

/**
 * The context that a child receives: `full` everything shared, `projected` a summary of it, `fresh` nothing. A full text has
 * at most `maxTotalBytes`, a summary `maxEntryBytes`, with notes of cuts and left out parts. Texts are quoted, so that none
 * of their lines looks like a title.
 */
export function inheritedFor(
  mode: ContextMode,
  {from, parts}: Shared,
  {maxTotalBytes, maxEntryBytes}: ContextSettings,
): string | undefined {
  if (mode === 'fresh') return undefined;
  const isWhole = mode === 'full';
  const shown = parts
    .map(({title, text, brief = ''}): QuotedPart => ({title, text: isWhole ? text : brief}))
    .filter(({text}) => text.trim() !== '')
    .map(({title, text}): QuotedPart => ({title, text: quotedLines(text)}));
  if (shown.length === 0) return undefined;
  return partsWithin(`From the ${from}:`, shown, isWhole ? maxTotalBytes : maxEntryBytes);
}

/** A line of a summary. */
export function briefLine(text: string): string {
  return lineOf(text, maxLine);
}

/** A summary of a text from {@link inheritedFor}: one line for each of its first parts. */
export function briefOf(inherited: string): string {
  const parts = inherited.split('\n\n').slice(0, maxBriefParts);
  return parts.map((part) => briefLine(part.replaceAll(/^> ?/gm, ''))).join('\n');
}

/** The text is quoted. */
type QuotedPart = Pick<SharedPart, 'title' | 'text'>;

/** The parts within `max` bytes; undefined if not even the first part fits. */
function partsWithin(intro: string, parts: readonly QuotedPart[], max: number): string | undefined {
  const whole = partsText(intro, parts);
  if (bytesOf(whole) <= max) return whole;
  const room = max - bytesOf(partsText(intro, [leftOut(parts)]));
  const kept = parts.filter((_, index) => shareOf(parts.slice(0, index + 1), room) >= leastShare);
  if (kept.length === 0) return undefined;
  const omitted = parts.slice(kept.length);
  return partsText(intro, [
    ...shortened(kept, room),
    ...(omitted.length > 0 ? [leftOut(omitted)] : []),
  ]);
}

/** Each part has its share; room that one does not need goes to the first that needs it. */
function shortened(parts: readonly QuotedPart[], room: number): QuotedPart[] {
  const share = shareOf(parts, room);
  let left = room - titleBytes(parts);
  return parts.map(({title, text}, index) => {
    const reserved = sum(parts.slice(index + 1).map((each) => Math.min(bytesOf(each.text), share)));
    const own = quotedWithin(text, left - reserved);
    left -= bytesOf(own);
    return {title, text: own};
  });
}

/** A quoted text within `max` bytes, in which the lines around a cut are quoted as well. */
function quotedWithin(quoted: string, max: number): string {
  if (bytesOf(quoted) <= max) return quoted;
  const lines = capBytes(quoted, max - requoting).split('\n');
  return lines.map((line) => (line.startsWith('>') ? line : `> ${line}`)).join('\n');
}

/** The bytes that each text may have, without titles. */
function shareOf(parts: readonly QuotedPart[], room: number): number {
  return Math.floor((room - titleBytes(parts)) / parts.length);
}

function titleBytes(parts: readonly QuotedPart[]): number {
  return sum(parts.map(({title}) => bytesOf(partsText('', [{title, text: ''}]))));
}

function leftOut(parts: readonly QuotedPart[]): QuotedPart {
  const titles = parts.map(({title}) => title);
  return {title: 'Left out, as there is no room', text: quotedLines(titles.join(', '))};
}

function partsText(intro: string, parts: readonly QuotedPart[]): string {
  return [intro, ...parts.map(({title, text}) => `${title}:\n${text}`)].join('\n\n');
}

// The steps of a turn loop as context for children.

/** The steps up to now. `maxBytes` limits each observation. */
export function stepsShared(steps: readonly LoopStep[], maxBytes: number): SharedPart {
  return {
    title: 'Steps so far',
    text: bullets(steps.map((step) => `${callLine(step)}: ${capBytes(step.text, maxBytes)}`)),
    brief: bullets(steps.map((step) => briefLine(`${callLine(step)}: ${step.text}`))),
  };
}

function callLine({tool, args, status}: LoopStep): string {
  return `${tool} ${JSON.stringify(args)} (${status})`;
}

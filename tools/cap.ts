/** Size limits of a tool's result: the result goes into the journal and into the next prompt. */

import {cap, maxResultChars} from '../machines/domain/buffer.ts';
import type {Change} from '../machines/domain/change.ts';
import {isStated, type ToolFacts} from '../machines/domain/tool-facts.ts';
import type {Source, ToolOutcome} from '../machines/domain/tool.ts';

/** For a person, in UTF-16 units. */
const maxTypedText = 250_000;
const maxMessage = 10_000;
const maxSources = 1_000;
const maxSourceText = 2_000;
const maxWritten = 10_000;
const maxChanges = 1_000;
/** Of all changes together. */
const maxDiffs = 250_000;

/** `isTyped`: a person reads the result. */
interface Reader {
  readonly tool: ToolFacts;
  readonly isTyped: boolean;
}

/** The outcome cut to its limits. Of a text, the beginning and the end are kept, with a note of how to read the rest. */
export function capped(outcome: ToolOutcome, reader: Reader): ToolOutcome {
  if (outcome.kind === 'succeeded') return cappedSuccess(outcome, reader);
  const message = cut(outcome.message, maxMessage);
  if (!('text' in outcome) || outcome.text === undefined) return {...outcome, message};
  return {...outcome, message, text: cappedText(outcome.text, reader)};
}

function cappedText(text: string, {tool, isTyped}: Reader): string {
  return cap(text, isTyped ? maxTypedText : maxResultChars, hintFor(tool));
}

function hintFor({runs, program, reads, lists, ...facts}: ToolFacts): string {
  if (runs?.language === 'shell')
    return 'filter it with grep, head or tail, or write it to a file and read that in parts';
  if (program || !isStated(facts)) return 'call the tool again, and ask for less at once';
  return (reads ?? lists) ? 'name a narrower place or pattern' : 'ask for less at once';
}

function cappedSuccess(
  outcome: Extract<ToolOutcome, {kind: 'succeeded'}>,
  reader: Reader,
): ToolOutcome {
  const {text, sources = [], written = [], changes = []} = outcome;
  const notes = [
    ...leftOut(sources.length, maxSources, 'sources'),
    ...leftOut(written.length, maxWritten, 'written files'),
    ...leftOut(changes.length, maxChanges, 'changes'),
  ];
  return {
    ...outcome,
    text: [cappedText(text, reader), ...notes].join('\n'),
    ...(outcome.sources ? {sources: sources.slice(0, maxSources).map(cutSource)} : {}),
    ...(outcome.written ? {written: written.slice(0, maxWritten)} : {}),
    ...(outcome.changes ? {changes: changes.slice(0, maxChanges).map(cutDiff)} : {}),
  };
}

function cutSource({place, quote}: Source): Source {
  return {
    place: cut(place, maxSourceText),
    ...(quote === undefined ? {} : {quote: cut(quote, maxSourceText)}),
  };
}

/** The limit of all diffs together is divided equally among them. */
function cutDiff({diff, ...change}: Change, _: number, {length}: readonly Change[]): Change {
  if (diff === undefined) return change;
  return {...change, diff: cut(diff, Math.max(maxDiffs / length, 1_000))};
}

function leftOut(count: number, max: number, what: string): string[] {
  return count > max ? [`[${count} ${what}; the first ${max} are kept]`] : [];
}

/** At most `max` characters, including the note. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const shown = Math.floor(max) - noteOf(text.length, Math.floor(max)).length;
  return `${text.slice(0, shown).toWellFormed()}${noteOf(text.length, shown)}`;
}

function noteOf(length: number, shown: number): string {
  return `\n[${length} characters; the first ${shown} are shown]`;
}

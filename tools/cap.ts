/** How large a result may be: what a tool of any maker gives back goes into the journal and into the next prompt. */

import type {Source, ToolOutcome} from '../machines/domain/tool.ts';

/** Above what any built-in tool gives. In UTF-16 units. */
const maxText = 250_000;
const maxMessage = 10_000;
const maxSources = 1_000;
const maxSourceText = 2_000;
const maxWritten = 10_000;

/** The outcome, with what is beyond its limits cut off, and the cut told at the end of its text. */
export function capped(outcome: ToolOutcome): ToolOutcome {
  if (outcome.kind === 'succeeded') return cappedSuccess(outcome);
  const message = cut(outcome.message, maxMessage);
  if (outcome.kind !== 'failed' || outcome.text === undefined) return {...outcome, message};
  return {...outcome, message, text: cut(outcome.text, maxText)};
}

function cappedSuccess(outcome: Extract<ToolOutcome, {kind: 'succeeded'}>): ToolOutcome {
  const {text, sources = [], written = []} = outcome;
  const notes = [
    ...leftOut(sources.length, maxSources, 'sources'),
    ...leftOut(written.length, maxWritten, 'written files'),
  ];
  return {
    ...outcome,
    text: [cut(text, maxText), ...notes].join('\n'),
    ...(outcome.sources ? {sources: sources.slice(0, maxSources).map(cutSource)} : {}),
    ...(outcome.written ? {written: written.slice(0, maxWritten)} : {}),
  };
}

function cutSource({place, quote}: Source): Source {
  return {
    place: cut(place, maxSourceText),
    ...(quote === undefined ? {} : {quote: cut(quote, maxSourceText)}),
  };
}

function leftOut(count: number, max: number, what: string): string[] {
  return count > max ? [`[${count} ${what}; the first ${max} are kept]`] : [];
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const shown = text.slice(0, max).toWellFormed();
  return `${shown}\n[${text.length} characters; the first ${max} are shown]`;
}

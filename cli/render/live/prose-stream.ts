/** Streams a model's text in rows that fit: a word is shown once it is complete. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {escapedLines, oneLine, tokensOf, widthOfText, wrap} from '../text.ts';
import {placeInRun} from '../view/place.ts';

export interface ProseStream {
  /** The text to write now, escaped. */
  readonly add: (text: string) => string;
  /** The rest, and the end of the row; empty when nothing was begun. */
  readonly end: () => string;
  /** True while the cursor is within the streamed text. */
  readonly isOpen: () => boolean;
  /** True when the latest text is exactly this one. */
  readonly wasStreamed: (text: string) => boolean;
  /** Call it when another line is printed after the text. */
  readonly leave: () => void;
  /** True when the event shows only this text, and nothing was printed after it. */
  readonly covers: (event: ProgressEvent) => boolean;
}

export function createProseStream(width: () => number): ProseStream {
  let pending = '';
  let whole = '';
  let column = 0;
  let isOpen = false;
  let isLastShown = false;

  const put = (token: string): string => {
    if (token === '\n') {
      column = 0;
      return token;
    }
    const shown = escapedLines(token).join('');
    const columns = widthOfText(shown);
    const fits = column + columns <= width();
    const isBlank = shown.trim() === '';
    if (!fits && isBlank) return '';
    const start = fits || column === 0 ? '' : '\n';
    const rows = wrap(shown, width());
    const base = start === '\n' ? 0 : column;
    column = rows.length > 1 ? widthOfText(rows.at(-1) ?? '') : base + columns;
    return start + rows.join('\n');
  };
  const take = (isLast: boolean): string => {
    const tokens = tokensOf(pending);
    pending = isLast || tokens.at(-1) === '\n' ? '' : (tokens.pop() ?? '');
    return tokens.map(put).join('');
  };
  const isLatest = (text: string): boolean => whole !== '' && whole.trim() === text.trim();
  return {
    add: (text) => {
      if (!isOpen) whole = '';
      [isOpen, isLastShown] = [true, true];
      whole += text;
      pending = (pending + text).replaceAll('\r\n', '\n');
      return take(false);
    },
    end: () => {
      if (!isOpen) return '';
      const rest = take(true);
      const lineEnd = column === 0 ? '' : '\n';
      [isOpen, column] = [false, 0];
      return rest + lineEnd;
    },
    isOpen: () => isOpen,
    wasStreamed: isLatest,
    leave: () => {
      isLastShown = false;
    },
    // The check of an answer needs no line between the answer and its sources.
    covers: (event) =>
      event.type === 'thought'
        ? isLatest(event.text)
        : event.type === 'phase.changed' && isLastShown,
  };
}

// Streamed text as whole lines for each model of each interaction, so that parallel ones stay apart.

/** A line without an end is printed at this length, in UTF-16 units. */
const maxPending = 400;

type Delta = Extract<ProgressEvent, {readonly type: 'model.delta'}>;

export interface DeltaLines {
  /** The lines that this piece completes. */
  readonly add: (delta: Delta) => readonly string[];
  /** The unfinished rest. */
  readonly flush: () => readonly string[];
}

export function createDeltaLines(): DeltaLines {
  const pending = new Map<string, string>();
  return {
    add: (delta) => {
      const speaker = speakerOf(delta);
      const lines = ((pending.get(speaker) ?? '') + delta.text).split('\n');
      const rest = lines.pop() ?? '';
      const full = rest.length > maxPending;
      pending.set(speaker, full ? '' : rest);
      return [...lines, ...(full ? [rest] : [])].flatMap((line) => speakerLines(speaker, line));
    },
    flush: () => {
      const lines = [...pending].flatMap(([speaker, rest]) => speakerLines(speaker, rest));
      pending.clear();
      return lines;
    },
  };
}

/** For an interaction below the root, with its place. */
function speakerOf({interaction, model}: Delta): string {
  const place = placeInRun(interaction);
  return place === '' ? `  ${oneLine(model, 60)}` : `[${place}]   ${oneLine(model, 60)}`;
}

function speakerLines(speaker: string, line: string): string[] {
  return line.trim() === '' ? [] : [`${speaker} │ ${oneLine(line, maxPending)}`];
}

/** Streamed text as whole lines for each model of each interaction, so that parallel ones stay apart. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {oneLine} from '../text.ts';
import {placeInRun} from '../view/place.ts';

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

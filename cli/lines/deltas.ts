/** Streamed answer text, gathered into whole lines for each model, so that parallel models stay apart. */

import type {ProgressEvent} from '../../machines/domain/progress.ts';
import {oneLine} from './text.ts';

/** A line without an end is told once it is this long, in UTF-16 units. */
const maxPending = 400;

type Delta = Extract<ProgressEvent, {readonly type: 'model.delta'}>;

export interface DeltaLines {
  /** The lines that this piece completes. */
  readonly add: (delta: Delta) => readonly string[];
  /** What is left unfinished. */
  readonly flush: () => readonly string[];
}

export function createDeltaLines(): DeltaLines {
  const pending = new Map<string, string>();
  return {
    add: ({model, text}) => {
      const lines = ((pending.get(model) ?? '') + text).split('\n');
      const rest = lines.pop() ?? '';
      const full = rest.length > maxPending;
      pending.set(model, full ? '' : rest);
      return [...lines, ...(full ? [rest] : [])].flatMap((line) => tell(model, line));
    },
    flush: () => {
      const lines = [...pending].flatMap(([model, rest]) => tell(model, rest));
      pending.clear();
      return lines;
    },
  };
}

function tell(model: string, line: string): string[] {
  return line.trim() === '' ? [] : [`  ${oneLine(model, 60)} │ ${oneLine(line, maxPending)}`];
}

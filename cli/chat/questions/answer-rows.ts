/** An answer as a model writes it, in whole rows: what is not yet a row waits, as a person types below. */

import {createProseStream, type ProseStream} from '../../render/live/prose-stream.ts';

export interface AnswerRows extends Pick<ProseStream, 'told'> {
  readonly add: (text: string) => string[];
  readonly end: () => string[];
  /** Whether nothing was told since. */
  readonly isLast: () => boolean;
  readonly leave: () => void;
}

export function createAnswerRows(width: () => number): AnswerRows {
  const stream = createProseStream(width);
  let row = '';
  let isLast = false;
  const rows = (text: string): string[] => {
    const all = (row + text).split('\n');
    row = all.pop() ?? '';
    return all;
  };
  return {
    add: (text) => {
      isLast = true;
      return rows(stream.add(text));
    },
    end: () => rows(stream.end()),
    told: stream.told,
    isLast: () => isLast,
    leave: () => {
      isLast = false;
    },
  };
}

/** The ids of events that a follower comes back with. */

import {nanoid} from 'nanoid';

export interface EventIds {
  readonly idOf: (seq: number) => string;
  /** The number of the last event that was seen; 0 for an id of another process, and for what is none. */
  readonly seenBy: (id: string | undefined) => number;
}

/** Events count from 1 in each process: its name tells their ids from those of another. */
export function createEventIds(process: string = nanoid(6)): EventIds {
  const before = `${process}-`;
  return {
    idOf: (seq) => before + String(seq),
    seenBy: (id = '') => {
      const seq = id.startsWith(before) ? id.slice(before.length) : '';
      return /^\d+$/.test(seq) ? Number(seq) : 0;
    },
  };
}

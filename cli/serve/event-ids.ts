/** IDs of events, which a reconnecting client sends as `Last-Event-ID`. */

import {nanoid} from 'nanoid';

export interface EventIds {
  readonly idOf: (seq: number) => string;
  /** The number of the last event that the client has; 0 for an id of another process, and for an invalid one. */
  readonly seenBy: (id: string | undefined) => number;
}

/** Events count from 1 in each process: the process's name distinguishes its ids from those of others. */
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

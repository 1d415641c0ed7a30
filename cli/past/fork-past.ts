/** The past of a forked run as its screen shows it, read as the run begins. */

import type {Entry, InteractionRow, Journal, Origin} from '../../actors/journal/journal.ts';
import {openedIn} from '../../actors/run/run-input.ts';
import type {DecisionFlag} from '../line/decision-flag.ts';
import {type Recorded, recordedIn} from './continued.ts';
import {findRow} from './find-run.ts';

export interface ForkedPast {
  readonly row: InteractionRow;
  readonly recorded: Recorded;
  /** The entry that the fork continues. */
  readonly origin?: Origin;
}

export interface ForkPastReader {
  /** For `Runtime.fork`. Rejects with AppError `usage` for an edited plan that does not fit. */
  readonly prepare: (entries: readonly Entry[]) => Promise<void>;
  /** Throws Error before `prepare` was called. */
  readonly past: () => ForkedPast;
}

export function createForkPast(journal: Journal, given: DecisionFlag | undefined): ForkPastReader {
  let read: ForkedPast | undefined;
  return {
    prepare: async (entries) => {
      const row = await findRow(journal, openedIn(entries)?.id ?? '');
      const [opened] = entries;
      const origin = opened?.type === 'opened' ? opened.origin : undefined;
      const recorded = await recordedIn(entries, row, given);
      read = {row, recorded, ...(origin ? {origin} : {})};
    },
    past: () => {
      if (read) return read;
      throw new Error('the run was forked without its entries');
    },
  };
}

/** The part of a runtime that removes runs from its journal, and writes them to be read elsewhere. */

import type {PruneOptions, PruneReport} from './prune.ts';

export type {PruneOptions, PruneReport};

export interface Retention {
  /**
   * Removes a run, ended or not, from the journal with all of its data: its entries, the earlier contents of its files, its
   * messages. Files that it wrote to its workspace stay. Rejects with AppError `not_found`, `busy` while it is at work in any
   * process, or `io` when some of its data may remain.
   */
  readonly erase: (id: string) => Promise<void>;
  /**
   * Erases the runs that meet all of the given criteria, and makes the files of the journal smaller. Keeps runs at work, and open
   * runs with an effect that may have happened or not. Rejects with AppError `usage` without a criterion.
   */
  readonly prune: (options: PruneOptions) => Promise<PruneReport>;
  /**
   * The lines of a run for reading, without line feeds: one entry a line as JSON. Rejects with AppError `not_found`, or with `journal_corrupt` after the entries before the damage.
   */
  readonly export: (id: string) => AsyncIterable<string>;
}

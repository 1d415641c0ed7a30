/** The part of a runtime that removes runs from its journal, and moves runs to another one. */

import type {ExportOptions} from './export.ts';
import type {ImportReport, Lines} from './import.ts';
import type {PruneOptions, PruneReport} from './prune.ts';

export type {ExportOptions, ImportReport, PruneOptions, PruneReport};

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
   * The lines of a run for `import`, without line feeds: one entry a line as JSON, and on request the earlier contents of its
   * files. Rejects with AppError `not_found`, or with `journal_corrupt` after the entries before the damage.
   */
  readonly export: (id: string, options?: ExportOptions) => AsyncIterable<string>;
  /**
   * Imports an exported run, in one transaction: its entries with their times, its session, its result, the earlier contents of
   * its files. Importing it again changes nothing. An open run continues only with `resume` and a `workspace`. Rejects with
   * AppError `usage` for a line that is changed, missing or moved, which the message names, and for a run whose id other entries
   * have; `io` when the journal can't take it.
   */
  readonly import: (lines: Lines) => Promise<ImportReport>;
}

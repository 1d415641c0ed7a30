/** The part of a runtime that shows runs step by step. */

import type {Gap, Step} from '../../machines/trace/step.ts';
import type {ModelCall} from '../../machines/trace/view.ts';
import type {Entry} from '../journal/journal.ts';

export interface TraceBatch {
  readonly steps: readonly Step[];
  readonly gaps: readonly Gap[];
}

export interface TraceOptions {
  /** Ends the trace when it is aborted. */
  readonly signal?: AbortSignal;
  /** False: ends after the entries that there are. Otherwise also entries that are written later, until the run has ended. */
  readonly isFollowed?: boolean;
}

/** Private answers of interviews are masked. */
export interface Inspection {
  /**
   * The steps of a run of any process: the present ones, then new ones as they are written, until it ends. An empty batch
   * separates them. Rejects with AppError `not_found` or `journal_corrupt`.
   */
  readonly trace: (id: string, options?: TraceOptions) => AsyncGenerator<TraceBatch>;
  /** The model calls of a run, in order. Rejects as `trace`. */
  readonly modelCalls: (id: string) => Promise<readonly ModelCall[]>;
  /** The same for entries that are not in the journal of the runtime, such as redacted ones. */
  readonly inspectEntries: (
    id: string,
    entries: readonly Entry[],
  ) => Promise<TraceBatch & {readonly calls: readonly ModelCall[]}>;
}

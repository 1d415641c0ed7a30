/** The part of a runtime that shows runs step by step. */

import {once} from '../../machines/domain/once.ts';
import type {Gap, ModelCall, Step} from '../../machines/trace/step.ts';
import type {Entry} from '../journal/journal.ts';

export interface TraceBatch {
  readonly steps: readonly Step[];
  readonly gaps: readonly Gap[];
  /** There are no more steps for now. */
  readonly isCurrent?: true;
}

/** A whole trace. */
export interface InspectedRun extends TraceBatch {
  readonly calls: readonly ModelCall[];
}

export interface TraceOptions {
  /** Ends the trace when it is aborted. */
  readonly signal?: AbortSignal;
  /** False: ends after the entries that there are. Otherwise also entries that are written later, until the run has ended. */
  readonly isFollowed?: boolean;
}

/** Private answers of interviews are masked: an open run with interviews is shown up to its last question. */
export interface Inspection {
  /**
   * The steps of a run of any process: the present ones, then new ones as they are written, until it ends. A trace that waits for
   * new steps is ended by its signal only. Rejects with AppError `not_found`, also when the run is erased meanwhile, or
   * `journal_corrupt`.
   */
  readonly trace: (id: string, options?: TraceOptions) => AsyncGenerator<TraceBatch>;
  /** The model calls of a run, in order. Rejects as `trace`. */
  readonly modelCalls: (id: string) => Promise<readonly ModelCall[]>;
  /** The number of entries of a run, without reading them. 0 for an unknown run. */
  readonly entryCount: (id: string) => Promise<number>;
  /** The cost of a run that has ended, from its last entry. Undefined when it is not known. */
  readonly costOf: (id: string) => Promise<number | undefined>;
  /** The same for entries that are not in the journal of the runtime. */
  readonly inspectEntries: (id: string, entries: readonly Entry[]) => Promise<InspectedRun>;
}

/** Loads the implementation when it is first used. */
export function createLateInspection(load: () => Promise<Inspection>): Inspection {
  const inspection = once(load);
  return {
    trace: async function* trace(id, options) {
      yield* (await inspection()).trace(id, options);
    },
    modelCalls: async (id) => await (await inspection()).modelCalls(id),
    entryCount: async (id) => await (await inspection()).entryCount(id),
    costOf: async (id) => await (await inspection()).costOf(id),
    inspectEntries: async (id, entries) => await (await inspection()).inspectEntries(id, entries),
  };
}

/** The subjects of an inspector: the runs of a journal, or the actors of a program. */

import type {TraceBatch} from '../../actors/inspect/inspection-api.ts';
import type {ModelCall, TraceHead, TraceRow} from '../../machines/trace/step.ts';
import type {Chart} from './replies.ts';

/** One trace: of a run, or of a root actor. */
export interface Subject {
  /** Rejects with AppError `not_found` or `journal_corrupt`. */
  readonly head: () => Promise<TraceHead>;
  /** All steps, then new ones, until the run has ended or the signal is aborted. A program's trace ends by the signal only. */
  readonly follow: (signal: AbortSignal) => AsyncGenerator<TraceBatch>;
  readonly calls: () => Promise<readonly ModelCall[]>;
  /** Undefined: it has no such machine. */
  readonly chart: (machine: string) => Promise<Chart | undefined>;
}

export interface Traces {
  /** The newest first. */
  readonly list: () => Promise<readonly TraceRow[]>;
  /** Rejects with AppError `not_found` or `journal_corrupt`. */
  readonly find: (id: string) => Promise<Subject>;
}

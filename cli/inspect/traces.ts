/** The subjects of an inspector: the runs of a journal, or the actors of a program. */

import type {TraceBatch} from '../../actors/inspect/inspection-api.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {ModelCall, TraceHead, TraceRow} from '../../machines/trace/view.ts';
import type {Chart, Rewound} from './replies.ts';

export type SentEvent = JsonObject & {readonly type: string};

/** One trace: of a run, or of a root actor. */
export interface Subject {
  /** Rejects with AppError `not_found` or `journal_corrupt`. */
  readonly head: () => Promise<TraceHead>;
  /** All steps, then new ones, until the run has ended or the signal is aborted. A program's trace ends by the signal only. */
  readonly follow: (signal: AbortSignal) => AsyncGenerator<TraceBatch>;
  readonly calls: () => Promise<readonly ModelCall[]>;
  /** Undefined: it has no such machine. */
  readonly chart: (machine: string) => Promise<Chart | undefined>;
  /** Rejects with AppError: the errors of `Run.send`; `usage` or `not_found` for an actor that takes no event. */
  readonly send: (event: SentEvent, actor: string | undefined) => Promise<void>;
}

/** A run can be continued in another way. Each rejects as the method of a runtime. */
export interface RunSubject extends Subject {
  /** Resolves with the id of the new run. */
  readonly fork: (at: number, say: string | undefined) => Promise<string>;
  readonly rewind: (to: number, dryRun: boolean) => Promise<Rewound>;
}

export interface Traces {
  /** The newest first. */
  readonly list: () => Promise<readonly TraceRow[]>;
  /** Rejects with AppError `not_found` or `journal_corrupt`. */
  readonly find: (id: string) => Promise<Subject | RunSubject>;
}

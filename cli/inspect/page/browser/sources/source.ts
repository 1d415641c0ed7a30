/** Where the page gets a trace from: the server that it came from, or the file that it is in. */

import type {
  Gap,
  ModelCall,
  Step,
  TraceHead,
  TraceRow,
} from '../../../../../machines/trace/step.ts';
import type {Chart} from '../../../replies.ts';

/** The content of a file. */
export interface Embedded {
  readonly head: TraceHead;
  readonly steps: readonly Step[];
  readonly gaps: readonly Gap[];
  readonly calls: readonly ModelCall[];
  /** By the id of the machine. */
  readonly charts: Readonly<Record<string, Chart>>;
}

export interface Listener {
  readonly onHead: (head: TraceHead) => void;
  readonly onSteps: (steps: readonly Step[], gaps: readonly Gap[]) => void;
  /** All steps that there are now have been passed on. Called once. */
  readonly onReady: () => void;
  /** False: the connection is lost, and is tried again. */
  readonly onConnection: (isConnected: boolean) => void;
  /** The trace does not exist, can't be read, or the token is wrong. Nothing follows. */
  readonly onRefused: (error: SourceError) => void;
}

/** Promises reject with `SourceError`. */
export interface Source {
  /** False: a file. There is nothing to follow. */
  readonly isLive: boolean;
  readonly list: () => Promise<readonly TraceRow[]>;
  /** Follows a trace until the returned function is called. */
  readonly follow: (id: string, listener: Listener) => () => void;
  /** The model calls that there are now. */
  readonly calls: (id: string) => Promise<readonly ModelCall[]>;
  /** Undefined: there is no drawing of this machine. */
  readonly chart: (id: string, machine: string) => Promise<Chart | undefined>;
}

export class SourceError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

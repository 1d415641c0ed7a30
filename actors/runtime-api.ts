/** The library's shape: what the launcher and every other program sees of a runtime. */

import type {HumanDecision} from '../machines/domain/human.ts';
import type {ProgressEvent} from '../machines/domain/progress.ts';
import type {RunResult} from '../machines/domain/result.ts';
import type {HilMode} from '../machines/domain/settings.ts';
import type {RunForm} from './config/resolve.ts';
import type {OpenGate} from './engine/effect.ts';
import type {Entry, InteractionRow} from './journal/journal.ts';

export interface StartOptions extends PlaceOptions {
  readonly form: RunForm;
  readonly request: string;
}

export interface PlaceOptions {
  /** Absolute or relative to the current folder. Must exist. Absent: the current folder. */
  readonly workspace?: string;
}

export type {OpenGate};

export type RunEvent =
  /** `gate` may be left out when one gate is open. */
  | ({readonly type: 'human.decided'; readonly gate?: string} & HumanDecision)
  /** Ends the run: `cancelled`. */
  | {readonly type: 'user.cancel'}
  /** Takes effect at an open human gate at once. */
  | {readonly type: 'settings.changed'; readonly hilMode: HilMode};

export interface Run {
  readonly id: string;
  /** The progress events from now on; ends after the `result`. One consumer. */
  readonly events: AsyncIterable<ProgressEvent>;
  /** Never rejects for what a run may meet: its `status` says it. */
  readonly result: Promise<RunResult>;
  /** Human gates that are open now. */
  readonly gates: () => readonly OpenGate[];
  /** Keys of the effects under way, a person's decisions aside: none when only a person can bring the run on. */
  readonly atWork: () => readonly string[];
  /** Throws AppError `nothing_waiting` for a decision when no such gate is open. */
  readonly send: (event: RunEvent) => void;
  /**
   * Stops without ending: calls in flight are aborted, the journal stays open. `result` resolves with status
   * `waiting`: exit 4 when a human gate is open and `why` is 'waiting', exit 130 when 'interrupted'.
   */
  readonly suspend: (why: 'waiting' | 'interrupted') => Promise<void>;
}

export interface Runtime {
  /**
   * Looks at what the tools of a new run in the workspace, or of the open run `run`, work on, such as a database.
   * Rejects with AppError `config` when that can't be had. A run without it ends as `error`.
   */
  readonly ready: (options?: PlaceOptions & {readonly run?: string}) => Promise<void>;
  readonly start: (options: StartOptions) => Run;
  /** `start` with the form `agent`: a task, planned, voted on and done. */
  readonly agent: (task: string, options?: PlaceOptions) => Run;
  /** `start` with the form `ask`: a question, answered with read-only tools. */
  readonly ask: (question: string, options?: PlaceOptions) => Run;
  /** Continues an open run. Throws AppError `not_found`, `busy`, `divergence` or `journal_corrupt`. */
  readonly resume: (id: string) => Run;
  /** Cancels a run wherever it is: a live one is told, a dead one is taken over and closed. */
  readonly cancel: (id: string) => Promise<RunResult | 'told'>;
  readonly sessions: () => readonly InteractionRow[];
  readonly entries: (id: string) => readonly Entry[];
  readonly close: () => Promise<void>;
}

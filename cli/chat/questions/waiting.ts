/** The questions of a conversation that wait for the person: gates, and messages of interviews. */

import type {OpenGate} from '../../../actors/run/open-gate.ts';
import type {HumanDecision} from '../../../machines/domain/human.ts';
import type {OpenAsk} from '../../../machines/questionnaire/answers.ts';
import type {LiveRoot} from '../roots.ts';

export interface Asking {
  readonly root: LiveRoot;
  readonly open: OpenAsk;
  readonly place: string;
}

export interface ChatAsks {
  /** The oldest first. */
  readonly waiting: () => readonly Asking[];
  /** Shows what has not been shown yet. Call it after every event. */
  readonly refresh: () => void;
  /** The one that text without a command answers: that of the interaction in focus. */
  readonly answering: () => Asking | undefined;
  /**
   * To the one in focus; `place`: to that of another. `begunAt`: when the person began to type, by `performance.now()`.
   * Throws AppError `nothing_waiting` or `usage` for what answers nothing.
   */
  readonly reply: (text: string, place: string | undefined, begunAt: number) => void;
}

export interface Waiting {
  readonly root: LiveRoot;
  readonly open: OpenGate;
  readonly place: string;
}

export interface ChatGates {
  readonly waiting: () => readonly Waiting[];
  /** Shows what has not been shown yet. Call it after every event. */
  readonly refresh: () => void;
  /** `begunAt`: when the person began to type, by `performance.now()`. Rejects with AppError for what answers nothing. */
  readonly answer: (
    decision: HumanDecision['decision'],
    rest: string,
    begunAt: number,
  ) => Promise<void>;
  readonly showWhole: (waiting: Waiting) => Promise<void>;
}

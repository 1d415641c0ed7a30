/** The questions that wait for the person: gates, and messages of interviews. */

import type {OpenGate} from '../../actors/runtime-api.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import {type Message, t} from '../../machines/message.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {AskedQuestion} from '../../machines/terminal/asked.ts';
import type {LiveRoot} from './roots.ts';

interface Placed extends AskedQuestion {
  readonly root: LiveRoot;
  readonly place: string;
}

/** The name of the only root of one run. */
export const theRun: Message = t`the run`;

/** A question at a gate. */
export interface Waiting extends Placed {
  readonly kind: 'gate';
  readonly open: OpenGate;
}

/** A message of an interview. */
export interface Asking extends Placed {
  readonly kind: 'interview';
  readonly open: OpenAsk;
}

export interface Questions {
  /** One for each interaction, the oldest first. */
  readonly gates: () => readonly Waiting[];
  readonly interviews: () => readonly Asking[];
  /** Synchronizes the chart with the open questions, and shows new ones. Call it after every event. */
  readonly refresh: () => void;
  /** The interview that receives text without a command: the focused one. */
  readonly answering: () => Asking | undefined;
  /** The same; without a focused one, the only interview. Throws AppError `nothing_waiting` or `usage`. */
  readonly asking: () => Asking;
  /** `begunAt`: when the person began to type, by `performance.now()`. Rejects with AppError when no open question fits. */
  readonly decide: (
    decision: HumanDecision['decision'],
    rest: string,
    begunAt: number,
  ) => Promise<void>;
  /** Replies to the focused interview, or to that at `place`. Throws AppError `nothing_waiting` or `usage`. */
  readonly reply: (text: string, place: string | undefined, begunAt: number) => void;
  readonly showWhole: (waiting: Waiting) => Promise<void>;
}

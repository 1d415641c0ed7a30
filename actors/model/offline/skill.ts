/** What a skill of the offline model is: phrases that it understands, a plan, and the work of the plan's last task. */

import type {JsonObject} from '../../../machines/domain/json.ts';

/** A tool call that a skill wants made. */
export interface Use {
  readonly tool: string;
  readonly args: JsonObject;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** A turn of work: yields the calls of one turn, is given their answers in order, and returns the final report. */
export type Work = Generator<readonly Use[], string, readonly Answer[]>;

export interface PlannedTask {
  readonly id: string;
  readonly description: string;
  readonly tool?: string;
  readonly args?: JsonObject;
  readonly depends_on?: readonly string[];
  readonly expected_outcome?: string;
}

/** A request that a skill understood. */
export interface Job {
  readonly objective: string;
  readonly reasoning: string;
  /** A task without arguments is worked out by `work`. There is one such task at most. */
  readonly tasks: readonly PlannedTask[];
  readonly work?: () => Work;
}

export interface Skill {
  readonly skill: string;
  /** Examples of what it understands. */
  readonly phrases: readonly string[];
  readonly does: string;
  /** Undefined when the request asks for something else. */
  readonly understand: (request: string) => Job | undefined;
}

/** How a report begins when the work was not, or not wholly, done. */
export const notDone = 'Not done: ';
export const partlyDone = 'Partly done: ';

/** The first sentence against a call that failed or was not allowed. */
export function refusal(what: string, answer: Answer | undefined): string {
  return `${notDone}${what}. ${answer?.text ?? 'No answer came.'}`;
}

/** What a skill of the offline model is: what it understands, a plan, and the work of the plan's last task. */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {Phrase} from './phrase.ts';

/** A tool call that a skill wants made. */
export interface Use {
  readonly tool: string;
  readonly args: JsonObject;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** What work came to. A task whose work was not, or not wholly, done has failed. */
export interface Report {
  readonly text: string;
  readonly isDone: boolean;
}

/** Yields the calls of one turn and is given their answers in order. */
export type Steps<Result> = Generator<readonly Use[], Result, readonly Answer[]>;

/** Work on a task returns the final report. */
export type Work = Steps<Report>;

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
  /** Where it is more than that every word is understood. */
  readonly reasoning?: string;
  /** A task without arguments is worked out by `work`. There is one such task at most. */
  readonly tasks: readonly PlannedTask[];
  readonly work?: () => Work;
}

export interface Skill {
  /** Its name in the repertoire. */
  readonly skill: string;
  /** How it may be said, for a refusal that names the word at which reading stopped. */
  readonly forms?: readonly Phrase[];
  /** Undefined when the request asks for something else, or for more. */
  readonly understand: (request: string) => Job | undefined;
}

export function done(text: string): Report {
  return {text, isDone: true};
}

export function notDone(why: string): Report {
  return {text: `Not done: ${why}`, isDone: false};
}

export function partlyDone(what: string): Report {
  return {text: `Partly done: ${what}`, isDone: false};
}

/** The first sentence against a call that failed or was not allowed. Advice on tools is for models alone. */
export function refusal(what: string, answer: Answer | undefined): Report {
  const why = answer?.text ?? 'No answer came.';
  return notDone(`${what}. ${why.replace(/; [a-z]+_[a-z]+ [^;\n]*$/, '')}`);
}

/** A job of one task that is worked out, with the tool that it can't do without. */
export function workedOut(
  task: Omit<PlannedTask, 'args'>,
  job: Omit<Job, 'tasks'> & Required<Pick<Job, 'work'>>,
): Job {
  return {...job, tasks: [task]};
}

/** A job whose one task is its objective. */
export function plainJob(id: string, objective: string, work: () => Work): Job {
  return {objective, tasks: [{id, description: objective}], work};
}

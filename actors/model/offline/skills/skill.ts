/** A skill of the offline model: the requests that it understands, and the work that each of them means. */

import type {JsonObject} from '../../../../machines/domain/json.ts';
import {firstReading, type Phrase, rulesIn, type Slots} from '../phrase.ts';

export interface Use {
  readonly tool: string;
  readonly args: JsonObject;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** The end of some work. A task whose work was not, or not wholly, done has failed. */
export interface Report {
  readonly text: string;
  readonly isDone: boolean;
}

/** Yields the calls of one turn and is given their answers in order. */
export type Steps<Result> = Generator<readonly Use[], Result, readonly Answer[]>;

export type Work = Steps<Report>;

export interface PlannedTask {
  readonly id: string;
  readonly description: string;
  readonly tool?: string;
  readonly args?: JsonObject;
  readonly depends_on?: readonly string[];
}

export interface Job {
  readonly objective: string;
  readonly task: PlannedTask;
  readonly work?: () => Work;
}

/** A job whose task is its objective, unless `task` says more. */
export function jobOf(
  id: string,
  objective: string,
  work: () => Work,
  task: Partial<PlannedTask> = {},
): Job {
  return {objective, task: {id, description: objective, ...task}, work};
}

export interface Skill {
  /** How it may be said, for a refusal that names the word at which reading stopped. */
  readonly forms: readonly Phrase[];
  /** Undefined when the request asks for something else, or for more. */
  readonly understand: (request: string) => Job | undefined;
}

type Reader = (slots: Slots, request: string) => Job | undefined;

/** A skill by its rules, as `rulesIn` reads them, in the order in which they are tried, and a reader for each. */
export function skillOf(
  readers: Readonly<Record<string, Reader>>,
  rules: string,
  parts: Readonly<Record<string, readonly string[]>> = {},
): Skill {
  const rows = [...rulesIn(rules, parts)];
  return {
    forms: rows.flatMap(([, forms]) => forms),
    understand: (request) => {
      for (const [rule, forms] of rows) {
        const job = firstReading(forms, request, (slots) => readers[rule]?.(slots, request));
        if (job) return job;
      }
      return undefined;
    },
  };
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

/** `text` if all calls succeeded, else what went wrong. */
export function settle(answers: readonly Answer[], text: string): Report {
  const failed = answers.filter(({isError}) => isError);
  const [first] = failed;
  if (!first) return done(text);
  if (failed.length === answers.length) return refusal('no file was changed', first);
  const changed = answers.length - failed.length;
  return partlyDone(`${changed} of ${answers.length} files were changed. ${textOf(first)}`);
}

export function textOf(answer: Answer | undefined): string {
  return answer?.text ?? 'No answer came.';
}

/** The first sentence against a call that failed or was not allowed. Advice on tools is for models alone. */
export function refusal(what: string, answer: Answer | undefined): Report {
  return notDone(`${what}. ${textOf(answer).replace(/; (?:[a-z]+_[a-z]+|list) [^;\n]*$/, '')}`);
}

/** A skill of the offline model: the requests that it understands, and the work for each of them. */

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

/** The result of the work. A task whose work is not completely done counts as failed. */
export interface Report {
  readonly text: string;
  readonly isDone: boolean;
}

/** Yields the calls of one turn and receives their answers in the same order. */
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

/** A job with one task, whose description is the objective unless `task` overrides it. */
export function jobOf(
  id: string,
  objective: string,
  work: () => Work,
  task: Partial<PlannedTask> = {},
): Job {
  return {objective, task: {id, description: objective, ...task}, work};
}

export interface Skill {
  /** All of its phrases, for a refusal that names the word at which reading stopped. */
  readonly forms: readonly Phrase[];
  /** Returns undefined if the request asks for something else, or for more. */
  readonly understand: (request: string) => Job | undefined;
}

type Reader = (slots: Slots, request: string) => Job | undefined;

/** Creates a skill from rules in the format of `rulesIn`, which are tried in order, and one reader per rule. */
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

/** Reports `text` if all calls succeeded, otherwise the first failure. */
export function settle(answers: readonly Answer[], text: string): Report {
  const failed = answers.filter(({isError}) => isError);
  const [first] = failed;
  if (!first) return done(text);
  if (failed.length === answers.length) return refusal('no file was changed', first);
  const changed = answers.length - failed.length;
  return partlyDone(`${changed} of ${answers.length} files were changed. ${toolAnswerText(first)}`);
}

export function toolAnswerText(answer: Answer | undefined): string {
  return answer?.text ?? 'There was no answer.';
}

/** Reports a call that failed or was not allowed. Advice on tools, which is meant for models, is removed from its message. */
export function refusal(what: string, answer: Answer | undefined): Report {
  return notDone(
    `${what}. ${toolAnswerText(answer).replace(/; (?:[a-z]+_[a-z]+|list) [^;\n]*$/, '')}`,
  );
}

/** Changes to files that the calls of a plan would make: part of the decision on the plan. */

import {engineLine, type Quotation} from '../prompts/section-text.ts';
import {hashOf} from './digest.ts';
import {type Plan, planHash, type PlanReading} from './plan.ts';

export interface PlannedChange {
  /** Id of the task with the call. */
  readonly task: string;
  /** The diff against the current file, or why there is none. */
  readonly preview: string;
  /** `basedOn` of the call's preview. Absent: the decision does not depend on the file. */
  readonly basedOn?: string;
}

export interface ProposedPlan {
  readonly plan: Plan;
  /** Changes to the files that its calls write. Absent: none. */
  readonly changes?: readonly PlannedChange[];
  /** A model, or `person`. */
  readonly by: string;
}

/** A plan that a person edited, after it is parsed and its calls are checked. */
export interface EditedPlan {
  readonly reading: PlanReading;
  readonly problems: readonly string[];
}

/** The result of checking the calls of a plan. */
export interface CheckedCalls {
  /** One a line. */
  readonly problems: readonly string[];
  readonly changes?: readonly PlannedChange[];
}

/** SHA-256 of the subject of a vote or a gate: the plan, and its changes to files. */
export function planDigest(plan: Plan, changes: readonly PlannedChange[]): string {
  return changes.length === 0 ? planHash(plan) : hashOf({plan, changes});
}

/** For people. Undefined when the plan contains no write. */
export function changesText(changes: readonly PlannedChange[]): string | undefined {
  if (changes.length === 0) return undefined;
  return changes.map(({task, preview}) => `Task ${task}:\n${preview}`).join('\n\n');
}

/** For models. */
export function changeQuotations(changes: readonly PlannedChange[]): Quotation[] {
  return changes.map(({task, preview}) => ({source: engineLine`Task ${task}`, text: preview}));
}

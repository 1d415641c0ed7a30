/** Files that the calls spelled out in a plan would write, as they stand: part of the decision on the plan. */

import {engineLine, type Quotation} from '../prompts/section-text.ts';
import {hashOf} from './digest.ts';
import {type Plan, planHash, type PlanReading} from './plan.ts';

export interface PlannedChange {
  /** Id of the task that spells the call out. */
  readonly task: string;
  /** The diff against the file as it is, or why there is none. */
  readonly preview: string;
  /** As the preview of the call has it. Absent: the decision does not depend on the file. */
  readonly basedOn?: string;
}

export interface ProposedPlan {
  readonly plan: Plan;
  /** To the files that its calls write. Absent: none. */
  readonly changes?: readonly PlannedChange[];
  /** A model, or `person`. */
  readonly by: string;
}

/** A plan as a person edited it, once it is read and its calls are checked. */
export interface EditedPlan {
  readonly reading: PlanReading;
  readonly problems: readonly string[];
}

/** Calls of a plan as they were checked. */
export interface CheckedCalls {
  /** One a line. */
  readonly problems: readonly string[];
  readonly changes?: readonly PlannedChange[];
}

/** SHA-256 of what a vote or a gate decides on: the plan, and the files that it writes. */
export function planDigest(plan: Plan, changes: readonly PlannedChange[]): string {
  return changes.length === 0 ? planHash(plan) : hashOf({plan, changes});
}

/** For people. Undefined when the plan spells out no write. */
export function changesText(changes: readonly PlannedChange[]): string | undefined {
  if (changes.length === 0) return undefined;
  return changes.map(({task, preview}) => `Task ${task}:\n${preview}`).join('\n\n');
}

/** For models. */
export function changeQuotations(changes: readonly PlannedChange[]): Quotation[] {
  return changes.map(({task, preview}) => ({source: engineLine`Task ${task}`, text: preview}));
}

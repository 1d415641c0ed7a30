/** What there is to see of a run: folded from its events, read by every renderer. Plain data, no words of a screen. */

import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import type {RunResult, UsageTotals} from '../../machines/domain/result.ts';
import type {ModelVote, ReviewRound} from '../../machines/domain/review.ts';

export interface RunView {
  /** The name of the state that the interaction is in; empty before the first. */
  readonly phase: string;
  readonly plan: Plan | undefined;
  /** Planned ones first, in the plan's order. */
  readonly tasks: readonly TaskView[];
  /** Calls that belong to no task. */
  readonly calls: readonly CallView[];
  readonly rounds: readonly RoundView[];
  /** Those that wait for a person, the oldest first. */
  readonly gates: readonly GateView[];
  /** What a model is writing, and which; undefined once it has written. */
  readonly talk: Talk | undefined;
  readonly usage: UsageTotals | undefined;
  readonly warnings: readonly string[];
  readonly result: RunResult | undefined;
}

export interface Talk {
  readonly model: string;
  /** The end of it. */
  readonly text: string;
}

/** `lost`: it ended without saying how. `cutOff`, `notReached`: the run ended first. */
export type TaskState =
  | 'planned'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'skipped'
  | 'lost'
  | 'cutOff'
  | 'notReached';

export interface TaskView {
  /** The interaction that it is a task of. */
  readonly interaction: string;
  readonly id: string;
  /** Empty when this process was not there when it was planned, as after a resume. */
  readonly description: string;
  readonly state: TaskState;
  /** Why, once it has settled. */
  readonly message: string;
  readonly calls: readonly CallView[];
}

export interface CallView {
  readonly tool: string;
  /** Empty for a call that was refused before it began. */
  readonly summary: string;
  /** `running`, `cutOff` when its task or the run ended first, else as the tool's outcome has it. */
  readonly state: string;
  readonly message: string;
  /** Attempts that failed. */
  readonly retries: number;
}

export interface RoundView {
  readonly interaction: string;
  readonly round: number;
  readonly kind: ReviewRound['kind'];
  readonly title: string;
  readonly rule: string;
  readonly seats: readonly string[];
  readonly votes: readonly ModelVote[];
  /** Absent while the vote is open. */
  readonly decided: ReviewRound | undefined;
}

export interface GateView {
  readonly gate: string;
  readonly question: HumanQuestion;
}

export const emptyView: RunView = {
  phase: '',
  plan: undefined,
  tasks: [],
  calls: [],
  rounds: [],
  gates: [],
  talk: undefined,
  usage: undefined,
  warnings: [],
  result: undefined,
};

export function findTask(
  {tasks}: RunView,
  {interaction, task}: {readonly interaction: string; readonly task?: string | undefined},
): TaskView | undefined {
  return tasks.find((one) => one.id === task && one.interaction === interaction);
}

export function isAtWork({state}: TaskView): boolean {
  return state === 'running';
}

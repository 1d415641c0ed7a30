/** What there is to see of a run: folded from its events, read by every renderer. Plain data, no words of a screen. */

import type {Failure} from '../../../machines/domain/failure.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import type {InteractionForm} from '../../../machines/domain/interaction-form.ts';
import type {ContextMode} from '../../../machines/domain/interaction-form.ts';
import type {Plan} from '../../../machines/domain/plan.ts';
import type {InteractionEnd, RunResult, UsageTotals} from '../../../machines/domain/result.ts';
import type {ModelVote, ReviewRound} from '../../../machines/domain/review.ts';
import type {FieldStatus} from '../../../machines/questionnaire/answers.ts';

export interface RunView {
  /** The root first, each above those below it. */
  readonly interactions: readonly InteractionView[];
  /** Of all interactions. Those planned first, in their plan's order. */
  readonly tasks: readonly TaskView[];
  /** Of all interactions, the oldest first. */
  readonly rounds: readonly RoundView[];
  /** Those that wait for a person, the oldest first. */
  readonly gates: readonly GateView[];
  /** What interviews say that waits for a reply, the oldest first. */
  readonly asks: readonly AskView[];
  /** Of the whole run. */
  readonly usage: UsageTotals | undefined;
  readonly warnings: readonly string[];
  readonly result: RunResult | undefined;
}

/** `running` until it is told how it ended; `cutOff`: the run ended first. `waiting`: it goes on when it is resumed. */
export type InteractionState = 'running' | 'cutOff' | RunResult['status'];

export interface InteractionView {
  readonly id: string;
  /** Undefined when this process was not there when it began, as after a resume. */
  readonly form: InteractionForm | undefined;
  /** Empty when this process was not there. */
  readonly request: string;
  /** Undefined for the root. */
  readonly parent: string | undefined;
  /** 0 for the root. */
  readonly depth: number;
  /** How much it was told of the one above; undefined for the root. */
  readonly contextMode: ContextMode | undefined;
  /** Who wanted it; undefined for the root. */
  readonly by: InteractionEnd['by'] | undefined;
  readonly state: InteractionState;
  /** The name of the state that its form is in; empty before the first. */
  readonly phase: string;
  readonly plan: Plan | undefined;
  /** Of an interview: undefined before the first of its fields was opened. */
  readonly filled: FilledView | undefined;
  /** Calls that belong to no task. */
  readonly calls: readonly CallView[];
  /** What a model is writing, and which; undefined once it has written. */
  readonly talk: Talk | undefined;
  /** What it came to; empty before. */
  readonly summary: string;
  /** That, as the one above reads it; empty before, and for the root. */
  readonly text: string;
  /** Those that could not be begun below it. */
  readonly refusals: readonly RefusalView[];
  /** By its own calls, those of the interactions below left out. */
  readonly spent: UsageTotals;
}

/** How far a form is filled: fields that have an answer, of those that apply. */
export interface FilledView {
  readonly done: number;
  readonly of: number;
  /** By the ids of those that were opened. */
  readonly fields: Readonly<Record<string, FieldStatus>>;
}

export interface AskView {
  readonly interaction: string;
  readonly ask: string;
  readonly message: string;
  /** The field that it is about, if it is about one. */
  readonly field?: string;
}

export interface RefusalView {
  readonly form: InteractionForm;
  readonly error: Failure;
}

export interface Talk {
  readonly model: string;
  /** The end of it. */
  readonly text: string;
}

/** `lost`: it ended without saying how. `cutOff`, `notReached`: its interaction ended first. */
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
  /** `running`, `cutOff` when its task or its interaction ended first, else as the tool's outcome has it. */
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
  /** Another vote of its interaction was open meanwhile. */
  readonly isShared?: boolean;
}

export interface GateView {
  readonly interaction: string;
  readonly gate: string;
  readonly question: HumanQuestion;
}

export const emptyView: RunView = {
  interactions: [],
  tasks: [],
  rounds: [],
  gates: [],
  asks: [],
  usage: undefined,
  warnings: [],
  result: undefined,
};

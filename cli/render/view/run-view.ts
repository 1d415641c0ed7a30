/** The view of a run: folded from its events, read by every renderer. Plain data without screen texts. */

import type {Failure} from '../../../machines/domain/failure.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import type {InteractionForm, ContextMode} from '../../../machines/domain/interaction-form.ts';
import type {Plan} from '../../../machines/domain/plan.ts';
import type {InteractionEnd, RunResult, UsageTotals} from '../../../machines/domain/result.ts';
import type {ModelVote, ReviewRound} from '../../../machines/domain/review.ts';
import type {Confinement} from '../../../machines/domain/tool.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import type {FieldStatus} from '../../../machines/questionnaire/answers.ts';

export interface RunView {
  /** The root first, each above those below it. */
  readonly interactions: readonly InteractionView[];
  /** Of all interactions. Planned ones first, in their plan's order. */
  readonly tasks: readonly TaskView[];
  /** Of all interactions, the oldest first. */
  readonly rounds: readonly RoundView[];
  /** Gates that wait for a person, the oldest first. */
  readonly gates: readonly GateView[];
  /** Of all interactions, the oldest first: by persons, rules and modes. */
  readonly decisions: readonly DecisionView[];
  /** Messages of interviews that wait for a reply, the oldest first. */
  readonly asks: readonly AskView[];
  /** Of the whole run. */
  readonly usage: UsageTotals | undefined;
  readonly warnings: readonly string[];
  readonly result: RunResult | undefined;
}

/** `running` until its end is reported; `cutOff`: the run ended first. `waiting`: it continues when it is resumed. */
export type InteractionState = 'running' | 'cutOff' | RunResult['status'];

export interface InteractionView {
  readonly id: string;
  /** Undefined when it began before this process, as after a resume. */
  readonly form: InteractionForm | undefined;
  /** Empty when it began before this process. */
  readonly request: string;
  /** Undefined for the root. */
  readonly parent: string | undefined;
  /** 0 for the root. */
  readonly depth: number;
  /** Its context mode; undefined for the root. */
  readonly contextMode: ContextMode | undefined;
  /** Who began it; undefined for the root. */
  readonly by: InteractionEnd['by'] | undefined;
  readonly state: InteractionState;
  /** The name of its form's state; empty before the first. */
  readonly phase: string;
  readonly plan: Plan | undefined;
  /** Of an interview: undefined before its first field was opened. */
  readonly filled: FilledView | undefined;
  /** Calls that belong to no task. */
  readonly calls: readonly CallView[];
  /** The model that is writing, and its text; undefined when the text is complete. */
  readonly talk: Talk | undefined;
  /** Its outcome; empty before its end. */
  readonly summary: string;
  /** The outcome as its parent reads it; empty before its end, and for the root. */
  readonly text: string;
  /** Children that could not be begun. */
  readonly refusals: readonly RefusalView[];
  /** Of its own calls, without those of the interactions below it. */
  readonly spent: UsageTotals;
}

/** The progress of a form: answered fields of all that apply. */
export interface FilledView {
  readonly done: number;
  readonly of: number;
  /** Ids of the opened fields. */
  readonly fields: Readonly<Record<string, FieldStatus>>;
}

export interface AskView {
  readonly interaction: string;
  readonly ask: string;
  readonly message: string;
  /** The field of the question, if it has one. */
  readonly field?: string;
}

export interface RefusalView {
  readonly form: InteractionForm;
  readonly error: Failure;
}

export interface Talk {
  readonly model: string;
  /** The end of the text. */
  readonly text: string;
}

/** `stopped`: its turns were used up. `lost`: it ended without a report of its outcome. `cutOff`, `notReached`: its interaction ended first. */
export type TaskState =
  | 'planned'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'stopped'
  | 'skipped'
  | 'lost'
  | 'cutOff'
  | 'notReached';

export interface TaskView {
  /** The interaction of the task. */
  readonly interaction: string;
  readonly id: string;
  /** Empty when it was planned before this process, as after a resume. */
  readonly description: string;
  readonly state: TaskState;
  /** The reason, once it has settled. */
  readonly message: string;
  readonly calls: readonly CallView[];
}

export interface CallView {
  readonly tool: string;
  /** Empty for a call that was refused before it began. */
  readonly summary: string;
  /** `running`, `cutOff` when its task or its interaction ended first, else the status of the tool's outcome. */
  readonly state: string;
  readonly message: string;
  /** Attempts that failed. */
  readonly retries: number;
  /** When it was called, epoch ms; absent for a call that was refused before it began. */
  readonly startedAt?: number;
  /** Only for a command. */
  readonly confinement?: Confinement;
}

export interface RoundView {
  readonly interaction: string;
  /** The path of its panel below the root. */
  readonly actor: string;
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
  readonly interaction: string;
  readonly gate: string;
  readonly question: HumanQuestion;
}

export interface DecisionView extends Omit<GateView, 'question'> {
  /** Absent: nobody was asked. */
  readonly question: HumanQuestion | undefined;
  readonly decision: Extract<ProgressEvent, {readonly type: 'human.decided'}>;
}

export const emptyView: RunView = {
  interactions: [],
  tasks: [],
  rounds: [],
  gates: [],
  decisions: [],
  asks: [],
  usage: undefined,
  warnings: [],
  result: undefined,
};

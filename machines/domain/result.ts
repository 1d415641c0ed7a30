/** What a run comes to, told truthfully. */

import type {Answers, OpenAsk, Said} from '../questionnaire/answers.ts';
import type {Discussion} from '../questions/discussion.ts';
import type {Evaluation} from '../questions/evaluation.ts';
import type {Change} from './change.ts';
import type {Evidence} from './evidence.ts';
import type {Failure} from './failure.ts';
import type {GuardrailResult} from './guardrail.ts';
import type {HumanDecision, HumanQuestion} from './human.ts';
import type {InteractionForm} from './interaction-form.ts';
import type {ContextMode} from './interaction-form.ts';
import type {JsonObject} from './json.ts';
import type {Comment} from './patch.ts';
import type {Plan} from './plan.ts';
import type {ModelVote, ReviewRound} from './review.ts';
import type {HilMode} from './settings.ts';
import type {Source, ToolResult} from './tool.ts';

/** How an interaction's charts can end. `waiting` is not among them: a run that waits has not ended. */
export type FinalStatus = 'completed' | 'failed' | 'rejected' | 'cancelled' | 'limited' | 'error';

export type TaskStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped';

/** One call of a task, as it went: what judges hold against the words of whoever made it. */
export interface CallFact {
  readonly tool: string;
  readonly args: JsonObject;
  readonly status: ToolResult['status'];
  /** The beginning and the end of what came of it. */
  readonly text: string;
  readonly exitCode?: number;
  readonly changes?: readonly Change[];
  /** Of a command: whether something kept it in the workspace and off the network. */
  readonly confined?: boolean;
  /** A person's word allowed it, in place of the panel's or above it. */
  readonly allowedBy?: 'person';
}

export interface TaskResult {
  readonly id: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly output: string;
  readonly failure?: Failure;
  /** What its calls did, in order. */
  readonly evidence: readonly Evidence[];
  /** Files written, relative to the workspace. */
  readonly written: readonly string[];
  /** In order; none of a task that was not reached. */
  readonly calls?: readonly CallFact[];
  /** Of a task that did not succeed: the task of a later plan that does it over. */
  readonly redoneBy?: string;
  /** Of a task that did not succeed: why a later plan needs it no more. */
  readonly dropped?: string;
}

/** A high-risk call that was not allowed. */
export interface Denied {
  readonly tool: string;
  readonly summary: string;
  readonly reasons: readonly string[];
}

/** Who decided what in a run. */
export interface Decision {
  /** `person`, `panel`, the mode that answered: `auto_reject`, `auto_approve`; `rule`: what a person allowed for good. */
  readonly by: 'person' | 'panel' | 'rule' | HilMode;
  readonly decision: HumanDecision['decision'];
  /** Epoch ms. Of a mode: of the last ballot before it; absent when there was none. */
  readonly at?: number;
  /** SHA-256 of exactly what was decided on. */
  readonly hash: string;
  /** What was decided on, in a line, where no vote names it. */
  readonly title?: string;
  readonly reason?: string;
  /** Why it took no effect. */
  readonly refused?: string;
}

/** Why a question's loop stopped. */
export type StoppedReason =
  | 'completed'
  | 'max_steps_reached'
  | 'tool_failure_degraded'
  | 'blocked'
  | 'repeated_call'
  | 'limit_reached';

/** `AgentStep` of the spec: one step of the loop that answers a question. */
export interface AgentStep {
  readonly thought: string;
  readonly action: string;
  readonly input: JsonObject;
  readonly observation: string;
}

/** What happened in a tree, and where in it. */
export type Placed<Fact> = Fact & {
  /** The id of the interaction, when it is below the root. */
  readonly interaction?: string;
};

/** What only some forms have. */
export interface FormParts {
  /** Of the request, where it is not English: the frame of the result text is in it. */
  readonly language?: 'ja';
  /** agent */
  readonly plan?: Plan;
  readonly tasks?: readonly TaskResult[];
  /** What each plan that ran came to, in order. */
  readonly evaluations?: readonly Evaluation[];
  /** Of the whole tree, as what was denied in it. */
  readonly reviews?: readonly Placed<ReviewRound>[];
  readonly denied?: readonly Placed<Denied>[];
  /** Files that are not as they were, each once. */
  readonly changes?: readonly Omit<Change, 'diff'>[];
  /** What persons said after its last turn: nobody has heard it. */
  readonly unheard?: readonly string[];
  /** Of the whole tree. */
  readonly decisions?: readonly Placed<Decision>[];
  /** ask: the answer; agent: the closing answer to the request */
  readonly answer?: string;
  /** ask: a claim was taken out of the answer, or no source was found and over half of the files were not searched. */
  readonly degraded?: true;
  readonly sources?: readonly Source[];
  readonly steps?: readonly AgentStep[];
  readonly toolCalls?: number;
  readonly stoppedReason?: StoppedReason;
  /** What blocked the question or its answer. */
  readonly guardrail?: GuardrailResult;
  /** discuss */
  readonly discussion?: Discussion;
  /** review */
  readonly review?: DiffReview;
  /** interview: complete or not */
  readonly answers?: Answers;
  /** Of one that has ended: all that was said. */
  readonly conversation?: readonly Said[];
  /** All below it, in the order in which they were spawned; absent when there were none. */
  readonly interactions?: readonly InteractionEnd[];
}

/** What an interaction below another came to. */
export interface InteractionEnd {
  readonly id: string;
  readonly form: InteractionForm;
  readonly parent: string;
  readonly depth: number;
  readonly contextMode: ContextMode;
  readonly by: 'person' | 'model' | 'rule';
  /** `active`: the run was suspended first. */
  readonly status: FinalStatus | 'active';
  /** Empty while it is active. */
  readonly summary: string;
  /** What it came to, as the one above reads it; absent while it is active. */
  readonly text?: string;
}

/** A vote on one part of a diff. */
export interface DiffVote extends ModelVote {
  /** In words: its first file, and how many more. */
  readonly part: string;
  /** Its first file. */
  readonly file: string;
}

/** What a panel says of a diff. */
export interface DiffReview {
  readonly approved: boolean;
  /** By which each part was decided. */
  readonly rule: string;
  /** Of all parts, in their order. */
  readonly votes: readonly DiffVote[];
  /** In the order of the diff, each once. */
  readonly comments: readonly (Comment & {readonly seat: string})[];
  readonly synthesis: string;
  /** Some seat that was asked did not vote, or the panel could not decide. */
  readonly degraded: boolean;
}

/** The output of a form's machine. */
export interface FormOutput extends FormParts {
  readonly status: FinalStatus;
  readonly summary: string;
  readonly error?: Failure;
}

export interface UsageTotals {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Absent when no model with a known price was called. */
  readonly costUsd?: number;
  /** Some of it is an estimate: a call was withdrawn before its provider told what it took. */
  readonly estimated?: true;
}

/** The last line of JSONL output, and what `run.result` resolves with. */
export interface RunResult extends FormParts {
  readonly type: 'result';
  readonly status: FinalStatus | 'waiting';
  /** 0 done · 1 failed, rejected or cancelled · 2 could not run · 3 limited · 4 waiting · 130 interrupted. */
  readonly exitCode: number;
  readonly interaction: string;
  readonly form: InteractionForm;
  readonly summary: string;
  readonly usage: UsageTotals;
  /** The run has not ended: it goes on when it is resumed. */
  readonly resumable?: true;
  /** Calls that its suspension broke off, each with what becomes of it when it is resumed. */
  readonly aborted?: readonly string[];
  /** Of a run that was cancelled: calls that were begun, and of which nobody knows whether they happened. */
  readonly inDoubt?: readonly string[];
  readonly error?: Failure;
  /** Of a run that waits for a person: all that the decision rests on. */
  readonly waiting?: Waiting;
  /** Of a run in which interviews wait for a reply, in the order in which they asked. */
  readonly asked?: readonly OpenAsk[];
}

export interface Waiting {
  /** Absolute: the folder that it is about. */
  readonly workspace: string;
  /** The one that asks; absent for the root. */
  readonly interaction?: string;
  readonly question: HumanQuestion;
  readonly plan?: Plan;
  /** Unified, in full. */
  readonly diff?: string;
  readonly votes: readonly ReviewRound[];
  /** SHA-256 of exactly what is to be decided: the question's. */
  readonly digest: string;
  /** What a person is asked beside it, in the order in which it was asked. */
  readonly others?: readonly Waiting[];
}

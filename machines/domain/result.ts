/** The result of a run. */

import type {Answers, OpenAsk, Said} from '../questionnaire/answers.ts';
import type {Discussion} from '../questions/discussion.ts';
import type {Evaluation} from '../questions/evaluation.ts';
import type {Evidence} from './evidence.ts';
import type {Failure} from './failure.ts';
import type {HumanDecision, HumanQuestion} from './human.ts';
import type {ContextMode, InteractionForm} from './interaction-form.ts';
import type {JsonObject} from './json.ts';
import type {Change, Comment, Unread} from './patch.ts';
import type {Plan} from './plan.ts';
import type {ModelVote, ReviewRound} from './review.ts';
import type {GuardrailResult, HilMode} from './settings.ts';
import {textsAt} from './tool-facts.ts';
import type {CheckKind, CheckRun, Confinement, Source, ToolResult} from './tool.ts';

/** How an interaction's charts can end. `waiting` is not among them: a run that waits has not ended. */
export type FinalStatus = 'completed' | 'failed' | 'rejected' | 'cancelled' | 'limited' | 'error';

/** `stopped`: its turns were used up. Its output is the report on what is done and what is left. */
export type TaskStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'stopped' | 'skipped';

/** One call of a task and its outcome: judges compare it with the model's report. */
export interface CallFact {
  readonly tool: string;
  readonly args: JsonObject;
  readonly status: ToolResult['status'];
  /** The beginning and the end of its result. */
  readonly text: string;
  readonly exitCode?: number;
  readonly changes?: readonly Change[];
  /** For a command: the checks that it ran. */
  readonly checks?: readonly CheckRun[];
  /** Only for a command. */
  readonly confinement?: Confinement;
  /** A person allowed it, instead of the panel or against its decision. */
  readonly allowedBy?: 'person';
}

export interface TaskResult {
  readonly id: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly output: string;
  readonly failure?: Failure;
  /** Actions of its calls, in order. */
  readonly evidence: readonly Evidence[];
  /** Files written, relative to the workspace. */
  readonly written: readonly string[];
  /** In order; none for a task that was not reached. */
  readonly calls?: readonly CallFact[];
  /** For a task that did not succeed: the task of a later plan that redoes it. */
  readonly redoneBy?: string;
  /** For a task that did not succeed: why a later plan dropped it. */
  readonly dropped?: string;
}

/** A high-risk call that was not allowed. */
export interface Denied {
  readonly tool: string;
  readonly summary: string;
  readonly reasons: readonly string[];
}

/** A decision in a run, and who made it. */
export interface Decision {
  /** `person`, `panel`, the mode that answered: `auto_reject`, `auto_approve`; `rule`: a permanent permission of a person. */
  readonly by: 'person' | 'panel' | 'rule' | HilMode;
  readonly decision: HumanDecision['decision'];
  /** Epoch ms. For a mode: the time of the last ballot before it; absent when there was none. */
  readonly at?: number;
  /** SHA-256 of exactly the subject of the decision. */
  readonly hash: string;
  /** The subject of the decision, in a line, where no vote names it. */
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

/** A fact with its interaction in the tree. */
export type Placed<Fact> = Fact & {
  /** The id of the interaction, when it is below the root. */
  readonly interaction?: string;
};

/** Members that only some forms have. */
export interface FormParts {
  /** The language of the request, if it is not English: headings of the result text are in it. */
  readonly language?: 'ja';
  /** agent */
  readonly plan?: Plan;
  readonly tasks?: readonly TaskResult[];
  /** Of each plan that ran, in order. */
  readonly evaluations?: readonly Evaluation[];
  /** Of the whole tree, like `denied`. */
  readonly reviews?: readonly Placed<ReviewRound>[];
  readonly denied?: readonly Placed<Denied>[];
  /** Changed files, each once. */
  readonly changes?: readonly Omit<Change, 'diff' | 'net'>[];
  /** Messages that persons sent after its last turn: no model has read them. */
  readonly unheard?: readonly string[];
  /** Of the whole tree. */
  readonly decisions?: readonly Placed<Decision>[];
  /** ask: the answer; agent: the closing answer to the request */
  readonly answer?: string;
  /** ask: a claim was removed from the answer, or no source was found and over half of the files were not searched. */
  readonly degraded?: true;
  readonly sources?: readonly Source[];
  readonly steps?: readonly AgentStep[];
  readonly toolCalls?: number;
  readonly stoppedReason?: StoppedReason;
  /** The guardrail that blocked the question or its answer. */
  readonly guardrail?: GuardrailResult;
  /** discuss */
  readonly discussion?: Discussion;
  /** review */
  readonly review?: DiffReview;
  /** interview: complete or not */
  readonly answers?: Answers;
  /** For an interview that has ended: all messages. */
  readonly conversation?: readonly Said[];
  /** All interactions below it, in the order in which they were spawned; absent when there were none. */
  readonly interactions?: readonly InteractionEnd[];
}

/** The end of an interaction below another. */
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
  /** Its result as its parent reads it; absent while it is active. */
  readonly text?: string;
}

/** A vote on one part of a diff. */
export interface DiffVote extends ModelVote {
  /** A description: its first file, and how many more. */
  readonly part: string;
  /** Its first file. */
  readonly file: string;
}

/** A panel's review of a diff. */
export interface DiffReview {
  readonly approved: boolean;
  /** The rule that decided each part. */
  readonly rule: string;
  /** Of all parts, in their order. */
  readonly votes: readonly DiffVote[];
  /** In the order of the diff, each once. */
  readonly comments: readonly (Comment & {readonly seat: string})[];
  readonly synthesis: string;
  /** The parts of the diff that no reviewer has read. Absent in records of earlier versions. */
  readonly unread?: readonly Unread[];
  /** A seat that was asked did not vote, the panel could not decide, or something was not read. */
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
  /** Absent when no model with a known price or a reported cost was called. */
  readonly costUsd?: number;
  /** Part of it is an estimate: a call was withdrawn before its provider reported its usage. */
  readonly estimated?: true;
}

/** The last line of JSONL output, and the value that `run.result` resolves with. */
export interface RunResult extends FormParts {
  readonly type: 'result';
  readonly status: FinalStatus | 'waiting';
  /** 0 done · 1 failed, rejected or cancelled · 2 could not run · 3 limited · 4 waiting · 130 interrupted. */
  readonly exitCode: number;
  readonly interaction: string;
  readonly form: InteractionForm;
  readonly summary: string;
  readonly usage: UsageTotals;
  /** The run has not ended: it can be resumed. */
  readonly resumable?: true;
  /** Calls that its suspension aborted, each with what happens to it when the run is resumed. */
  readonly aborted?: readonly string[];
  /** For a cancelled run: calls that were started, and that may or may not have happened. */
  readonly inDoubt?: readonly string[];
  readonly error?: Failure;
  /** For a run that waits for a person: the material for the decision. */
  readonly waiting?: Waiting;
  /** For a run with interviews that wait for a reply, in the order in which they asked. */
  readonly asked?: readonly OpenAsk[];
}

export interface Waiting {
  /** Absolute path. */
  readonly workspace: string;
  /** The id of the interaction that asks; absent for the root. */
  readonly interaction?: string;
  readonly question: HumanQuestion;
  readonly plan?: Plan;
  /** Unified, in full. */
  readonly diff?: string;
  readonly votes: readonly ReviewRound[];
  /** SHA-256 of exactly the subject of the decision: that of the question. */
  readonly digest: string;
  /** Other questions that wait for a person, in the order in which they were asked. */
  readonly others?: readonly Waiting[];
}

// Sums of the usage of model calls.

export const noUsage: UsageTotals = {
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
};

/** The sum has a cost if either part has one, and is an estimate if either part is. */
export function addUsage(one: UsageTotals, other: UsageTotals): UsageTotals {
  const isPriced = one.costUsd !== undefined || other.costUsd !== undefined;
  const isEstimated = one.estimated === true || other.estimated === true;
  return {
    modelCalls: one.modelCalls + other.modelCalls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    ...(isPriced ? {costUsd: (one.costUsd ?? 0) + (other.costUsd ?? 0)} : {}),
    ...(isEstimated ? {estimated: true} : {}),
  };
}

// Checks that the commands of a run made: tests, builds, linters, type checks.

/** A check whose last run failed. */
export interface FailedCheck {
  readonly kind: CheckKind;
  /** As the call had it. */
  readonly command: string;
  readonly exitCode?: number;
}

type Checked = Pick<CallFact, 'args' | 'checks' | 'exitCode'>;

/** The checks whose last run failed, at most one of each kind. A run whose outcome is unknown did not fail. */
export function failedChecks(calls: readonly Checked[]): readonly FailedCheck[] {
  const last = new Map<CheckKind, FailedCheck | undefined>();
  for (const {args, checks = [], exitCode} of calls) {
    const [command = ''] = textsAt(args, ['command']);
    for (const {kind, status} of checks) {
      const end = {kind, command, ...(exitCode === undefined ? {} : {exitCode})};
      last.set(kind, status === 'failed' ? end : undefined);
    }
  }
  return [...last.values()].filter((check) => check !== undefined);
}

export const checkNames: Readonly<Record<CheckKind, string>> = {
  tests: 'the tests',
  build: 'the build',
  lint: 'the linter',
  types: 'the type check',
};

/** `the last run of the tests failed (npm test, exit code 1)` */
export function failedCheckText({kind, command, exitCode}: FailedCheck): string {
  const code = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  return `the last run of ${checkNames[kind]} failed (${command}${code})`;
}

/** The state of an ask. */

import type {Failure, Outage} from '../../domain/failure.ts';
import type {ModelOutcome} from '../../domain/model.ts';
import type {GuardrailResult} from '../../domain/settings.ts';
import type {LoopStep} from '../../domain/tool.ts';
import {failureOf, type StopReason, type TurnLoopOutput} from '../../loop/turn.ts';
import type {Attachment, Survey} from '../../prompts/sections.ts';
import type {FormInput} from '../../tree/form-event.ts';

export type AskInput = Pick<
  FormInput<
    | 'agent'
    | 'ask'
    | 'guardrails'
    | 'context'
    | 'tools'
    | 'panel'
    | 'quorum'
    | 'maxOutputTokens'
    | 'allow'
  >,
  'request' | 'workspace' | 'settings' | 'asked' | 'attachments' | 'contextFiles' | 'inherited'
>;

export interface AskState extends AskInput {
  readonly attachments: readonly Attachment[];
  /** The listing and the facts of the machine. */
  readonly survey?: Survey;
  readonly steps: readonly LoopStep[];
  readonly answer: string;
  /** Contradicted claims were removed from the answer. */
  readonly isCut: boolean;
  /** The reason why the loop ended without an answer. */
  readonly stopped?: StopReason;
  /** The guardrail that blocked the question or the answer. */
  readonly blockedBy?: GuardrailResult;
  readonly failure?: Failure;
  readonly outage?: Outage;
}

export function openAsk(input: AskInput): AskState {
  const {request, workspace, settings, attachments = [], contextFiles, inherited, asked} = input;
  return {
    request,
    workspace,
    settings,
    attachments,
    ...(contextFiles ? {contextFiles} : {}),
    ...(inherited === undefined ? {} : {inherited}),
    ...(asked === undefined ? {} : {asked}),
    steps: [],
    answer: '',
    isCut: false,
  };
}

/** The tool of the last failed step. */
export function failedTool(steps: readonly LoopStep[]): string {
  return steps.findLast(({status}) => status === 'failed')?.tool ?? 'A tool';
}

export function withLoop({steps, answer, stopped, failure}: TurnLoopOutput): Partial<AskState> {
  return {
    steps,
    answer: answer.trim(),
    ...(stopped ? {stopped} : {}),
    ...(failure ? {failure} : {}),
  };
}

/** If a tool failed, the answer itself says so, because a reader may see only the answer. */
export function withDirectAnswer(state: AskState, outcome: ModelOutcome): Partial<AskState> {
  const answer = directAnswer(outcome);
  if (answer === '') return {failure: directFailure(outcome)};
  if (state.stopped !== 'tool_failure') return {answer};
  const tool = failedTool(state.steps);
  return {answer: `(${tool} failed, so this answer was given without it.)\n\n${answer}`};
}

function directAnswer(outcome: ModelOutcome): string {
  return outcome.kind === 'ok' ? outcome.text.trim() : '';
}

function directFailure(outcome: ModelOutcome): Failure {
  if (outcome.kind !== 'ok') return failureOf(outcome);
  return {code: 'no_answer', message: 'The model gave no answer.'};
}

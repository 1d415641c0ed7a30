/** The registry: every machine, for diagrams, generated tests and convention tests. */

import type {AnyStateMachine} from 'xstate';

import {actionReviewMachine} from './action-review.ts';
import {agentMachine} from './agent.ts';
import {askMachine} from './ask.ts';
import {evaluationMachine} from './evaluation.ts';
import {executionMachine} from './execution.ts';
import {gatheringMachine} from './gathering.ts';
import {humanGateMachine} from './human-gate.ts';
import {interactionMachine} from './interaction.ts';
import {laneMachine} from './lane.ts';
import {modelCallMachine} from './model-call.ts';
import {planningMachine} from './planning.ts';
import {quorumMachine} from './quorum.ts';
import {reviewerMachine} from './reviewer.ts';
import {taskMachine} from './task.ts';
import {toolCallMachine} from './tool-call.ts';
import {turnLoopMachine} from './turn-loop.ts';

export type {Ballot} from './domain/ballot.ts';
export type {GuardrailAction, GuardrailResult} from './domain/guardrail.ts';
export type {HumanDecision, HumanQuestion} from './domain/human.ts';
export type {ModelOutcome, ModelRequest} from './domain/model.ts';
export type {Plan, Task} from './domain/plan.ts';
export type {ProgressEvent} from './domain/progress.ts';
export type {AgentStep, FormOutput, RunResult, StoppedReason, TaskResult} from './domain/result.ts';
export type {ModelVote, Proposal, ReviewRound, Seat} from './domain/review.ts';
export type * from './domain/settings.ts';
export type {Source, ToolOutcome} from './domain/tool.ts';
export {type Performer, performFor, type PortName} from './ports.ts';
export {
  actionReviewMachine,
  agentMachine,
  askMachine,
  evaluationMachine,
  executionMachine,
  gatheringMachine,
  humanGateMachine,
  interactionMachine,
  laneMachine,
  modelCallMachine,
  planningMachine,
  quorumMachine,
  reviewerMachine,
  taskMachine,
  toolCallMachine,
  turnLoopMachine,
};

export const machines: readonly AnyStateMachine[] = [
  interactionMachine,
  agentMachine,
  askMachine,
  gatheringMachine,
  modelCallMachine,
  planningMachine,
  quorumMachine,
  reviewerMachine,
  executionMachine,
  taskMachine,
  turnLoopMachine,
  toolCallMachine,
  actionReviewMachine,
  humanGateMachine,
  evaluationMachine,
  laneMachine,
];

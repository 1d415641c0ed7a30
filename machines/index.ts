/**
 * The registry: every machine, for diagrams, generated tests and convention tests.
 *
 * Tags describe states for observers of an actor (`snapshot.hasTag`) and readers of its diagram: `phase`, shown to people
 * who follow a run; `waitsForPerson`, while a person is asked; `choice`, left as soon as it is entered; `failure`, an end
 * that is drawn as a failure. The engine ignores tags: it knows from the port (`settledBy`) that a chart waits for a person.
 */

import type {AnyStateMachine} from 'xstate';

import {agentMachine} from './forms/agent/agent.ts';
import {closingMachine} from './forms/agent/closing.ts';
import {evaluationMachine} from './forms/agent/evaluation/evaluation.ts';
import {executionMachine} from './forms/agent/execution/execution.ts';
import {taskMachine} from './forms/agent/execution/task.ts';
import {gatheringMachine} from './forms/agent/gathering.ts';
import {ensembleMachine} from './forms/agent/planning/ensemble.ts';
import {planningMachine} from './forms/agent/planning/planning.ts';
import {askMachine} from './forms/ask/ask.ts';
import {claimCheckMachine} from './forms/claim-check.ts';
import {commandMachine} from './forms/command/command.ts';
import {debateMachine} from './forms/debate/debate.ts';
import {discussMachine} from './forms/discuss/discuss.ts';
import {agentLoopMachine} from './forms/interview/agents/agent-loop.ts';
import {architectMachine} from './forms/interview/agents/architect.ts';
import {greeterMachine} from './forms/interview/agents/greeter.ts';
import {confirmationMachine} from './forms/interview/confirmation.ts';
import {exchangeMachine} from './forms/interview/exchange.ts';
import {fieldReviewerMachine} from './forms/interview/field/field-reviewer.ts';
import {fieldMachine} from './forms/interview/field/field.ts';
import {interviewMachine} from './forms/interview/interview.ts';
import {reviewMachine} from './forms/review/review.ts';
import {humanGateMachine} from './human-gate.ts';
import {actionReviewMachine} from './loop/action-review.ts';
import {toolCallMachine} from './loop/tool-call.ts';
import {turnLoopMachine} from './loop/turn-loop.ts';
import {modelCallMachine} from './model-call.ts';
import {pollMachine} from './panel/poll.ts';
import {quorumMachine} from './panel/quorum.ts';
import {questionMachine} from './questions/question.ts';
import {askedMachine} from './terminal/asked.ts';
import {modesMachine} from './terminal/modes.ts';
import {interactionMachine} from './tree/interaction.ts';
import {lockMachine} from './tree/lock.ts';
import {treeMachine} from './tree/tree.ts';

export type {Ballot} from './questions/ballot.ts';
export type {Evidence} from './domain/evidence.ts';
export type {GuardrailAction, GuardrailResult} from './domain/settings.ts';
export type {HumanDecision, HumanQuestion} from './domain/human.ts';
export {
  defaultContextMode,
  type InteractionForm,
  parseInteractionForm,
  type SpawnableForm,
  spawnableForms,
  usesAgentPolicy,
  usesExecutionParams,
  usesSessionMode,
} from './domain/interaction-form.ts';
export {
  type InteractionResult,
  toContextInjection,
  toInteractionResult,
} from './domain/interaction-result.ts';
export type {ModelOutcome, ModelRequest} from './domain/model.ts';
export type {Comment, FileDiff, Hunk} from './domain/patch.ts';
export type {Plan, Task} from './domain/plan.ts';
export type {ProgressEvent} from './facts/progress.ts';
export {readQuestionnaire} from './questionnaire/questionnaire-reading.ts';
export {
  type AnswerValue,
  type FactDefinition,
  type FieldType,
  type FormField,
  type Questionnaire,
  questionnaireDigest,
  type Sensitivity,
} from './questionnaire/questionnaire.ts';
export {fieldsIn, isRelevant} from './questionnaire/relevance.ts';
export type {AgentStep, FormOutput, RunResult, StoppedReason, TaskResult} from './domain/result.ts';
export type {ModelVote, Proposal, ProposedCall, ReviewRound, Seat} from './domain/review.ts';
export type * from './domain/settings.ts';
export type {ToolFacts} from './domain/tool-facts.ts';
export type {Source, ToolInfo, ToolOutcome} from './domain/tool.ts';
export type {SpawnError, Spawner} from './tree/form-event.ts';
export {
  childrenOf,
  depthOf,
  getInteraction,
  type InteractionNode,
  parentOf,
} from './tree/interaction-tree.ts';
export {
  recountAll,
  type RecordedRound,
  type Recounting,
  type Terms,
} from './panel/recorded-votes.ts';
export {panelRecord, type PanelRecord, type SeatSpending} from './panel/recorded-votes.ts';
export {type Asked, type Performer, performFor, type PortName, type PortOutcome} from './ports.ts';
export {settle} from './port-natures.ts';
export {
  actionReviewMachine,
  agentLoopMachine,
  agentMachine,
  architectMachine,
  askedMachine,
  askMachine,
  commandMachine,
  claimCheckMachine,
  closingMachine,
  confirmationMachine,
  debateMachine,
  discussMachine,
  ensembleMachine,
  evaluationMachine,
  exchangeMachine,
  executionMachine,
  fieldMachine,
  fieldReviewerMachine,
  gatheringMachine,
  greeterMachine,
  humanGateMachine,
  interactionMachine,
  interviewMachine,
  lockMachine,
  modelCallMachine,
  modesMachine,
  planningMachine,
  pollMachine,
  questionMachine,
  quorumMachine,
  reviewMachine,
  taskMachine,
  toolCallMachine,
  treeMachine,
  turnLoopMachine,
};

export const machines: readonly AnyStateMachine[] = [
  treeMachine,
  interactionMachine,
  agentMachine,
  askMachine,
  discussMachine,
  debateMachine,
  reviewMachine,
  commandMachine,
  gatheringMachine,
  modelCallMachine,
  planningMachine,
  ensembleMachine,
  pollMachine,
  questionMachine,
  quorumMachine,
  executionMachine,
  taskMachine,
  turnLoopMachine,
  toolCallMachine,
  actionReviewMachine,
  humanGateMachine,
  evaluationMachine,
  closingMachine,
  claimCheckMachine,
  lockMachine,
  interviewMachine,
  greeterMachine,
  architectMachine,
  fieldMachine,
  fieldReviewerMachine,
  confirmationMachine,
  agentLoopMachine,
  exchangeMachine,
  askedMachine,
  modesMachine,
];

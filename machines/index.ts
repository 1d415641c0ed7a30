/** The registry: every machine, for diagrams, generated tests and convention tests. */

import type {AnyStateMachine} from 'xstate';

import {actionReviewMachine} from './action-review.ts';
import {agentMachine} from './agent.ts';
import {evaluationMachine} from './evaluation.ts';
import {executionMachine} from './execution.ts';
import {gatheringMachine} from './gathering.ts';
import {humanGateMachine} from './human-gate.ts';
import {interactionMachine} from './interaction.ts';
import {laneMachine} from './lane.ts';
import {planningMachine} from './planning.ts';
import {quorumMachine} from './quorum.ts';
import {reviewerMachine} from './reviewer.ts';
import {taskMachine} from './task.ts';
import {toolCallMachine} from './tool-call.ts';
import {turnLoopMachine} from './turn-loop.ts';

export {
  actionReviewMachine,
  agentMachine,
  evaluationMachine,
  executionMachine,
  gatheringMachine,
  humanGateMachine,
  interactionMachine,
  laneMachine,
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
  gatheringMachine,
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

/** Charts whose child has a bug, and the transition that must handle it. */

import type {AnyActorLogic, AnyStateMachine} from 'xstate';

import {agentMachine} from '../../../machines/forms/agent/agent.ts';
import {evaluationMachine} from '../../../machines/forms/agent/evaluation/evaluation.ts';
import {executionMachine} from '../../../machines/forms/agent/execution/execution.ts';
import {taskMachine} from '../../../machines/forms/agent/execution/task.ts';
import {gatheringMachine} from '../../../machines/forms/agent/gathering/gathering.ts';
import {ensembleMachine} from '../../../machines/forms/agent/planning/ensemble.ts';
import {planningMachine} from '../../../machines/forms/agent/planning/planning.ts';
import {askMachine} from '../../../machines/forms/ask/ask.ts';
import {debateMachine} from '../../../machines/forms/debate/debate.ts';
import {humanGateMachine} from '../../../machines/human-gate.ts';
import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {turnLoopMachine} from '../../../machines/loop/turn-loop.ts';
import {modelCallMachine} from '../../../machines/model-call.ts';
import {pollMachine} from '../../../machines/panel/poll.ts';
import {quorumMachine} from '../../../machines/panel/quorum.ts';
import {questionMachine} from '../../../machines/questions/question.ts';
import {interactionMachine} from '../../../machines/tree/interaction.ts';
import {hold, lockMachine} from '../../../machines/tree/lock.ts';
import {modeLogic, modeWatch} from '../../../machines/tree/mode.ts';
import {spawnBelow} from '../../../machines/tree/spawning.ts';
import {treeMachine} from '../../../machines/tree/tree.ts';
import {withBug} from '../../support/buggy.ts';
import {valueIn} from '../laws-record.ts';
import {actionReviews} from './action-review.ts';
import {executingAgents, plannedAgents} from './agent.ts';
import {asks} from './ask.ts';
import {claimsCrashes} from './claims-crashes.ts';
import {debateCrashes} from './debate-crashes.ts';
import {ensembles, scoringWith} from './ensemble.ts';
import {executions} from './execution.ts';
import {gatherings} from './gathering.ts';
import {gateScenario} from './human-gate.ts';
import {interactions} from './interaction.ts';
import {interviewCrashes} from './interview-crashes.ts';
import {loopCrashes} from './loop-crashes.ts';
import {calling, inDoubt, previewing, saying} from './outcomes.ts';
import {panelCrashes} from './panel-crashes.ts';
import {plannings} from './planning.ts';
import {type Crash, quietly, withAnswers} from './quietly.ts';
import {rootFormCrashes} from './root-form-crashes.ts';
import {readFile, runCommand, writeFile} from './settings.ts';
import {tasks} from './task.ts';
import {spawningScenario, toolCallScenario} from './tool-call.ts';

/** The logic, changed to throw at its start. */
function broken<Logic extends AnyActorLogic>(logic: Logic): Logic {
  return {
    ...logic,
    getInitialSnapshot: () => {
      throw new Error('a bug in a chart');
    },
  };
}

const internal = {code: 'internal', message: 'a bug in a chart'};

/** True for the input of a planner that drafts a second time. */
function isRedraft(context: unknown): boolean {
  return valueIn(context, 'brief', 'advice') !== undefined;
}

/** A tree whose interactions run other forms. */
function withInteraction(forms: Record<string, AnyStateMachine>): AnyStateMachine {
  const interaction: AnyStateMachine = interactionMachine;
  const tree: AnyStateMachine = treeMachine;
  return tree.provide({actors: {interaction: interaction.provide({actors: forms})}});
}

const inWork: readonly Crash[] = [
  {
    name: "a task's exact call",
    at: ['xstate.init', 'xstate.done.actor.run'],
    transition: 'task.calling xstate.error.actor.call → failed',
    scenario: (bug) => ({
      ...quietly(tasks, 'exact harmless call'),
      machine: taskMachine.provide({actors: {toolCall: withBug(toolCallMachine, bug)}}),
    }),
    output: {status: 'failed', failure: internal},
  },
  {
    name: "a task's turn loop",
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'task.working xstate.error.actor.turns → failed',
    scenario: (bug) => ({
      ...quietly(tasks, 'as it likes'),
      machine: taskMachine.provide({actors: {turnLoop: withBug(turnLoopMachine, bug)}}),
    }),
    output: {status: 'failed', failure: internal},
  },
  {
    name: 'every task of an execution',
    at: ['xstate.init', 'xstate.done.actor.call'],
    transition: 'execution.running xstate.error.actor.* → scheduling',
    scenario: (bug) => ({
      ...quietly(executions, 'depend on each other'),
      machine: executionMachine.provide({actors: {task: withBug(taskMachine, bug)}}),
    }),
    output: {
      results: [
        {id: 'a', status: 'failed', failure: internal},
        {id: 'c', status: 'skipped'},
        {id: 'd', status: 'skipped'},
        {id: 'e', status: 'skipped'},
        {id: 'b', status: 'failed', failure: internal},
      ],
    },
  },
  {
    name: 'the review of a call',
    at: ['xstate.init', 'xstate.done.actor.preview'],
    transition: 'tool-call.reviewing xstate.error.actor.review → failed',
    scenario: (bug) => ({
      ...toolCallScenario(writeFile, 'interactive', 0),
      mayFire: () => false,
      machine: toolCallMachine.provide({actors: {actionReview: withBug(actionReviewMachine, bug)}}),
    }),
    output: {result: {status: 'failed', failure: internal}},
  },
  {
    name: 'the gate of a call in doubt',
    at: ['xstate.init', 'xstate.done.actor.person'],
    transition: 'tool-call.exclusive.inDoubt xstate.error.actor.gate → failed',
    scenario: (bug) => ({
      ...withAnswers(toolCallScenario(runCommand, 'interactive', 0), {runTool: [inDoubt]}),
      mayFire: () => false,
      machine: toolCallMachine.provide({actors: {humanGate: withBug(humanGateMachine, bug)}}),
    }),
    output: {result: {status: 'failed', failure: internal}},
  },
  {
    name: 'the gate of a harmless call in doubt',
    at: ['xstate.init', 'xstate.done.actor.person'],
    transition: 'tool-call.inDoubt xstate.error.actor.gate → failed',
    scenario: (bug) => ({
      ...withAnswers(toolCallScenario(readFile, 'interactive', 0), {runTool: [inDoubt]}),
      mayFire: () => false,
      machine: toolCallMachine.provide({actors: {humanGate: withBug(humanGateMachine, bug)}}),
    }),
    output: {result: {status: 'failed', failure: internal}},
  },
  {
    name: 'the hold on the lock of a call',
    at: ['xstate.init'],
    transition: 'tool-call.exclusive xstate.error.actor.lock → failed',
    scenario: () => ({
      ...toolCallScenario(writeFile, 'interactive', 0),
      mayFire: () => false,
      machine: toolCallMachine.provide({actors: {hold: broken(hold)}}),
    }),
    output: {result: {status: 'failed', failure: internal}},
  },
  {
    name: 'the spawner of a call',
    at: ['xstate.init'],
    transition: 'tool-call.spawning xstate.error.actor.child → failed',
    scenario: () => ({
      ...spawningScenario('interactive', true),
      messages: [],
      mayFire: () => false,
      machine: toolCallMachine.provide({actors: {spawnBelow: broken(spawnBelow)}}),
    }),
    output: {result: {status: 'failed', failure: internal}},
  },
  {
    name: 'the mode watch of a gate',
    at: ['xstate.init'],
    transition: 'human-gate.open xstate.error.actor.mode → rejected',
    scenario: () => ({
      ...gateScenario('auto_approve', 'plan'),
      machine: humanGateMachine.provide({actors: {modeWatch: broken(modeWatch)}}),
    }),
    output: {decision: {decision: 'reject'}, by: 'auto_reject'},
  },
  {
    name: 'the panel of an action',
    at: ['xstate.init', 'xstate.done.actor.screen'],
    transition: 'action-review.voting xstate.error.actor.quorum → refused',
    scenario: (bug) => ({
      ...quietly(actionReviews),
      machine: actionReviewMachine.provide({actors: {quorum: withBug(quorumMachine, bug)}}),
    }),
    output: [{kind: 'refused', failure: internal}],
  },
  {
    name: 'the gate of an action',
    at: ['xstate.init', 'xstate.done.actor.person'],
    transition: 'action-review.awaitingPerson xstate.error.actor.gate → refused',
    scenario: (bug) => ({
      ...withAnswers(quietly(actionReviews), {
        previewTool: (_, open) => previewing(open, {protectedReason: 'it is under .git'}),
      }),
      machine: actionReviewMachine.provide({actors: {humanGate: withBug(humanGateMachine, bug)}}),
    }),
    output: [{kind: 'refused', failure: internal}],
  },
];

const inPhases: readonly Crash[] = [
  {
    name: 'the turn loop of a gathering',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'gathering.exploring xstate.error.actor.turns → failed',
    scenario: (bug) => ({
      ...quietly(gatherings),
      machine: gatheringMachine.provide({actors: {turnLoop: withBug(turnLoopMachine, bug)}}),
    }),
    output: {failure: internal, evidence: [{did: 'read', target: 'README.md', ok: true}]},
  },
  {
    name: 'every planner of an ensemble',
    at: ['xstate.init', 'xstate.done.actor.question'],
    transition: 'ensemble.drafting xstate.error.actor.*',
    scenario: (bug) => ({
      ...quietly(ensembles, 'low'),
      machine: ensembleMachine.provide({actors: {planning: withBug(planningMachine, bug)}}),
    }),
    output: {kind: 'failed', failure: {code: 'internal'}},
  },
  {
    name: 'the planner that is alone',
    at: ['xstate.init'],
    transition: 'ensemble.alone xstate.error.actor.planning → settled',
    scenario: (bug) => ({
      ...quietly(ensembles, 'low'),
      machine: ensembleMachine.provide({actors: {planning: withBug(planningMachine, bug)}}),
    }),
    output: {kind: 'failed', failure: {code: 'internal'}},
  },
  {
    name: 'the scores of an ensemble',
    at: ['xstate.init'],
    transition: 'ensemble.scoring xstate.error.actor.scores → chosen',
    scenario: (bug) => ({
      ...quietly(ensembles, 'low'),
      machine: ensembleMachine.provide({actors: {poll: withBug(pollMachine, bug)}}),
    }),
    output: {kind: 'ready', by: 'test/a'},
  },
  {
    name: 'the debate of a plan',
    at: ['xstate.init'],
    transition: 'ensemble.debating xstate.error.actor.debate → settled',
    scenario: (bug) => ({
      ...quietly(ensembles, 'debated'),
      machine: ensembleMachine.provide({actors: {debate: withBug(debateMachine, bug)}}),
    }),
    output: {kind: 'ready', by: 'test/a'},
  },
  {
    name: 'the second draft of an ensemble',
    at: ['xstate.done.actor.question'],
    transition: 'ensemble.redrafting xstate.error.actor.redraft → decided',
    scenario: (bug) => ({
      ...withAnswers(quietly(ensembles, 'low'), {'score-plan': [scoringWith(2)]}),
      machine: ensembleMachine.provide({
        actors: {planning: withBug(planningMachine, {...bug, isIn: isRedraft})},
      }),
    }),
    output: {kind: 'ready', by: 'test/a'},
  },
  {
    name: 'the question of planning',
    at: ['xstate.init', 'xstate.done.actor.call'],
    transition: 'planning.drafting xstate.error.actor.question → failed',
    scenario: (bug) => ({
      ...quietly(plannings),
      machine: planningMachine.provide({actors: {question: withBug(questionMachine, bug)}}),
    }),
    output: {kind: 'failed', failure: internal},
  },
  {
    name: 'the turn loop of a question',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'ask.working xstate.error.actor.turns → errored',
    scenario: (bug) => ({
      ...quietly(asks),
      machine: askMachine.provide({actors: {turnLoop: withBug(turnLoopMachine, bug)}}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the model call that answers without tools',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'ask.answeringDirectly xstate.error.actor.direct → errored',
    scenario: (bug) => ({
      ...withAnswers(quietly(asks), {
        ask: (before) => [before < 2 ? calling('read_file', {path: 'x'}) : saying('perhaps')],
      }),
      machine: askMachine.provide({actors: {modelCall: withBug(modelCallMachine, bug)}}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the agent of an interaction',
    at: ['xstate.init', 'xstate.done.actor.gathering'],
    transition: 'interaction.active xstate.error.actor.form → awaitingChildren',
    scenario: (bug) => ({
      ...quietly(interactions),
      machine: withInteraction({form: withBug(agentMachine, bug)}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the ask of an interaction',
    at: ['xstate.init', 'xstate.done.actor.turns'],
    transition: 'interaction.active xstate.error.actor.form → awaitingChildren',
    scenario: (bug) => ({
      ...quietly(interactions, 'with a question whose'),
      machine: withInteraction({form: withBug(askMachine, bug)}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the interaction of a tree',
    at: ['xstate.init', 'xstate.done.actor.form'],
    transition: 'tree xstate.error.actor.* → ended',
    scenario: (bug) => ({
      ...quietly(interactions),
      machine: treeMachine.provide({actors: {interaction: withBug(interactionMachine, bug)}}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the lock of a tree',
    at: ['xstate.init', 'lock.acquire'],
    transition: 'tree xstate.error.actor.* → ended',
    scenario: (bug) => ({
      ...quietly(interactions, 'cancel'),
      machine: treeMachine.provide({actors: {lock: withBug(lockMachine, bug)}}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the mode of a tree',
    at: ['xstate.init'],
    transition: 'tree xstate.error.actor.* → ended',
    scenario: () => ({
      ...quietly(interactions, 'cancel'),
      machine: treeMachine.provide({actors: {mode: broken(modeLogic)}}),
    }),
    output: {status: 'error', error: internal},
  },
];

/** Agents whose phase crashes. The same transition handles all of these crashes. */
const ofAgent: readonly Omit<Crash, 'transition' | 'output'>[] = [
  {
    name: 'the gathering',
    at: ['xstate.init', 'xstate.done.actor.survey'],
    scenario: (bug) => ({
      ...quietly(plannedAgents),
      machine: agentMachine.provide({actors: {gathering: withBug(gatheringMachine, bug)}}),
    }),
  },
  {
    name: 'the planning',
    at: ['xstate.init', 'xstate.done.actor.check'],
    scenario: (bug) => ({
      ...quietly(plannedAgents),
      machine: agentMachine.provide({actors: {planning: withBug(planningMachine, bug)}}),
    }),
  },
  {
    name: 'the panel',
    at: ['xstate.init', 'xstate.done.actor.screen'],
    scenario: (bug) => ({
      ...quietly(plannedAgents),
      machine: agentMachine.provide({actors: {quorum: withBug(quorumMachine, bug)}}),
    }),
  },
  {
    name: 'the gate',
    at: ['xstate.init', 'xstate.done.actor.person'],
    scenario: (bug) => ({
      ...quietly(plannedAgents, 'asks before'),
      machine: agentMachine.provide({actors: {humanGate: withBug(humanGateMachine, bug)}}),
    }),
  },
  {
    name: 'the execution',
    at: ['xstate.init', 'xstate.done.actor.task:plan-1-a'],
    scenario: (bug) => ({
      ...quietly(executingAgents),
      machine: agentMachine.provide({actors: {execution: withBug(executionMachine, bug)}}),
    }),
  },
  {
    name: 'the evaluation',
    at: ['xstate.init', 'xstate.done.actor.files'],
    scenario: (bug) => ({
      ...quietly(executingAgents),
      machine: agentMachine.provide({actors: {evaluation: withBug(evaluationMachine, bug)}}),
    }),
  },
];

export const crashes: readonly Crash[] = [
  ...loopCrashes,
  ...inWork,
  ...inPhases,
  ...panelCrashes,
  ...claimsCrashes,
  ...debateCrashes,
  ...rootFormCrashes,
  ...interviewCrashes,
  ...ofAgent.map(({name, at, scenario}) => ({
    name: `${name} of an agent`,
    at,
    scenario,
    transition: 'agent xstate.error.actor.* → errored',
    output: {status: 'error', error: internal},
  })),
];

/** The transitions that only a crash takes. */
export const crashTransitions: readonly string[] = [
  ...crashes.map(({transition}) => transition),
  // Shown in forms/claim-check.test.ts: nothing is asked.
  'claim-check.started always → passed',
  // Shown in tree/tree.test.ts: an interaction is spawned by a message.
  'interaction xstate.error.actor.*',
];

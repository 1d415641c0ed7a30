/** Charts whose child has a bug, and the transition by which each must take it. */

import {agentMachine} from '../../../machines/forms/agent/agent.ts';
import {evaluationMachine} from '../../../machines/forms/agent/evaluation.ts';
import {executionMachine} from '../../../machines/forms/agent/execution.ts';
import {gatheringMachine} from '../../../machines/forms/agent/gathering.ts';
import {planningMachine} from '../../../machines/forms/agent/planning.ts';
import {taskMachine} from '../../../machines/forms/agent/task.ts';
import {askMachine} from '../../../machines/forms/ask/ask.ts';
import {humanGateMachine} from '../../../machines/human-gate.ts';
import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {turnLoopMachine} from '../../../machines/loop/turn-loop.ts';
import {modelCallMachine} from '../../../machines/model-call.ts';
import {pollMachine} from '../../../machines/panel/poll.ts';
import {quorumMachine} from '../../../machines/panel/quorum.ts';
import {questionMachine} from '../../../machines/question.ts';
import {interactionMachine} from '../../../machines/tree/interaction.ts';
import {laneMachine} from '../../../machines/tree/lane.ts';
import {modeLogic} from '../../../machines/tree/mode.ts';
import {type Bug, withBug} from '../../support/buggy.ts';
import type {Scenario} from '../../support/world.ts';
import {listIn, valueIn} from '../laws-record.ts';
import {actionReviews} from './action-review.ts';
import {executingAgents, plannedAgents} from './agent.ts';
import {type Answers, answering} from './answers.ts';
import {asks} from './ask.ts';
import {evaluations} from './evaluation.ts';
import {executions} from './execution.ts';
import {gatherings} from './gathering.ts';
import {interactions} from './interaction.ts';
import {calling, inDoubt, previewing, saying, voting} from './outcomes.ts';
import {plannings} from './planning.ts';
import {panelScenarios as panels} from './quorum.ts';
import {runCommand, writeFile} from './settings.ts';
import {tasks} from './task.ts';
import {toolCallScenario} from './tool-call.ts';
import {turnLoops} from './turn-loop.ts';

export interface Crash {
  readonly name: string;
  /** Types of events at each of which the child may throw; `xstate.init` is its start. */
  readonly at: readonly string[];
  /** The transition of the parent. */
  readonly way: string;
  readonly scenario: (bug: Bug) => Scenario;
  readonly output: object;
}

const brokenMode: typeof modeLogic = {
  ...modeLogic,
  getInitialSnapshot: () => {
    throw new Error('a bug in a chart');
  },
};

const internal = {code: 'internal', message: 'a bug in a chart'};

/** The surroundings of a scenario that is found by a part of its name, without messages and without timers. */
export function quietly(
  scenarios: readonly {readonly name: string; readonly scenario: Scenario}[],
  name = '',
): Omit<Scenario, 'machine'> {
  const found = scenarios.find((each) => each.name.includes(name));
  if (!found) throw new Error(`there is no scenario ${name}`);
  return {...found.scenario, messages: [], mayFire: () => false};
}

/** A scenario of an expedition, with some of its answers replaced. */
function withAnswers(scenario: Omit<Scenario, 'machine'>, answers: Answers) {
  const ours = answering(answers);
  return {
    ...scenario,
    outcomes: (...asked: Parameters<Scenario['outcomes']>) => {
      const own = ours(...asked);
      return own.length > 0 ? own : scenario.outcomes(...asked);
    },
  };
}

const inWork: readonly Crash[] = [
  {
    name: 'a tool call in a turn loop',
    at: ['xstate.init', 'xstate.done.actor.run'],
    way: 'turn-loop.acting xstate.error.actor.*',
    scenario: (bug) => ({
      ...withAnswers(quietly(turnLoops, 'may not'), {
        act: (before) => [before === 0 ? calling('read_file', {path: 'x'}) : saying('done')],
      }),
      machine: turnLoopMachine.provide({actors: {toolCall: withBug(toolCallMachine, bug)}}),
    }),
    output: {
      kind: 'answered',
      steps: [{status: 'failed', failure: internal}],
      evidence: [{ok: false}],
    },
  },
  {
    name: "a task's exact call",
    at: ['xstate.init', 'xstate.done.actor.run'],
    way: 'task.calling xstate.error.actor.call → failed',
    scenario: (bug) => ({
      ...quietly(tasks, 'exact harmless call'),
      machine: taskMachine.provide({actors: {toolCall: withBug(toolCallMachine, bug)}}),
    }),
    output: {result: {status: 'failed', failure: internal}},
  },
  {
    name: "a task's turn loop",
    at: ['xstate.init', 'xstate.done.actor.model'],
    way: 'task.working xstate.error.actor.turns → failed',
    scenario: (bug) => ({
      ...quietly(tasks, 'as it likes'),
      machine: taskMachine.provide({actors: {turnLoop: withBug(turnLoopMachine, bug)}}),
    }),
    output: {result: {status: 'failed', failure: internal}},
  },
  {
    name: 'every task of an execution',
    at: ['xstate.init', 'xstate.done.actor.call'],
    way: 'execution.running xstate.error.actor.* → scheduling',
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
    way: 'tool-call.reviewing xstate.error.actor.review → failed',
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
    way: 'tool-call.inDoubt xstate.error.actor.gate → failed',
    scenario: (bug) => ({
      ...withAnswers(toolCallScenario(runCommand, 'interactive', 0), {runTool: [inDoubt]}),
      mayFire: () => false,
      machine: toolCallMachine.provide({actors: {humanGate: withBug(humanGateMachine, bug)}}),
    }),
    output: {result: {status: 'failed', failure: internal}},
  },
  {
    name: 'the panel of an action',
    at: ['xstate.init', 'seat.heard'],
    way: 'action-review.voting xstate.error.actor.quorum → refused',
    scenario: (bug) => ({
      ...quietly(actionReviews),
      machine: actionReviewMachine.provide({actors: {quorum: withBug(quorumMachine, bug)}}),
    }),
    output: {kind: 'refused', failure: internal},
  },
  {
    name: 'the gate of an action',
    at: ['xstate.init', 'xstate.done.actor.person'],
    way: 'action-review.awaitingHuman xstate.error.actor.gate → refused',
    scenario: (bug) => ({
      ...withAnswers(quietly(actionReviews), {
        previewTool: (_, open) => previewing(open, {protectedReason: 'it is under .git'}),
      }),
      machine: actionReviewMachine.provide({actors: {humanGate: withBug(humanGateMachine, bug)}}),
    }),
    output: {kind: 'refused', failure: internal},
  },
];

const inPhases: readonly Crash[] = [
  {
    name: 'the turn loop of a gathering',
    at: ['xstate.init', 'xstate.done.actor.model'],
    way: 'gathering.exploring xstate.error.actor.turns → failed',
    scenario: (bug) => ({
      ...quietly(gatherings),
      machine: gatheringMachine.provide({actors: {turnLoop: withBug(turnLoopMachine, bug)}}),
    }),
    output: {failure: internal, evidence: [{did: 'read', target: 'README.md', ok: true}]},
  },
  {
    name: 'the question of planning',
    at: ['xstate.init', 'xstate.done.actor.call'],
    way: 'planning.drafting xstate.error.actor.question → failed',
    scenario: (bug) => ({
      ...quietly(plannings),
      machine: planningMachine.provide({actors: {question: withBug(questionMachine, bug)}}),
    }),
    output: {kind: 'failed', failure: internal},
  },
  {
    name: 'the question of an evaluation',
    at: ['xstate.init', 'xstate.done.actor.call'],
    way: 'evaluation.judging xstate.error.actor.question → failed',
    scenario: (bug) => ({
      ...quietly(evaluations),
      machine: evaluationMachine.provide({actors: {question: withBug(questionMachine, bug)}}),
    }),
    output: {kind: 'failed', failure: internal},
  },
  {
    name: 'the turn loop of a question',
    at: ['xstate.init', 'xstate.done.actor.model'],
    way: 'ask.working xstate.error.actor.turns → errored',
    scenario: (bug) => ({
      ...quietly(asks),
      machine: askMachine.provide({actors: {turnLoop: withBug(turnLoopMachine, bug)}}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the model call that answers without tools',
    at: ['xstate.init', 'xstate.done.actor.model'],
    way: 'ask.answeringDirectly xstate.error.actor.direct → errored',
    scenario: (bug) => ({
      ...withAnswers(quietly(asks), {
        ask: (before) => [before < 2 ? calling('read_file', {path: 'x'}) : saying('perhaps')],
      }),
      machine: askMachine.provide({actors: {modelCall: withBug(modelCallMachine, bug)}}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the form of an interaction',
    at: ['xstate.init', 'xstate.done.actor.gathering'],
    way: 'interaction.active xstate.error.actor.form → failed',
    scenario: (bug) => ({
      ...quietly(interactions),
      machine: interactionMachine.provide({actors: {agent: withBug(agentMachine, bug)}}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the lane of an interaction',
    at: ['xstate.init', 'lane.enter'],
    way: 'interaction.active xstate.error.actor.lane → failed',
    scenario: (bug) => ({
      ...quietly(interactions, 'cancel'),
      machine: interactionMachine.provide({actors: {lane: withBug(laneMachine, bug)}}),
    }),
    output: {status: 'error', error: internal},
  },
  {
    name: 'the mode of an interaction',
    at: ['xstate.init'],
    way: 'interaction.active xstate.error.actor.mode → failed',
    scenario: () => ({
      ...quietly(interactions, 'cancel'),
      machine: interactionMachine.provide({actors: {mode: brokenMode}}),
    }),
    output: {status: 'error', error: internal},
  },
];

/** An agent whose phase crashes: all of them end it in the same way. */
const ofAgent: readonly Omit<Crash, 'way' | 'output'>[] = [
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
    at: ['xstate.init', 'seat.heard'],
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

/** A panel whose poll asks with another chart than ours. */
function panelWith(question: typeof questionMachine) {
  const poll = pollMachine.provide({actors: {question}});
  return {machine: quorumMachine.provide({actors: {poll}})};
}

/** The model that a question is asked of. */
function askedModel(holder: unknown): unknown {
  return valueIn(holder, 'model') ?? valueIn(holder, 'input', 'model');
}

/** Whether a model call is one that asks for a better answer. */
function isRepair(holder: unknown): boolean {
  const request = valueIn(holder, 'request') ?? holder;
  return listIn(request, 'transcript', 'messages').length > 1;
}

const nobodyVotes = {verdict: 'noQuorum', approved: false, degraded: true};

const inPanels: readonly Crash[] = [
  {
    name: 'the poll of a panel',
    at: ['xstate.init', 'xstate.done.actor.seat:test%2Fplain-b'],
    way: 'quorum.open xstate.error.actor.poll → counting',
    scenario: (bug) => ({
      ...quietly(panels, 'two must vote'),
      machine: quorumMachine.provide({actors: {poll: withBug(pollMachine, bug)}}),
    }),
    output: nobodyVotes,
  },
  {
    name: 'every seat of a panel',
    at: ['xstate.init', 'xstate.done.actor.call'],
    way: 'poll.polling xstate.error.actor.*',
    scenario: (bug) => ({
      ...quietly(panels, 'three equal'),
      ...panelWith(withBug(questionMachine, bug)),
    }),
    output: nobodyVotes,
  },
  {
    name: 'a seat of a panel that has decided',
    at: ['xstate.done.actor.call'],
    way: 'poll.polling xstate.error.actor.*',
    scenario: ({at}) => ({
      ...quietly(panels, 'three equal'),
      outcomes: () => [voting('reject')],
      ...panelWith(
        withBug(questionMachine, {at, isIn: (holder) => askedModel(holder) === 'test/plain-c'}),
      ),
    }),
    output: {verdict: 'rejected', approved: false, degraded: true},
  },
  {
    name: 'the model call of a question',
    at: ['xstate.init', 'xstate.done.actor.model'],
    way: 'question.asking xstate.error.actor.call → unanswered',
    scenario: (bug) => ({
      ...quietly(panels, 'three equal'),
      ...panelWith(questionMachine.provide({actors: {modelCall: withBug(modelCallMachine, bug)}})),
    }),
    output: nobodyVotes,
  },
  {
    name: 'the model call that mends an answer',
    at: ['xstate.init', 'xstate.done.actor.model'],
    way: 'question.repairing xstate.error.actor.repair → unanswered',
    scenario: ({at}) => ({
      ...quietly(panels, 'three equal'),
      outcomes: () => [saying('I approve.')],
      ...panelWith(
        questionMachine.provide({
          actors: {modelCall: withBug(modelCallMachine, {at, isIn: isRepair})},
        }),
      ),
    }),
    output: nobodyVotes,
  },
];

export const crashes: readonly Crash[] = [
  ...inWork,
  ...inPhases,
  ...inPanels,
  ...ofAgent.map(({name, at, scenario}) => ({
    name: `${name} of an agent`,
    at,
    scenario,
    way: 'agent xstate.error.actor.* → errored',
    output: {status: 'error', error: internal},
  })),
];

/** The transitions that only a crash takes. */
export const crashWays: readonly string[] = crashes.map(({way}) => way);

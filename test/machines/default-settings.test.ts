/** The laws at the default settings, in a deep search. */

import {expect, test} from 'vitest';

import {defaultConfig} from '../../actors/config/schema.ts';
import {executionMachine} from '../../machines/index.ts';
import {isDeep} from '../support/depth.ts';
import type {OpenRequest} from '../support/hand-performer.ts';
import {oneRead} from './events/agent-plans.ts';
import {type AgentScenario, lawfulAlone, problem, success, votes, yesOrNo} from './events/agent.ts';
import {toolCallScenario} from './events/calls.ts';
import {executionInput, planOf} from './events/execution.ts';
import {lawfulAsk, attack, lawfulDebate} from './events/forms.ts';
import {
  answering,
  allow,
  broke,
  calling,
  previewing,
  ran,
  ruling,
  saying,
} from './events/outcomes.ts';
import {policySeat, readFile, smallSettings} from './events/settings.ts';
import {explored, type LawfulScenario} from './explored.ts';
import {toolCallLaws} from './laws-calls.ts';
import {executionFaults} from './laws-work.ts';

const {agent, ask, debate} = defaultConfig();

const usual = {
  maxPlanRevisions: agent.max_plan_revisions,
  maxReplans: agent.max_replans,
  maxIterations: agent.max_iterations,
  maxToolTurns: agent.max_tool_turns,
  maxToolRetries: agent.max_tool_retries,
  maxParallelTasks: agent.max_parallel_tasks,
};

function taskOf(id: string, tool: string, after: readonly string[] = []) {
  return {id, description: `do ${id}`, tool, args: {path: `plan/${id}`}, depends_on: after};
}

const isOnTime = (timer: string): boolean => !timer.includes('deadline');

function executionOf(name: string, tasks: readonly object[], answers: object): LawfulScenario {
  const settings = smallSettings('interactive', [policySeat], usual);
  const plan = planOf('plan', tasks);
  return {
    name,
    scenario: {
      machine: executionMachine,
      input: executionInput(plan, settings, {iterationsLeft: usual.maxIterations}),
      outcomes: answering({previewTool: (_, open) => previewing(open), ...answers}),
      mayFire: isOnTime,
    },
    law: (played) => executionFaults(played, plan, settings, usual.maxIterations),
  };
}

const ids = ['a', 'b', 'c', 'd'];

const agents: readonly AgentScenario[] = [
  {
    name: 'an agent whose plans are voted on',
    shape: oneRead,
    answers: () => ({'review-plan': [...votes, ruling('abstain')], 'ask-plan': yesOrNo}),
  },
  {
    name: 'an agent whose work is judged',
    shape: oneRead,
    answers: () => ({runTool: [ran, broke], evaluate: [success, problem]}),
  },
];

const asking = smallSettings('interactive', [policySeat]);

/** Reads another file each time: no call is repeated. */
const reading = ({request}: OpenRequest) =>
  calling('read_file', {path: `x${JSON.stringify(request).length}`});

/** It has ten steps. Only a deep search takes them in every order. */
const stepByStep = lawfulAsk(
  {
    name: 'a question that continues to its last step',
    answers: {
      checkText: [allow],
      ask: (_, open) => [saying('so it is'), reading(open)],
      runTool: [ran, broke],
    },
  },
  {...asking, ask: {...asking.ask, maxSteps: ask.max_steps, maxRetries: ask.max_retries}},
);

/** Scenarios that reach a limit only after many repeats. */
const limited: readonly LawfulScenario[] = [
  lawfulDebate(
    {
      name: 'a debate whose opponent may stop in any round',
      answers: {'raise-objections': [attack(), attack('major')]},
    },
    debate.max_rounds,
  ),
  {
    name: 'a call whose tool fails again and again',
    scenario: toolCallScenario(readFile, 'interactive', 0, {maxRetries: usual.maxToolRetries}),
    law: toolCallLaws(readFile, 'interactive'),
  },
];

const scenarios: readonly LawfulScenario[] = [
  ...limited.map(whole),
  isDeep ? whole(stepByStep) : stepByStep,
  ...agents.map((short) => lawfulAlone({...short, agent: usual})),
  executionOf(
    'an execution of more reads than run at once',
    [...ids.map((id) => taskOf(id, 'read_file')), taskOf('e', 'read_file', ['a'])],
    {runTool: [ran]},
  ),
  executionOf(
    'an execution of parallel writes that are rejected',
    ids.map((id) => taskOf(id, 'write_file')),
    {'review-action': [ruling('reject')], 'ask-action': [{decision: 'reject'}]},
  ),
];

function whole({name, scenario, law}: LawfulScenario): LawfulScenario {
  return {name, law, scenario: {...scenario, isWhole: true}};
}

test('by default four tasks run at once, three plans are revised and two replans made', () => {
  expect(usual).toMatchObject({maxParallelTasks: 4, maxPlanRevisions: 3, maxReplans: 2});
});

test('by default a question has at most ten steps and a debate three rounds', () => {
  expect({...ask, ...debate}).toMatchObject({max_steps: 10, max_retries: 2, max_rounds: 3});
});

test.runIf(isDeep).each(scenarios)('the laws hold in every state $name', (lawful) => {
  expect(explored(lawful).states).toBeGreaterThan(10);
});

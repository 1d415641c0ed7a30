/** The laws of agents and of executions at the settings of who configures nothing. */

import {expect, test} from 'vitest';

import {defaultConfig} from '../../actors/config/schema.ts';
import {executionMachine} from '../../machines/index.ts';
import {oneRead} from './events/agent-plans.ts';
import {type AgentScenario, lawfulAlone, problem, success, votes, yesOrNo} from './events/agent.ts';
import {answering} from './events/answers.ts';
import {planOf, rulesOf} from './events/execution.ts';
import {broke, previewing, ran, ruling} from './events/outcomes.ts';
import {policySeat, smallSettings} from './events/settings.ts';
import {explored, type LawfulScenario} from './explored.ts';
import {executionFaults} from './laws-work.ts';

const {agent} = defaultConfig();

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
      input: {
        plan,
        request: 'do it',
        background: '',
        rules: rulesOf(settings),
        maxParallelTasks: usual.maxParallelTasks,
        workspace: '/w',
        evidence: [],
        earlier: [],
        iterationsLeft: usual.maxIterations,
      },
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

const scenarios: readonly LawfulScenario[] = [
  ...agents.map((short) => lawfulAlone({...short, agent: usual})),
  executionOf(
    'an execution of more reads than run at once',
    [...ids.map((id) => taskOf(id, 'read_file')), taskOf('e', 'read_file', ['a'])],
    {runTool: [ran]},
  ),
  executionOf(
    'an execution of writes that are rejected side by side',
    ids.map((id) => taskOf(id, 'write_file')),
    {
      'review-action': [ruling('reject')],
      'ask-action': [{decision: 'reject'}],
    },
  ),
];

test('by default four tasks run at once, three plans are revised and two replans made', () => {
  expect(usual).toMatchObject({maxParallelTasks: 4, maxPlanRevisions: 3, maxReplans: 2});
});

test.each(scenarios)('the laws hold in every state $name', (lawful) => {
  expect(explored(lawful).states).toBeGreaterThan(10);
});

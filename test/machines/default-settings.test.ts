/** The laws of executions at the settings of who configures nothing: four tasks at once. */

import {expect, test} from 'vitest';

import {defaultConfig} from '../../actors/config/schema.ts';
import {executionMachine} from '../../machines/index.ts';
import {answering} from './events/answers.ts';
import {planOf, rulesOf} from './events/execution.ts';
import {previewing, ran, ruling} from './events/outcomes.ts';
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

const scenarios: readonly LawfulScenario[] = [
  executionOf(
    'of more reads than run at once',
    [...ids.map((id) => taskOf(id, 'read_file')), taskOf('e', 'read_file', ['a'])],
    {runTool: [ran]},
  ),
  executionOf(
    'of writes that are rejected side by side',
    ids.map((id) => taskOf(id, 'write_file')),
    {
      'review-action': [ruling('reject')],
      'ask-action': [{decision: 'reject'}],
    },
  ),
];

test('by default four tasks run at once', () => {
  expect(usual.maxParallelTasks).toBe(4);
});

test.each(scenarios)('the laws hold in every state $name', (lawful) => {
  expect(explored(lawful).states).toBeGreaterThan(10);
});

/** Executions to explore: small plans whose tasks may fail, be voted down, wait for the lock or for a model. */

import {type Plan, readPlan} from '../../../machines/domain/plan.ts';
import type {AgentSettings, Settings} from '../../../machines/domain/settings.ts';
import {executionMachine} from '../../../machines/forms/agent/execution/execution.ts';
import type {TaskRules} from '../../../machines/forms/agent/execution/task.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {valueIn} from '../laws-record.ts';
import {executionFaults} from '../laws-work.ts';
import {type Answers, answering} from './answers.ts';
import {broke, failing, inDoubt, previewing, ran, ruling, saying, stumbled} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

const {tools} = smallSettings('interactive', []);

/** `open` are ids of earlier tasks that these may redo. */
export function planOf(
  objective: string,
  tasks: readonly object[],
  open: readonly string[] = [],
): Plan {
  const reading = readPlan({objective, reasoning: '', tasks}, tools, {settled: [], open});
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.plan;
}

function task(id: string, tool: string | undefined, after: readonly string[] = []) {
  const call = tool === undefined ? {} : {tool, args: {path: `plan/${id}`}};
  return {id, description: `do ${id}`, depends_on: after, ...call};
}

export function rulesOf(settings: Settings): TaskRules {
  return {
    agent: settings.agent,
    buffer: settings.context,
    tools: settings.tools,
    panel: panelRules(settings),
  };
}

interface ExecutionScenario {
  readonly name: string;
  readonly tasks: readonly object[];
  readonly answers: Answers;
  readonly agent?: Partial<AgentSettings>;
  readonly iterationsLeft?: number;
  /** The value that a message may set `iterationsLeft` to, at every moment. */
  readonly raisedTo?: number;
  /** True when the deadlines of panels may pass. */
  readonly isLate?: boolean;
}

const scenarios: readonly ExecutionScenario[] = [
  {
    name: 'of harmless calls that depend on each other',
    tasks: [
      task('a', 'read_file'),
      task('b', 'read_file'),
      task('c', 'read_file', ['a']),
      task('d', 'read_file', ['a', 'b']),
      task('e', 'read_file', ['c', 'd']),
    ],
    answers: {runTool: [ran, broke]},
    iterationsLeft: 9,
  },
  {
    name: 'of three risky calls at once',
    tasks: [task('a', 'write_file'), task('b', 'run_command'), task('c', 'write_file')],
    answers: {
      previewTool: (_, open) => previewing(open),
      'review-action': [ruling('approve')],
      runTool: [ran],
    },
    agent: {maxParallelTasks: 3},
  },
  {
    name: 'of two risky calls that may be rejected, repeated or in doubt',
    tasks: [task('a', 'write_file'), task('b', 'run_command', []), task('c', 'read_file', ['a'])],
    answers: {
      previewTool: (_, open) => previewing(open),
      'review-action': [ruling('approve'), ruling('reject')],
      runTool: (_, {request}) =>
        valueIn(request, 'tool') === 'run_command' ? [ran, inDoubt] : [ran, stumbled],
      'ask-in-doubt': [{decision: 'retry'}, {decision: 'done'}, {decision: 'fail'}],
    },
  },
  {
    name: 'of four risky calls one after another, any of which may be rejected',
    tasks: ['a', 'b', 'c', 'd'].map((id) => task(id, 'write_file')),
    answers: {
      previewTool: (_, open) => previewing(open),
      'review-action': [ruling('approve'), ruling('reject')],
      'ask-action': [{decision: 'approve'}, {decision: 'reject'}],
      runTool: [ran, broke],
    },
    agent: {maxParallelTasks: 1},
    iterationsLeft: 9,
  },
  {
    name: 'of a call that only a person may allow',
    tasks: [task('a', 'write_file'), task('b', 'read_file', ['a'])],
    answers: {
      previewTool: (_, open) => previewing(open, {protectedReason: 'it is under .git'}),
      'review-action': [ruling('approve'), ruling('reject'), ruling('abstain')],
      'ask-protected': [{decision: 'approve'}, {decision: 'reject'}],
      'ask-action': [{decision: 'approve'}, {decision: 'reject'}],
      runTool: [ran],
    },
    isLate: true,
  },
  {
    name: 'of models that may be down for a while',
    tasks: [
      task('a', undefined),
      task('b', undefined),
      task('c', undefined),
      task('d', undefined, ['a']),
    ],
    answers: {act: (before) => [saying('done'), ...(before < 2 ? [failing('auth')] : [])]},
    iterationsLeft: 9,
  },
  {
    name: 'with more tasks than may be started',
    tasks: [
      task('a', 'read_file'),
      task('b', 'read_file'),
      task('c', 'read_file', ['a']),
      task('d', 'read_file', ['b']),
    ],
    answers: {runTool: [ran, broke], awaitResume: [{resumed: true}, crash]},
    iterationsLeft: 3,
    raisedTo: 4,
  },
];

export const executions: readonly LawfulScenario[] = scenarios.map(
  ({name, tasks, answers, agent, iterationsLeft = 3, raisedTo, isLate = false}) => {
    const settings = smallSettings('interactive', [policySeat], agent);
    const plan = planOf('plan', tasks);
    return {
      name,
      scenario: {
        machine: executionMachine,
        input: {
          plan,
          request: 'do it',
          background: [],
          rules: rulesOf(settings),
          maxParallelTasks: settings.agent.maxParallelTasks,
          workspace: '/w',
          evidence: [],
          runs: [],
          iterationsLeft,
        },
        outcomes: answering(answers),
        messages: raisedTo === undefined ? [] : [{type: 'limit.changed', iterationsLeft: raisedTo}],
        mayFire: (timer) => isLate || !timer.includes('deadline'),
      },
      law: (played) => executionFaults(played, plan, settings, iterationsLeft),
    };
  },
);

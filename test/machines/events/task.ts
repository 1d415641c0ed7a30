/** Tasks to explore: exact calls of each kind of tool, and work that a model does in turns. */

import type {Task} from '../../../machines/domain/plan.ts';
import type {HilMode} from '../../../machines/domain/settings.ts';
import {taskMachine} from '../../../machines/forms/agent/execution/task.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {taskFaults} from '../laws-work.ts';
import {type Answers, answering} from './answers.ts';
import {planOf, rulesOf} from './execution.ts';
import {
  broke,
  calling,
  callingAll,
  failing,
  inDoubt,
  previewing,
  ran,
  refused,
  ruling,
  saying,
  stumbled,
} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

interface TaskScenario {
  readonly name: string;
  readonly task: object;
  readonly answers: Answers;
  readonly hilMode?: HilMode;
  readonly rejections?: number;
  /** True when the deadlines of panels may pass. */
  readonly isLate?: boolean;
}

const wrote = {...ran, written: ['x']};
const approveOrReject = [{decision: 'approve'}, {decision: 'reject', reason: 'no'}];

const scenarios: readonly TaskScenario[] = [
  {
    name: 'with an exact harmless call',
    task: {tool: 'read_file', args: {path: 'x'}, timeout_ms: 3},
    answers: {runTool: [ran, broke, stumbled, refused, crash]},
  },
  {
    name: 'with an exact risky call',
    task: {tool: 'write_file', args: {path: 'x'}, timeout_ms: 2},
    answers: {
      previewTool: (_, open) => [...previewing(open), refused, crash],
      'review-action': [ruling('approve'), ruling('reject'), ruling('abstain')],
      'ask-action': approveOrReject,
      runTool: [wrote, stumbled, broke],
    },
    rejections: 2,
    isLate: true,
  },
  {
    name: 'with an exact call that must not be repeated',
    task: {tool: 'run_command', args: {command: 'x'}},
    answers: {
      previewTool: (_, open) => [...previewing(open), ...previewing(open, {protectedReason: 'so'})],
      'review-action': [ruling('approve'), ruling('reject')],
      'ask-action': approveOrReject,
      'ask-protected': approveOrReject,
      'ask-in-doubt': [{decision: 'retry'}, {decision: 'done'}, {decision: 'fail'}],
      runTool: [ran, stumbled, inDoubt],
    },
    hilMode: 'auto_approve',
  },
  {
    name: 'that a model works out with a tool that it is to use',
    task: {tool: 'write_file'},
    answers: {
      act: [
        saying('done'),
        calling('write_file', {path: 'x'}),
        calling('read_file', {path: 'x'}),
        failing('auth'),
      ],
      previewTool: (_, open) => previewing(open),
      'review-action': [ruling('approve'), ruling('reject')],
      runTool: [wrote, broke],
    },
  },
  {
    name: 'that a model works out until its turns are used up',
    task: {},
    answers: {
      act: (_, {port, request}) =>
        port === 'callModel' && request.toolChoice === 'none'
          ? [saying('x is left'), failing('truncated'), crash]
          : [saying('done'), calling('read_file', {path: 'x'})],
      runTool: [ran, broke],
    },
  },
  {
    name: 'that a model works out as it likes, within a time limit',
    task: {timeout_ms: 3},
    answers: {
      act: [
        saying('done'),
        callingAll(['read_file', {path: 'x'}], ['run_command', {command: 'x'}]),
        crash,
      ],
      previewTool: (_, open) => previewing(open),
      'review-action': [ruling('approve')],
      'ask-in-doubt': [{decision: 'retry'}, {decision: 'fail'}],
      'ask-protected': approveOrReject,
      runTool: [ran, inDoubt],
    },
  },
];

function taskOf(more: object): Task {
  const [task] = planOf('plan', [{id: 'a', description: 'do it', ...more}]).tasks;
  if (!task) throw new Error('a plan without a task');
  return task;
}

export const tasks: readonly LawfulScenario[] = scenarios.map(
  ({name, task: more, answers, hilMode = 'interactive', rejections = 0, isLate = false}) => {
    const settings = smallSettings(hilMode, [policySeat]);
    const task = taskOf(more);
    return {
      name,
      scenario: {
        machine: taskMachine,
        input: {
          task,
          request: 'do it',
          plan: planOf('plan', [{id: 'a', description: 'do it', ...more}]),
          background: [],
          runs: [],
          rules: rulesOf(settings),
          workspace: '/w',
          evidence: [],
        },
        hilMode,
        rejections,
        begin: {type: 'task.begin'},
        outcomes: answering(answers),
        mayFire: (timer) => isLate || !timer.includes('deadline'),
      },
      law: (played) => taskFaults(played, task, settings),
    };
  },
);

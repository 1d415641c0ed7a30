/** Executions, tasks and locks to explore. */

import {type AnyActorRef, assign, enqueueActions, setup} from 'xstate';

import {type Plan, readPlan} from '../../../machines/domain/plan.ts';
import type {AgentSettings, Settings, HilMode} from '../../../machines/domain/settings.ts';
import {report} from '../../../machines/facts/record.ts';
import {executionMachine} from '../../../machines/forms/agent/execution/execution.ts';
import {taskMachine} from '../../../machines/forms/agent/execution/task.ts';
import {hold} from '../../../machines/tree/lock.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {valueIn} from '../laws-record.ts';
import {lockFaults, executionFaults, taskFaults} from '../laws-work.ts';
import {
  type Answers,
  answering,
  broke,
  failing,
  inDoubt,
  previewing,
  ran,
  ruling,
  saying,
  stumbled,
  calling,
  callingAll,
  refused,
} from './outcomes.ts';
import {policySeat, smallSettings, workWith} from './settings.ts';

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

function plannedTask(id: string, tool: string | undefined, after: readonly string[] = []) {
  const call = tool === undefined ? {} : {tool, args: {path: `plan/${id}`}};
  return {id, description: `do ${id}`, depends_on: after, ...call};
}

/** An execution of the plan, with nothing done before. */
export function executionInput(plan: Plan, settings: Settings, more: object = {}) {
  return {work: workWith(settings), plan, evidence: [], runs: [], iterationsLeft: 9, ...more};
}

/** The only task of a plan. */
export function taskInput(more: object, settings: Settings) {
  const plan = planOf('plan', [{id: 'a', description: 'do it', ...more}]);
  return {work: workWith(settings), plan, task: plan.tasks[0], evidence: [], runs: []};
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
      plannedTask('a', 'read_file'),
      plannedTask('b', 'read_file'),
      plannedTask('c', 'read_file', ['a']),
      plannedTask('d', 'read_file', ['a', 'b']),
      plannedTask('e', 'read_file', ['c', 'd']),
    ],
    answers: {runTool: [ran, broke]},
    iterationsLeft: 9,
  },
  {
    name: 'of three risky calls at once',
    tasks: [
      plannedTask('a', 'write_file'),
      plannedTask('b', 'run_command'),
      plannedTask('c', 'write_file'),
    ],
    answers: {
      previewTool: (_, open) => previewing(open),
      'review-action': [ruling('approve')],
      runTool: [ran],
    },
    agent: {maxParallelTasks: 3},
  },
  {
    name: 'of two risky calls that may be rejected, repeated or in doubt',
    tasks: [
      plannedTask('a', 'write_file'),
      plannedTask('b', 'run_command', []),
      plannedTask('c', 'read_file', ['a']),
    ],
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
    tasks: ['a', 'b', 'c', 'd'].map((id) => plannedTask(id, 'write_file')),
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
    tasks: [plannedTask('a', 'write_file'), plannedTask('b', 'read_file', ['a'])],
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
      plannedTask('a', undefined),
      plannedTask('b', undefined),
      plannedTask('c', undefined),
      plannedTask('d', undefined, ['a']),
    ],
    answers: {act: (before) => [saying('done'), ...(before < 2 ? [failing('auth')] : [])]},
    iterationsLeft: 9,
  },
  {
    name: 'with more tasks than may be started',
    tasks: [
      plannedTask('a', 'read_file'),
      plannedTask('b', 'read_file'),
      plannedTask('c', 'read_file', ['a']),
      plannedTask('d', 'read_file', ['b']),
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
        input: executionInput(plan, settings, {iterationsLeft}),
        outcomes: answering(answers),
        messages: raisedTo === undefined ? [] : [{type: 'limit.changed', iterationsLeft: raisedTo}],
        mayFire: (timer) => isLate || !timer.includes('deadline'),
      },
      law: (played) => executionFaults(played, plan, settings, iterationsLeft),
    };
  },
);

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

const taskScenarios: readonly TaskScenario[] = [
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

export const tasks: readonly LawfulScenario[] = taskScenarios.map(
  ({name, task: more, answers, hilMode = 'interactive', rejections = 0, isLate = false}) => {
    const settings = smallSettings(hilMode, [policySeat]);
    const input = taskInput(more, settings);
    const {task} = input;
    if (!task) throw new Error('a plan without a task');
    return {
      name,
      scenario: {
        machine: taskMachine,
        input,
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

const names = ['a', 'b', 'c'] as const;

type Approach = {readonly type: 'enter' | 'leave' | 'crash'; readonly name: string};

const contenderTypes: {
  context?: {readonly name: string};
  input?: {readonly name: string};
  events?: Approach | {readonly type: 'lock.granted'};
} = {};

/** A contender that gives up may come again. One that crashes has a bug, and sends nothing to the lock. */
const contenderMachine = setup({
  types: contenderTypes,
  actors: {hold},
  actions: {
    note: report(({context}, text: string) => ({type: 'thought', text, task: context.name})),
    crash: () => {
      throw new Error('a bug in a chart');
    },
  },
}).createMachine({
  id: 'contender',
  context: ({input}) => input ?? {name: ''},
  initial: 'outside',
  states: {
    outside: {on: {enter: 'contending', crash: 'gone'}},
    contending: {
      invoke: {src: 'hold', id: 'lock'},
      initial: 'waiting',
      states: {
        waiting: {
          entry: {type: 'note', params: 'asked'},
          on: {
            'lock.granted': 'inside',
            leave: {target: '#contender.outside', actions: {type: 'note', params: 'left'}},
          },
        },
        inside: {
          entry: {type: 'note', params: 'admitted'},
          on: {leave: {target: '#contender.gone', actions: {type: 'note', params: 'left'}}},
        },
      },
      on: {crash: {actions: [{type: 'note', params: 'left'}, 'crash']}},
    },
    gone: {type: 'final'},
  },
});

const crowdTypes: {context?: {readonly left: number}; events?: Approach} = {};

const crowdMachine = setup({
  types: crowdTypes,
  actors: {contender: contenderMachine},
  actions: {
    pass: enqueueActions(({event, system, enqueue}) => {
      const contender: AnyActorRef | undefined =
        'name' in event ? system.get(event.name) : undefined;
      if (contender) enqueue.sendTo(contender, event);
    }),
    count: assign(({context}) => ({left: context.left - 1})),
  },
  guards: {isEmpty: ({context}) => context.left === 0},
}).createMachine({
  id: 'crowd',
  context: {left: names.length},
  initial: 'there',
  states: {
    there: {
      invoke: names.map((name) => ({
        src: 'contender' as const,
        id: name,
        systemId: name,
        input: {name},
        onDone: {actions: 'count' as const},
        onError: {actions: 'count' as const},
      })),
      always: {guard: 'isEmpty', target: 'gone'},
      on: {enter: {actions: 'pass'}, leave: {actions: 'pass'}, crash: {actions: 'pass'}},
    },
    gone: {type: 'final'},
  },
});

const approaches = (['enter', 'leave', 'crash'] as const).flatMap((type) =>
  names.map((name): Approach => ({type, name})),
);

export const locks: readonly LawfulScenario[] = [
  {
    name: 'for which three contend',
    scenario: {machine: crowdMachine, input: undefined, outcomes: () => [], messages: approaches},
    law: lockFaults,
  },
  {
    name: 'that others may hold, or that can not be had',
    scenario: {
      machine: crowdMachine,
      input: undefined,
      outcomes: ({port}) =>
        port === 'lockWorkspace'
          ? [{locked: true}, {locked: false, why: 'there is no room'}, crash]
          : [{locked: false}, crash],
      messages: approaches
        .filter(({name, type}) => name !== 'c' && type !== 'crash')
        .concat({type: 'crash', name: 'c'}),
    },
    law: lockFaults,
  },
];

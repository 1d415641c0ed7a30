/**
 * The command form: one command of a person's own, without a vote.
 *
 * running → completed / failed. Another end: cancelled.
 */

import {assign, type ErrorActorEvent, setup} from 'xstate';

import {onCrash} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import type {FormOutput} from '../../domain/result.ts';
import type {ToolResult} from '../../domain/tool.ts';
import {report} from '../../facts/record.ts';
import {toolCallMachine} from '../../loop/tool-call.ts';
import {asChart} from '../../machine-type.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {pathOf} from '../../tree/path.ts';
import {phase, reportPhase} from '../phases.ts';
import {
  approvalFact,
  commandCallInput,
  type CommandInput,
  type CommandState,
  ending,
  taskOf,
} from './command-state.ts';

const machine = setup({
  types: {} as {
    context: CommandState;
    input: CommandInput;
    output: FormOutput;
    events: FormEvent | ErrorActorEvent;
    tags: 'phase' | 'failure';
  },
  actors: {toolCall: toolCallMachine},
  actions: {
    reportPhase,
    reportApproval: report(({context, self}) => approvalFact(context, pathOf(self))),
    takeResult: assign(({context}, result: ToolResult) => ({task: taskOf(context, result)})),
    takeCrash: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isSuccess: (_, {status}: ToolResult) => status === 'succeeded',
  },
}).createMachine({
  id: 'command',
  context: ({input}) => input,
  initial: 'running',
  on: {'user.cancel': '.cancelled'},
  states: {
    running: {
      ...phase('running', 'reportApproval'),
      invoke: {
        src: 'toolCall',
        id: 'call',
        input: ({context}) => commandCallInput(context),
        onDone: [
          {
            guard: {type: 'isSuccess', params: ({event}) => event.output.result},
            target: 'completed',
            actions: {type: 'takeResult', params: ({event}) => event.output.result},
          },
          {
            target: 'failed',
            actions: {type: 'takeResult', params: ({event}) => event.output.result},
          },
        ],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    completed: {type: 'final', output: ending('completed')},
    failed: {type: 'final', tags: 'failure', output: ending('failed')},
    cancelled: {type: 'final', tags: 'failure', output: ending('cancelled')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const commandMachine = asChart<CommandState, FormEvent, CommandInput, FormOutput>(machine);

/**
 * One dialogue: runs its form, and owns the lane of its workspace.
 *
 * active → completed / failed / cancelled
 */

import {assign, type DoneActorEvent, type ErrorActorEvent, sendTo, setup} from 'xstate';

import {type Failure, toFailure} from '../domain/failure.ts';
import type {ContextMode} from '../domain/plan.ts';
import type {FormOutput, InteractionForm} from '../domain/result.ts';
import type {Settings} from '../domain/settings.ts';
import {agentMachine} from '../forms/agent/agent.ts';
import {askMachine} from '../forms/ask/ask.ts';
import {report} from '../report.ts';
import type {FormEvent} from './form-event.ts';
import {laneMachine} from './lane.ts';
import {type ModeChange, modeLogic} from './mode.ts';

export interface InteractionInput {
  readonly id: string;
  readonly form: InteractionForm;
  readonly contextMode: ContextMode;
  /** The interaction that spawned this one; absent for a root. */
  readonly parent?: string;
  /** 0 for a root; at most 3. */
  readonly depth: number;
  readonly request: string;
  /** Absolute path, links resolved. */
  readonly workspace: string;
  readonly settings: Settings;
}

export interface InteractionContext extends InteractionInput {
  readonly result: FormOutput;
}

export const interactionMachine = setup({
  types: {} as {
    context: InteractionContext;
    input: InteractionInput;
    output: FormOutput;
    events:
      | FormEvent
      | ModeChange
      | DoneActorEvent<FormOutput, 'form'>
      | ErrorActorEvent<unknown, 'form'>;
  },
  actors: {agent: agentMachine, ask: askMachine, lane: laneMachine, mode: modeLogic},
  actions: {
    passOn: sendTo('form', ({event}) => event),
    takeMode: sendTo('mode', ({event}) => event),
    takeResult: assign((_, result: FormOutput) => ({result})),
    takeCrash: assign((_, failure: Failure) => ({result: crashed(failure)})),
    reportEnd: report(({context}) => ({
      type: 'interaction.settled',
      status: context.result.status,
      summary: context.result.summary,
    })),
  },
  guards: {
    isAsk: ({context}) => context.form === 'ask',
    isCompleted: (_, {status}: FormOutput) => status === 'completed',
    isCancelled: (_, {status}: FormOutput) => status === 'cancelled',
  },
}).createMachine({
  id: 'interaction',
  context: ({input}) => ({
    ...input,
    result: crashed({code: 'internal', message: 'The form ended without a result.'}),
  }),
  initial: 'active',
  states: {
    active: {
      invoke: [
        {
          src: 'lane',
          id: 'lane',
          systemId: 'lane',
          onError: {
            target: 'failed',
            actions: {type: 'takeCrash', params: ({event}) => toFailure(event.error)},
          },
        },
        {
          src: 'mode',
          id: 'mode',
          systemId: 'mode',
          input: ({context}) => context.settings.agent.hilMode,
          onError: {
            target: 'failed',
            actions: {type: 'takeCrash', params: ({event}) => toFailure(event.error)},
          },
        },
      ],
      initial: 'choosing',
      states: {
        choosing: {always: [{guard: 'isAsk', target: 'asking'}, {target: 'acting'}]},
        acting: {invoke: {src: 'agent', id: 'form', input: ({context}) => context}},
        asking: {invoke: {src: 'ask', id: 'form', input: ({context}) => context}},
      },
      on: {
        'xstate.done.actor.form': [
          {
            guard: {type: 'isCompleted', params: ({event}) => event.output},
            target: 'completed',
            actions: {type: 'takeResult', params: ({event}) => event.output},
          },
          {
            guard: {type: 'isCancelled', params: ({event}) => event.output},
            target: 'cancelled',
            actions: {type: 'takeResult', params: ({event}) => event.output},
          },
          {
            target: 'failed',
            actions: {type: 'takeResult', params: ({event}) => event.output},
          },
        ],
        'xstate.error.actor.form': {
          target: 'failed',
          actions: {type: 'takeCrash', params: ({event}) => toFailure(event.error)},
        },
        'user.cancel': {actions: 'passOn'},
        'limit.reached': {actions: 'passOn'},
        'settings.changed': {actions: 'takeMode'},
      },
    },
    completed: {type: 'final', entry: 'reportEnd'},
    failed: {type: 'final', entry: 'reportEnd'},
    cancelled: {type: 'final', entry: 'reportEnd'},
  },
  output: ({context}) => context.result,
});

function crashed(failure: Failure): FormOutput {
  return {status: 'error', summary: failure.message, error: failure};
}

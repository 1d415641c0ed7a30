/**
 * One top-level interaction and all below it, with the parts that they share: the lock of the workspace, the mode, the
 * record.
 *
 * active → ended
 */

import {assign, type DoneActorEvent, type ErrorActorEvent, sendTo, setup} from 'xstate';

import {otherwise} from '../actor-end.ts';
import type {FormOutput} from '../domain/result.ts';
import {changeSettings, replacedModels, type SettingsChange} from '../domain/settings.ts';
import {recordId, recordLogic, report} from '../facts/record.ts';
import type {Addressed, InteractionInput} from './children.ts';
import type {FormEvent, SettingsChanged} from './form-event.ts';
import {crashed, interactionMachine, reportLost} from './interaction.ts';
import {lockId, lockMachine} from './lock.ts';
import {type ModeChange, modeId, modeLogic} from './mode.ts';
import {withRecord} from './partial-result.ts';

export interface TreeInput extends InteractionInput {
  /** The id of the root inside the tree, where the id of its run does not occur: a copy of the run's entries is another run. */
  readonly rootName?: string;
}

export interface TreeContext {
  readonly root: InteractionInput;
  readonly result: FormOutput;
}

export type TreeEvent =
  | FormEvent
  | Addressed
  | DoneActorEvent<FormOutput, 'interaction'>
  | ErrorActorEvent;

export const treeMachine = setup({
  types: {} as {
    context: TreeContext;
    input: TreeInput;
    output: FormOutput;
    events: TreeEvent;
  },
  actors: {
    interaction: interactionMachine,
    lock: lockMachine,
    mode: modeLogic,
    record: recordLogic,
  },
  actions: {
    passOn: sendTo('interaction', ({event}) => event),
    takeMode: sendTo('mode', (_, change: ModeChange) => change),
    takeSettings: assign(({context: {root}}, change: SettingsChange) => ({
      root: {...root, settings: changeSettings(root.settings, change)},
    })),
    takeResult: assign((_, result: FormOutput) => ({result})),
    reportLost: ({self, context}) => reportLost(self, context.root.id),
    takeCrash: assign((_, error: unknown) => ({result: crashed(error)})),
    cancelRoot: sendTo('interaction', {type: 'user.cancel'}),
    reportEnd: report(({context: {result}}) => ({
      type: 'interaction.settled',
      status: result.status,
      summary: result.summary,
      detail: {result},
    })),
  },
  guards: {
    isRoot: ({context}, address: string) => address === context.root.id,
  },
}).createMachine({
  id: 'tree',
  context: ({input: {rootName, ...input}}) => ({
    root: {...input, id: rootName ?? input.id},
    result: crashed('The tree was not run.'),
  }),
  invoke: [
    {
      src: 'lock',
      id: 'lock',
      systemId: lockId,
      input: ({context}) => ({workspace: context.root.workspace}),
    },
    {
      src: 'mode',
      id: 'mode',
      systemId: modeId,
      input: ({context}) => context.root.settings.agent.hilMode,
    },
    {
      src: 'record',
      id: 'record',
      systemId: recordId,
    },
  ],
  on: {
    'xstate.error.actor.*': {
      target: '.ended',
      actions: [
        'reportLost',
        {type: 'takeCrash', params: ({event}: {event: ErrorActorEvent}) => event.error},
      ],
    },
  },
  initial: 'active',
  states: {
    active: {
      invoke: {src: 'interaction', id: 'interaction', input: ({context}) => context.root},
      on: {
        'xstate.done.actor.interaction': otherwise('ended', 'takeResult'),
        'user.cancel': {actions: 'passOn'},
        'form.changed': {actions: 'passOn'},
        'settings.changed': {
          actions: [
            'passOn',
            {type: 'takeMode', params: ({context, event}) => modeChange(context, event)},
            {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
          ],
        },
        'user.said': {actions: 'passOn'},
        'interaction.spawn': {actions: 'passOn'},
        'interaction.cancel': [
          {
            guard: {type: 'isRoot', params: ({event}) => event.interaction},
            actions: 'cancelRoot',
          },
          {actions: 'passOn'},
        ],
      },
    },
    ended: {type: 'final', entry: 'reportEnd'},
  },
  output: ({context, self}) => withRecord(context.result, self),
});

function modeChange({root: {settings}}: TreeContext, event: SettingsChanged): ModeChange {
  const after = changeSettings(settings, event.settings ?? {});
  return {...event, models: replacedModels(settings, after)};
}

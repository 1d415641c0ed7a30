/**
 * One dialogue: runs its form, and the interactions below it.
 *
 * active → completed / failed / cancelled
 */

import {
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  sendTo,
  setup,
  stopChild,
} from 'xstate';

import type {Attachment} from '../domain/attachment.ts';
import {toFailure} from '../domain/failure.ts';
import type {FileDiff} from '../domain/patch.ts';
import type {ContextMode, Plan} from '../domain/plan.ts';
import type {FormOutput} from '../domain/result.ts';
import {changeSettings, type Settings, type SettingsChange} from '../domain/settings.ts';
import {formLogic, type FormName} from '../forms/forms.ts';
import {asChart, type Chart, type ChartLogic, lookedUp} from '../machine-type.ts';
import {report} from '../report.ts';
import type {FormEvent} from './form-event.ts';

/** The root is at depth 0. */
const maxDepth = 3;

const withoutResult = crashed('The form ended without a result.');

export interface InteractionInput {
  readonly id: string;
  readonly form: FormName;
  readonly contextMode: ContextMode;
  /** The interaction that spawned this one; absent for a root. */
  readonly parent?: string;
  readonly depth: number;
  readonly request: string;
  /** Absolute path, links resolved. */
  readonly workspace: string;
  readonly settings: Settings;
  readonly attachments?: readonly Attachment[];
  /** Of an agent: its first plan, in place of a model's. */
  readonly plan?: Plan;
  /** Of a review: what is reviewed. */
  readonly diff?: readonly FileDiff[];
}

/** Asks for an interaction below `parent`. Its id must be new in the tree. */
export interface InteractionSpawn {
  readonly type: 'interaction.spawn';
  readonly id: string;
  readonly form: FormName;
  readonly request: string;
  readonly contextMode: ContextMode;
  readonly parent: string;
}

export interface InteractionContext extends InteractionInput {
  /** Ids of the interactions below that have not ended. */
  readonly running: readonly string[];
  /** What those that have ended came to, by id; one that could not be spawned, an `error`. */
  readonly below: Readonly<Record<string, FormOutput>>;
  readonly result: FormOutput;
}

type ChildId = `interaction:${string}`;

type InteractionEvent =
  | FormEvent
  | InteractionSpawn
  | DoneActorEvent<FormOutput, ChildId>
  | ErrorActorEvent<unknown, ChildId>;

interface ChildEnd {
  readonly id: string;
  readonly result: FormOutput;
}

type InteractionMachine = Chart<InteractionContext, InteractionEvent, InteractionInput, FormOutput>;
type InteractionLogic = ChartLogic<
  InteractionContext,
  InteractionEvent,
  InteractionInput,
  FormOutput
>;

/** An interaction as an actor of its own kind. */
const interaction: InteractionLogic = lookedUp(() => interactionMachine);

const machine = setup({
  types: {} as {
    context: InteractionContext;
    input: InteractionInput;
    output: FormOutput;
    events: InteractionEvent;
  },
  actors: {form: formLogic, interaction},
  actions: {
    passOn: sendTo('form', ({event}) => event),
    passDown: enqueueActions(({context, event, enqueue}) => {
      for (const id of context.running) enqueue.sendTo(childActor(id), event);
    }),
    spawn: enqueueActions(({context, enqueue}, spawn: InteractionSpawn) => {
      const input = childInput(context, spawn);
      const {id: child, form, depth} = input;
      enqueue(report(() => ({type: 'interaction.spawned', child, form, depth})));
      enqueue.spawnChild('interaction', {id: childActor(child), input});
      enqueue.assign({running: [...context.running, child]});
    }),
    settle: enqueueActions(({context, enqueue}, {id, result}: ChildEnd) => {
      const {status, summary} = result;
      enqueue.assign({
        running: context.running.filter((each) => each !== id),
        below: {...context.below, [id]: result},
      });
      enqueue(report(() => ({type: 'interaction.settled', status, summary, child: id})));
    }),
    dismiss: stopChild((_, actorId: string) => actorId),
    takeResult: assign((_, result: FormOutput) => ({result})),
    takeSettings: assign(({context: {settings}}, change: SettingsChange) => ({
      settings: changeSettings(settings, change),
    })),
  },
  guards: {
    isOwn: ({context}, {parent}: InteractionSpawn) => parent === context.id,
    isTooDeep: ({context}, {parent}: InteractionSpawn) =>
      parent === context.id && context.depth >= maxDepth,
    isCompleted: ({context}) => context.result.status === 'completed',
    isCancelled: ({context}) => context.result.status === 'cancelled',
  },
}).createMachine({
  id: 'interaction',
  context: ({input}) => ({...input, running: [], below: {}, result: withoutResult}),
  initial: 'active',
  states: {
    active: {
      invoke: {
        src: 'form',
        id: 'form',
        input: ({context}) => formInput(context),
        onDone: {
          target: 'ending',
          actions: {type: 'takeResult', params: ({event}) => event.output},
        },
        onError: {
          target: 'ending',
          actions: {type: 'takeResult', params: ({event}) => crashed(event.error)},
        },
      },
      on: {
        'user.cancel': {actions: ['passDown', 'passOn']},
        'settings.changed': {
          actions: [
            {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
            'passDown',
            'passOn',
          ],
        },
        'interaction.spawn': [
          {
            guard: {type: 'isTooDeep', params: ({event}) => event},
            actions: {type: 'settle', params: ({event}) => refused(event)},
          },
          {
            guard: {type: 'isOwn', params: ({event}) => event},
            actions: {type: 'spawn', params: ({event}) => event},
          },
          {actions: 'passDown'},
        ],
        'xstate.done.actor.*': {
          actions: [
            {type: 'settle', params: ({context, event}) => endOf(context, event, event.output)},
            {type: 'dismiss', params: ({event}) => event.actorId},
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            {
              type: 'settle',
              params: ({context, event}) => endOf(context, event, crashed(event.error)),
            },
            {type: 'dismiss', params: ({event}) => event.actorId},
          ],
        },
      },
    },
    ending: {
      always: [
        {guard: 'isCompleted', target: 'completed'},
        {guard: 'isCancelled', target: 'cancelled'},
        {target: 'failed'},
      ],
    },
    completed: {type: 'final'},
    failed: {type: 'final'},
    cancelled: {type: 'final'},
  },
  output: ({context}) => context.result,
});

export const interactionMachine: InteractionMachine = asChart(machine);

function formInput(context: InteractionContext) {
  const {form, request, workspace, settings, attachments, plan, diff} = context;
  return {
    name: form,
    request,
    workspace,
    settings,
    ...(attachments ? {attachments} : {}),
    ...(plan ? {given: plan} : {}),
    ...(diff ? {diff} : {}),
  };
}

function childActor(id: string): ChildId {
  return `interaction:${encodeURIComponent(id)}`;
}

function childInput(
  {id: parent, depth, workspace, settings}: InteractionContext,
  {id, form, request, contextMode}: InteractionSpawn,
): InteractionInput {
  return {id, form, contextMode, parent, depth: depth + 1, request, workspace, settings};
}

function endOf(
  {running}: InteractionContext,
  {actorId}: {readonly actorId: string},
  result: FormOutput,
): ChildEnd {
  return {id: running.find((id) => childActor(id) === actorId) ?? actorId, result};
}

function refused({id}: InteractionSpawn): ChildEnd {
  const message = `an interaction at depth ${maxDepth} has none below it`;
  return {id, result: {status: 'error', summary: message, error: {code: 'too_deep', message}}};
}

function crashed(error: unknown): FormOutput {
  const failure = toFailure(error);
  return {status: 'error', summary: failure.message, error: failure};
}

/**
 * One dialogue: runs its form, and the interactions below it.
 *
 * active → awaitingChildren, while an interaction below it runs → completed / failed / cancelled
 */

import {
  type AnyActorRef,
  type AnyMachineSnapshot,
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  sendTo,
  setup,
  stopChild,
} from 'xstate';

import {toFailure} from '../domain/failure.ts';
import type {FormOutput} from '../domain/result.ts';
import {changeSettings, type SettingsChange} from '../domain/settings.ts';
import type {Fact} from '../facts/fact.ts';
import {dialogueAround, report, reportFact} from '../facts/record.ts';
import {formLogic, sharedBy} from '../forms/forms.ts';
import {asChart, type Chart, type ChartLogic, lookedUp} from '../machine-type.ts';
import type {Shared} from '../prompts/inherited.ts';
import {
  absence,
  type Addressed,
  addressOf,
  childInput,
  childToward,
  endedChild,
  formInput,
  type InteractionContext,
  type InteractionInput,
  refusalOf,
  settledFact,
  spawnedFact,
} from './children.ts';
import type {FormEvent, InteractionSpawn, SpawnError, UserSaid} from './form-event.ts';
import {parentSettled} from './interaction-tree.ts';
import {unreadIn} from './messages.ts';
import {completeResult} from './partial-result.ts';
import {interactionActor} from './path.ts';
import {counted, spawnsBy, type TriggerFired} from './rules.ts';

type ChildId = ReturnType<typeof interactionActor>;
type ChildOver = DoneActorEvent<FormOutput, ChildId> | ErrorActorEvent<unknown, ChildId>;
type InteractionEvent = FormEvent | Addressed | TriggerFired | ChildOver;
type InteractionMachine = Chart<InteractionContext, InteractionEvent, InteractionInput, FormOutput>;
type InteractionLogic = ChartLogic<
  InteractionContext,
  InteractionEvent,
  InteractionInput,
  FormOutput
>;

/** An interaction as an actor of its own kind. */
const interaction: InteractionLogic = lookedUp(() => interactionMachine);

interface Refusal {
  readonly spawn: InteractionSpawn;
  readonly error: SpawnError;
}

const chart = setup({
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
      for (const {id} of context.running) enqueue.sendTo(interactionActor(id), event);
    }),
    passToward: enqueueActions(({context, enqueue}, event: Addressed) => {
      const child = childToward(context, event);
      if (!child) return;
      const isTarget = event.type === 'interaction.cancel' && event.interaction === child.id;
      enqueue.sendTo(interactionActor(child.id), isTarget ? {type: 'user.cancel'} : event);
    }),
    spawn: enqueueActions(({context, self, enqueue}, spawn: InteractionSpawn) => {
      const input = childInput(context, spawn, sharedIn(context, self));
      const {id} = input;
      enqueue.assign({spawned: context.spawned + 1, running: [...context.running, input]});
      enqueue(report(() => spawnedFact(input, spawn)));
      enqueue.spawnChild('interaction', {id: interactionActor(id), input});
    }),
    reportRefusal: report(({context: {id}}, {spawn: {form, parent = id, ref}, error}: Refusal) => ({
      type: 'interaction.refused',
      parent,
      form,
      error,
      detail: ref === undefined ? {} : {ref},
    })),
    settle: enqueueActions(({context, enqueue}, over: ChildOver) => {
      const child = endedChild(context, over.actorId);
      if (!child) return;
      const result = 'output' in over ? over.output : crashed(over.error);
      enqueue.assign({running: context.running.filter(({id}) => id !== child.id)});
      enqueue(({self}) => reportLost(self, child.id));
      enqueue(report(() => settledFact(child, result)));
      enqueue(stopChild(over.actorId));
    }),
    reportWord: report((_, {text}: UserSaid) => ({type: 'user.said', text})),
    warnOfNobody: report(({context}, event: Addressed) => ({
      type: 'warning',
      message: absence(context, addressOf(event) ?? context.id).message,
    })),
    count: assign(({context: {triggers}}, trigger: TriggerFired) => ({
      triggers: counted(triggers, trigger),
    })),
    spawnByRules: enqueueActions(({context, enqueue}, trigger: TriggerFired) => {
      for (const spawn of spawnsBy(context, trigger)) enqueue.raise(spawn);
    }),
    takeResult: assign((_, result: FormOutput) => ({result})),
    warnOfUnread: report(({self}) => unreadWarning(self)),
    takeSettings: assign(({context: {settings}}, change: SettingsChange) => ({
      settings: changeSettings(settings, change),
    })),
  },
  guards: {
    isBelow: ({context}, event: Addressed) => childToward(context, event) !== undefined,
    isOwn: ({context}, event: Addressed) => (addressOf(event) ?? context.id) === context.id,
    isRefused: ({context}, spawn: InteractionSpawn) => refusalOf(context, spawn) !== undefined,
    isAlone: ({context}) => context.running.length === 0,
    isCompleted: ({context}) => context.result.status === 'completed',
    isCancelled: ({context}) => context.result.status === 'cancelled',
  },
});

const addressed = ({event}: {event: Addressed}): Addressed => event;

const forwarding = {
  guard: {type: 'isBelow', params: addressed},
  actions: {type: 'passToward', params: addressed},
} as const;

const undeliverable = {actions: {type: 'warnOfNobody', params: addressed}} as const;

const settling = {
  actions: {type: 'settle', params: ({event}: {event: ChildOver}) => event},
} as const;

const refusal =
  (errorOf: (context: InteractionContext, spawn: InteractionSpawn) => SpawnError | undefined) =>
  ({context, event}: {context: InteractionContext; event: InteractionSpawn}): Refusal => ({
    spawn: event,
    error: errorOf(context, event) ?? parentSettled(context.id),
  });

const orphanMessage = 'an interaction above it crashed';

const orphaned: FormOutput = {
  status: 'error',
  summary: orphanMessage,
  error: {code: 'orphaned', message: orphanMessage},
};

export const interactionMachine: InteractionMachine = asChart(
  chart.createMachine({
    id: 'interaction',
    context: ({input}) => ({
      ...input,
      spawned: 0,
      running: [],
      triggers: {},
      result: crashed('The form ended without a result.'),
    }),
    on: {
      'interaction.cancel': [forwarding, undeliverable],
      'xstate.done.actor.*': settling,
      'xstate.error.actor.*': settling,
    },
    initial: 'active',
    states: {
      active: {
        invoke: {
          src: 'form',
          id: 'form',
          input: ({context}) => formInput(context),
          onDone: {
            target: 'awaitingChildren',
            actions: [{type: 'takeResult', params: ({event}) => event.output}, 'warnOfUnread'],
          },
          onError: {
            target: 'awaitingChildren',
            actions: [
              {type: 'takeResult', params: ({event}) => crashed(event.error)},
              'warnOfUnread',
            ],
          },
        },
        on: {
          'user.cancel': {actions: ['passDown', 'passOn']},
          'form.changed': {actions: 'passOn'},
          'settings.changed': {
            actions: [
              {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
              'passDown',
              'passOn',
            ],
          },
          'trigger.fired': {
            actions: [
              {type: 'count', params: ({event}) => event},
              {type: 'spawnByRules', params: ({event}) => event},
            ],
          },
          'user.said': [
            {
              guard: {type: 'isOwn', params: addressed},
              actions: {type: 'reportWord', params: ({event}) => event},
            },
            forwarding,
            undeliverable,
          ],
          'interaction.spawn': [
            forwarding,
            {
              guard: {type: 'isRefused', params: ({event}) => event},
              actions: {type: 'reportRefusal', params: refusal(refusalOf)},
            },
            {actions: {type: 'spawn', params: ({event}) => event}},
          ],
        },
      },
      awaitingChildren: {
        always: {guard: 'isAlone', target: 'ended'},
        on: {
          'user.cancel': {actions: 'passDown'},
          'settings.changed': {actions: 'passDown'},
          'user.said': [forwarding, undeliverable],
          'interaction.spawn': [
            forwarding,
            {actions: {type: 'reportRefusal', params: refusal(whyNotNow)}},
          ],
        },
      },
      ended: {
        tags: 'choice',
        always: [
          {guard: 'isCompleted', target: 'completed'},
          {guard: 'isCancelled', target: 'cancelled'},
          {target: 'failed'},
        ],
      },
      completed: {type: 'final'},
      failed: {type: 'final', tags: 'failure'},
      cancelled: {type: 'final', tags: 'failure'},
    },
    output: ({context, self}) => completeResult(context.result, self),
  }),
);

function whyNotNow(
  context: InteractionContext,
  {parent = context.id}: InteractionSpawn,
): SpawnError {
  return absence(context, parent);
}

/** The current context that its form shares with its children. */
function sharedIn({form, inherited}: InteractionContext, self: AnyActorRef): Shared {
  const {children}: AnyMachineSnapshot = self.getSnapshot();
  const actor = children['form'];
  return actor ? sharedBy(form, actor, inherited) : {from: form, parts: []};
}

function unreadWarning(self: AnyActorRef): Fact | undefined {
  const unread = unreadIn(self);
  if (unread.length === 0) return undefined;
  return {
    type: 'warning',
    code: 'unread',
    message: `sent too late, not read: ${unread.join(' · ')}`,
  };
}

/** The result of a form or an interaction that crashed, which is a bug. */
export function crashed(error: unknown): FormOutput {
  const failure = toFailure(error);
  return {status: 'error', summary: failure.message, error: failure};
}

/** Reports the end of all active interactions below an ended one, the last spawned first. */
export function reportLost(self: AnyActorRef, above: string): void {
  const dialogue = dialogueAround(self);
  const settled = new Set(
    dialogue.flatMap((fact) => (fact.type === 'interaction.settled' ? (fact.child ?? []) : [])),
  );
  for (const fact of dialogue.toReversed()) {
    if (fact.type !== 'interaction.spawned' || settled.has(fact.child)) continue;
    if (!fact.child.startsWith(`${above}.`)) continue;
    reportFact(self, settledFact({id: fact.child, form: fact.form}, orphaned));
  }
}

/**
 * Bugs to plant in a simulated world, each as a patch of what the world runs. The simulation is worth something only if it
 * finds them.
 */

import {assign} from 'xstate';

import {ActorTree} from '../../actors/engine/actor-tree.ts';
import {Engine, Intents} from '../../actors/engine/engine.ts';
import type {Incoming} from '../../actors/engine/incoming.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {Ledger} from '../../actors/run/ledger.ts';
import {agentMachine} from '../../machines/forms/agent/agent.ts';
import {fieldMachine} from '../../machines/forms/interview/field/field.ts';
import type {CallReview} from '../../machines/loop/action.ts';
import type {CallState} from '../../machines/loop/call-state.ts';
import {reviewed} from '../../machines/loop/call-state.ts';
import {toolCallMachine} from '../../machines/loop/tool-call.ts';
import type {PollOutput, SeatAnswer, SeatAnswered} from '../../machines/panel/poll.ts';
import {withAnswers, withLastAnswers} from '../../machines/panel/quorum.ts';
import {quorumMachine} from '../../machines/panel/quorum.ts';
import type {QuorumContext} from '../../machines/panel/round.ts';
import {ports} from '../../machines/port-natures.ts';
import type {World} from './world.ts';

export interface Planted {
  /** The law that it breaks. */
  readonly laws: readonly number[];
  /** Returns a function that takes the bug out again. */
  readonly plant: (world: World) => () => void;
}

type Undo = () => void;

/** Replaces members of an object. */
function replaced(target: object, members: object): Undo {
  const before = Object.fromEntries(
    Object.keys(members).map((name) => [name, Reflect.get(target, name)]),
  );
  Object.assign(target, members);
  return () => void Object.assign(target, before);
}

type Method = (...args: readonly unknown[]) => unknown;

/** Replaces a method by one that may call it. */
function wrapped(
  target: object,
  name: string,
  wrap: (call: Method, args: readonly unknown[]) => unknown,
): Undo {
  const before: unknown = Reflect.get(target, name);
  if (typeof before !== 'function') throw new Error(`${name} is not a method`);
  return replaced(target, {
    [name](this: unknown, ...args: readonly unknown[]) {
      return wrap((...given): unknown => Reflect.apply(before, this, given), args);
    },
  });
}

interface Implemented {
  readonly implementations: {readonly guards: object; readonly actions: object};
}

/** As `machine.provide`, also for machines that contain it. */
function guarded({implementations}: Implemented, guards: Readonly<Record<string, unknown>>): Undo {
  return replaced(implementations.guards, guards);
}

function acting({implementations}: Implemented, actions: Readonly<Record<string, unknown>>): Undo {
  return replaced(implementations.actions, actions);
}

function forgotten(entry: Entry): Entry {
  return entry.type === 'requested' ? {...entry, isTakenBack: true} : entry;
}

const approval: SeatAnswer = {
  kind: 'answered',
  question: 'cast_ballot',
  value: {verdict: 'approve', reasons: ['it seems so'], confidence: 1},
  at: 0,
};

function approving(answer: SeatAnswer): SeatAnswer {
  return answer.kind === 'unanswered' ? approval : answer;
}

function counting(
  count: (context: QuorumContext, answered: SeatAnswered) => Partial<QuorumContext>,
) {
  return assign(({context}: {context: QuorumContext}, answered: SeatAnswered) =>
    count(context, answered),
  );
}

export const planted = {
  'an effect that must not be repeated runs again after a crash': {
    laws: [10],
    plant: () => replaced(ports.runTool, {doubt: undefined}),
  },
  'the beginning of an effect is forgotten when its process dies': {
    laws: [10],
    plant: ({journal: {log}}) => {
      const {salvage} = log;
      return replaced(log, {
        salvage: async (id: string) => {
          const {entries, ...rest} = await salvage(id);
          // As if each of them had not begun when its process stopped.
          return {...rest, entries: entries.map(forgotten)};
        },
      });
    },
  },
  'an effect begins before that is durable': {
    laws: [10],
    plant: () =>
      wrapped(Intents.prototype, 'give', (give) => {
        give();
        return [];
      }),
  },
  'a vote is counted twice': {
    laws: [3],
    plant: () =>
      acting(quorumMachine, {
        takeAnswer: counting((context, {seat, answer}) => {
          const other = context.input.seats.find(
            ({id}) => id !== seat && !Object.hasOwn(context.received, id),
          );
          return withAnswers(context, {[seat]: answer, ...(other ? {[other.id]: answer} : {})});
        }),
      }),
  },
  'a reviewer without a ballot approves': {
    laws: [3],
    plant: () =>
      acting(quorumMachine, {
        takeAnswer: counting((context, {seat, answer}) =>
          withAnswers(context, {[seat]: approving(answer)}),
        ),
      }),
  },
  'a late vote is counted': {
    laws: [3],
    plant: () =>
      acting(quorumMachine, {
        takeAll: assign(({context}: {context: QuorumContext}, answers: PollOutput) =>
          withLastAnswers(
            context,
            Object.fromEntries(
              Object.entries(answers).map(([seat, answer]) => [seat, approving(answer)]),
            ),
          ),
        ),
      }),
  },
  'the first approval decides': {
    laws: [3, 4],
    plant: () =>
      guarded(quorumMachine, {
        isDecided: ({context}: {context: QuorumContext}, verdict: string) =>
          context.verdict === verdict ||
          (verdict === 'approved' && Object.keys(context.received).length > 1),
      }),
  },
  'a call runs with other arguments than those that were approved': {
    laws: [1],
    plant: () =>
      acting(toolCallMachine, {
        takeReview: assign(({context}: {context: CallState}, review: CallReview) => {
          const {allowed, ...rest} = reviewed(context.input.call, review);
          const args = {...allowed?.args, what: 'everything'};
          return allowed ? {...rest, allowed: {...allowed, args}} : rest;
        }),
      }),
  },
  'a plan that was rejected is executed': {
    laws: [2],
    plant: () => guarded(agentMachine, {isApproved: () => true}),
  },
  'a run is completed with a failed task': {
    laws: [5],
    plant: () => guarded(agentMachine, {isSuccess: () => true}),
  },
  'work goes on after a cancel': {
    laws: [6],
    plant: () =>
      wrapped(ActorTree.prototype, 'deliver', (deliver, [incoming, at]) =>
        deliver(isCancel(incoming) ? ignored : incoming, at),
      ),
  },
  'a timer does not wake the charts': {
    laws: [5],
    plant: () => taking((incoming) => (incoming.kind === 'fired' ? [] : [incoming])),
  },
  'an outcome is delivered twice': {
    laws: [9],
    plant: () =>
      taking((incoming) => (incoming.kind === 'settled' ? [incoming, incoming] : [incoming])),
  },
  'a field passes without its review': {
    laws: [8],
    plant: () => guarded(fieldMachine, {isPassed: () => true}),
  },
  'calls of a dead process do not count': {
    laws: [12],
    plant: () => replaced(ports.callModel, {spends: false}),
  },
  'the limit of calls is not kept': {
    laws: [12],
    plant: () => replaced(Ledger.prototype, {reserve: () => ({ok: true})}),
  },
} as const satisfies Readonly<Record<string, Planted>>;

/** Changes what the engine takes. */
function taking(change: (incoming: Incoming) => readonly Incoming[]): Undo {
  return wrapped(Engine.prototype, 'take', (take, incoming) =>
    take(...incoming.flatMap((each) => (isIncoming(each) ? change(each) : []))),
  );
}

function isIncoming(value: unknown): value is Incoming {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

const ignored: Incoming = {kind: 'received', event: {type: 'user.ignored'}};

function isCancel(value: unknown): boolean {
  return isIncoming(value) && value.kind === 'received' && value.event['type'] === 'user.cancel';
}

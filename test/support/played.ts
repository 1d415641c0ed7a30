/**
 * A scenario being played around one machine: it can take every step that the charts leave open. Outcomes come in every
 * order, timers fire in every order, messages arrive at every moment.
 */

import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyStateMachine,
  assign,
  createActor,
  type InspectionEvent,
  setup,
} from 'xstate';
import {z} from 'zod';

import {stopOrphans} from '../../actors/engine/xstate-internals.ts';
import type {HilMode} from '../../machines/domain/settings.ts';
import type {Recorded, RecordedDialogue} from '../../machines/facts/fact.ts';
import {recordId, recordLogic} from '../../machines/facts/record.ts';
import {performFor, type PortName} from '../../machines/ports.ts';
import {createKeys, placeOf} from '../../machines/testing/world/keys.ts';
import {lockId, lockMachine} from '../../machines/tree/lock.ts';
import {modeId, modeLogic} from '../../machines/tree/mode.ts';
import {createHandPerformer, type Logged, type OpenRequest, pathOf} from './hand-performer.ts';
import {createTimers, type Timer} from './timers.ts';

/** One step of a scenario. */
export type Move =
  | {
      readonly type: 'settle';
      readonly path: string;
      readonly port: PortName;
      readonly outcome: object;
    }
  | {readonly type: 'fire'; readonly timer: string}
  | {readonly type: 'send'; readonly event: AnyEventObject};

export interface Scenario {
  readonly machine: AnyStateMachine;
  readonly input: unknown;
  /** Every outcome that there is here for a request. */
  readonly outcomes: (open: OpenRequest, log: readonly Logged[]) => readonly object[];
  /** Messages that may come from outside while the machine is at work. */
  readonly messages?: readonly AnyEventObject[];
  /** True when a message may come now, given the dialogues up to now; absent: at every moment. */
  readonly mayCome?: (
    message: AnyEventObject,
    dialogue: readonly RecordedDialogue[],
    log: readonly Logged[],
  ) => boolean;
  /** True when a timer may fire before something else happens; without it, every timer may. */
  readonly mayFire?: (timer: string) => boolean;
  /** The machine itself provides the lock, the mode and the record; otherwise the host does. */
  readonly isTree?: boolean;
  /** The mode at the beginning; absent: that of the machine's settings, or `interactive`. */
  readonly hilMode?: HilMode;
  /** The message that the machine waits for before it does anything. */
  readonly begin?: AnyEventObject;
  /** Explored to its last state in every search: what it shows comes of many of the same. */
  readonly isWhole?: boolean;
  /** Actions rejected in a row before the machine begins. */
  readonly rejections?: number;
}

export interface Played {
  /** Equal for two exactly when the same actors are in the same states, with the same timers set. */
  readonly key: () => string;
  /** Equal for two when the same actors are in the same states with the same timers set, for any contexts. */
  readonly place: () => string;
  readonly moves: () => readonly Move[];
  readonly apply: (move: Move) => void;
  readonly status: () => 'working' | 'done' | 'broken';
  /** Paths of requests and names of timers that are still open. */
  readonly open: () => readonly string[];
  readonly output: () => unknown;
  /** The machine's messages to its parent, in order. */
  readonly messages: () => readonly AnyEventObject[];
  /** The facts that the actors have recorded, in order. */
  readonly facts: () => readonly Recorded[];
  /** The actor of this `systemId`. */
  readonly find: (systemId: string) => AnyActorRef | undefined;
  readonly log: readonly Logged[];
  /** The reports of the charts, in order. */
  readonly reports: readonly unknown[];
}

/** The machine's possible messages to its parent. */
const reportedEvents = ['seat.*'];

interface HostContext {
  readonly input: unknown;
  readonly messages: readonly AnyEventObject[];
  readonly hilMode: HilMode;
  readonly output: unknown;
}

const emptyTypes: {input?: unknown; output?: unknown} = {};
const emptyMachine = setup({types: emptyTypes}).createMachine({id: 'empty'});

const hostTypes: {
  context?: HostContext;
  input?: {readonly subject: unknown; readonly hilMode: HilMode};
} = {};

const belongings = [
  {src: 'lock', id: 'lock', systemId: lockId, input: {workspace: '/w'}},
  {
    src: 'mode',
    id: 'mode',
    systemId: modeId,
    input: ({context}: {context: HostContext}) => context.hilMode,
  },
  {src: 'record', id: 'record', systemId: recordId},
] as const;

const anyInput = z.object({settings: z.object({agent: z.object({hilMode: z.string()})})});

/** The mode that a scenario begins with, wherever its input holds it. */
function modeIn(input: unknown): HilMode {
  const found = anyInput.safeParse(input).data;
  const mode = found?.settings.agent.hilMode;
  return mode === 'auto_reject' || mode === 'auto_approve' ? mode : 'interactive';
}

/** The parent of the machine under test: has what belongs to a tree, notices a crash. */
function createHost(own: typeof belongings | readonly []) {
  return setup({
    types: hostTypes,
    actors: {subject: emptyMachine, lock: lockMachine, mode: modeLogic, record: recordLogic},
    actions: {
      keepMessage: assign(({context, event}) => ({messages: [...context.messages, event]})),
      takeOutput: assign((_, output: unknown) => ({output})),
    },
  }).createMachine({
    id: 'host',
    context: ({input}) => ({
      input: input?.subject,
      hilMode: input?.hilMode ?? 'interactive',
      messages: [],
      output: undefined,
    }),
    invoke: [...own],
    initial: 'working',
    states: {
      working: {
        invoke: [
          {
            src: 'subject',
            id: 'subject',
            systemId: 'subject',
            input: ({context}: {context: HostContext}) => context.input,
            onDone: {
              target: 'done',
              actions: {
                type: 'takeOutput',
                params: ({event}: {event: {output: unknown}}) => event.output,
              },
            },
            onError: {
              target: 'broken',
              actions: {
                type: 'takeOutput',
                params: ({event}: {event: {error: unknown}}) => String(event.error),
              },
            },
          },
        ],
        on: Object.fromEntries(reportedEvents.map((name) => [name, {actions: 'keepMessage'}])),
      },
      done: {},
      broken: {},
    },
  });
}

const recordedSchema = z.object({
  context: z.object({
    pages: z.array(z.array(z.custom<Recorded>())),
    facts: z.array(z.custom<Recorded>()),
    dialogue: z.array(z.custom<RecordedDialogue>()),
  }),
});

/** Decisions distinguish no states: a person may have the same thing repeated for ever. */
const keyOf = createKeys({
  isFrozen: true,
  leftOut: new Set(['decisions']),
  essence: ({id}, snapshot) => {
    if (id !== recordId) return undefined;
    const {pages, facts, dialogue} = recordedSchema.parse(snapshot).context;
    return [
      ...[...pages.flat(), ...facts].filter(({type}) => type !== 'human.decided'),
      ...dialogue,
    ];
  },
});

const host = createHost(belongings);
const emptyHost = createHost([]);

/** Of these only scenarios that say what comes of them make a choice; in others the workspace is locked at once. */
export const lockPorts: readonly PortName[] = ['lockWorkspace', 'unlockWorkspace'];

/** `inspect` is called for every step of every actor. */
export function play(
  scenario: Scenario,
  inspect: (event: InspectionEvent) => void = () => {},
): Played {
  const hand = createHandPerformer();
  const timers = createTimers(() => {
    const {_scheduledEvents: scheduled} = actor.system.getSnapshot();
    return scheduled;
  });
  const parent = scenario.isTree === true ? emptyHost : host;
  const actor = createActor(parent.provide({actors: {subject: scenario.machine}}), {
    id: 'scenario',
    input: {subject: scenario.input, hilMode: scenario.hilMode ?? modeIn(scenario.input)},
    clock: timers.clock,
    inspect,
  });
  performFor(actor.system, hand.performer);
  stopOrphans(actor.system);
  actor.start();
  for (let count = 0; count < (scenario.rejections ?? 0); count += 1)
    actor.system.get(lockId)?.send({type: 'action.rejected'});
  if (scenario.begin) actor.system.get('subject')?.send(scenario.begin);
  const settleLocks = () => {
    for (;;) {
      const open = hand
        .open()
        .find(
          (each) => lockPorts.includes(each.port) && scenario.outcomes(each, hand.log).length === 0,
        );
      if (!open) return;
      hand.settleSilently(open.path, {locked: open.port === 'lockWorkspace'});
    }
  };
  settleLocks();
  const names = () => timers.set().map(timerName);
  const set = () => names().toSorted().join(' ');
  const status = () => actor.getSnapshot().value;
  /** A lock that is given to it outlives the machine. */
  const isOver = () => status() !== 'working';
  const moves = (): Move[] => [
    ...hand
      .open()
      .flatMap((open) =>
        scenario
          .outcomes(open, hand.log)
          .map((outcome): Move => ({type: 'settle', path: open.path, port: open.port, outcome})),
      ),
    ...names()
      .filter(scenario.mayFire ?? (() => true))
      .map((timer): Move => ({type: 'fire', timer})),
    ...(scenario.messages ?? [])
      .filter((event) => {
        const dialogue = dialogueOf(actor.system.get(recordId));
        return scenario.mayCome?.(event, dialogue, hand.log) ?? true;
      })
      .map((event): Move => ({type: 'send', event})),
  ];
  return {
    log: hand.log,
    get reports() {
      return hand.log.flatMap((each) => (each.type === 'reported' ? [each.report] : []));
    },
    status,
    output: () => actor.getSnapshot().context.output,
    messages: () => actor.getSnapshot().context.messages,
    facts: () => factsOf(actor.system.get(recordId)),
    find: (systemId) => actor.system.get(systemId),
    key: () => `${keyOf(actor)} ${set()}`,
    place: () => `${placeOf(actor)} ${set()}`,
    open: () => [
      ...hand.open().flatMap(({path}) => (isOver() && path.startsWith('lock/') ? [] : [path])),
      ...names(),
    ],
    moves: () => (status() === 'working' ? moves() : []),
    apply(move) {
      if (move.type === 'settle') hand.settle(move.path, move.outcome);
      else {
        hand.log.push(
          move.type === 'fire'
            ? {type: 'fired', timer: move.timer}
            : {type: 'sent', event: move.event},
        );
        if (move.type === 'fire') fire(move.timer);
        else send(move.event);
      }
      settleLocks();
    },
  };
  function fire(name: string): void {
    const timer = timers.set().find((each) => timerName(each) === name);
    if (!timer) throw new Error(`no timer ${name} is set`);
    timers.fire(timer);
  }
  /** A change of settings goes to the mode as well, as in a tree; a tree sees to it itself. */
  function send(event: AnyEventObject): void {
    actor.system.get('subject')?.send(event);
    if (event.type === 'settings.changed' && parent === host) actor.system.get(modeId)?.send(event);
  }
}

/** A timer is called by its actor's path and its event. */
function timerName({scheduled: {target, event}}: Timer): string {
  return `${pathOf(target)} ${event.type}`;
}

function dialogueOf(record: AnyActorRef | undefined): readonly RecordedDialogue[] {
  return record?.getSnapshot().context.dialogue ?? [];
}

function factsOf(record: AnyActorRef | undefined): readonly Recorded[] {
  return record?.getSnapshot().context.facts ?? [];
}

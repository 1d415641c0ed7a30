/** A machine that requests invented ports, with an engine around it: no model, no tool, no gate. */

import {type AnyActorLogic, assign, setup} from 'xstate';

import {
  type EffectContext,
  Engine,
  type EngineHost,
  RunningTime,
} from '../../actors/engine/engine.ts';
import {replay} from '../../actors/engine/replay.ts';
import type {Log} from '../../actors/journal/journal.ts';
import {anyObject, type JsonObject} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/facts/progress.ts';
import type {PortNature, PortTable} from '../../machines/port-natures.ts';
import {createPort} from '../../machines/ports.ts';

/** The person's answer to `ask`, and the outcome of `work`. */
export interface Word {
  readonly text: string;
}

const nature: PortNature<unknown> = {
  repeatability: () => 'repeatable',
  settledBy: 'performer',
  spends: false,
  isLogged: true,
  limitMs: () => 1_000_000,
  essence: (request) => JSON.stringify(request),
  outcome: anyObject,
};

export const tallyPorts = {
  ask: {...nature, settledBy: 'person', answeredBy: ({about}) => about},
  work: nature,
} as const satisfies PortTable;

const types: {context?: {count: number}; input?: JsonObject} = {};

/** Asks a person, works on the reply, `turns` times, and is done. */
export function tallyMachine(turns: number): AnyActorLogic {
  return setup({
    types,
    actors: {ask: createPort<Word, Word>('ask'), work: createPort<Word, Word>('work')},
    actions: {count: assign(({context}) => ({count: context.count + 1}))},
    guards: {isEnough: ({context}) => context.count >= turns},
  }).createMachine({
    id: 'tally',
    context: {count: 0},
    initial: 'asking',
    states: {
      asking: {
        invoke: {src: 'ask', id: 'ask', input: {text: 'what?'}, onDone: 'working', onError: 'lost'},
      },
      working: {
        invoke: {
          src: 'work',
          id: 'work',
          input: ({context}) => ({text: `turn ${context.count}`}),
          onDone: {target: 'counting', actions: 'count'},
          onError: 'lost',
        },
      },
      counting: {always: [{guard: 'isEnough', target: 'done'}, {target: 'working'}]},
      done: {type: 'final'},
      lost: {type: 'final'},
    },
    output: ({context}) => ({count: context.count}),
  });
}

export interface Tally {
  readonly engine: Engine;
  readonly asked: string[];
  readonly warnings: string[];
  readonly performed: () => number;
  readonly time: RunningTime;
  readonly ended: Promise<unknown>;
  readonly resume: () => Promise<void>;
}

export interface TallyOptions {
  readonly id: string;
  readonly log: Log;
  readonly turns?: number;
  /** Absent: the tally machine. */
  readonly logic?: AnyActorLogic;
  readonly ports?: PortTable;
  readonly perform?: (context: EffectContext) => Promise<unknown>;
}

/** Not open yet: see `openTally` and `resume`. */
export function createTally({
  id,
  log,
  turns = 1,
  logic = tallyMachine(turns),
  ports = tallyPorts,
  perform,
}: TallyOptions): Tally {
  const asked: string[] = [];
  const warnings: string[] = [];
  let performed = 0;
  const time = new RunningTime();
  const {promise: ended, resolve} = Promise.withResolvers<unknown>();
  const host: EngineHost = {
    now: () => Date.now(),
    admit: () => undefined,
    perform: async (_, context) => {
      performed += 1;
      return perform ? await perform(context) : {text: 'done'};
    },
    ask: ({key}): Report => {
      asked.push(key);
      return {type: 'thought', text: `asks ${key}`};
    },
    clean: (outcome) => outcome,
    observe: () => [],
    count: () => {},
    onBusy: (isBusy) => time.busy(isBusy),
    onRest: () => {},
    onReport: () => {},
    onWarning: (message) => warnings.push(message),
    onDone: ({status}) => ({result: {status}}),
    onStopped: (error) => resolve(error),
  };
  const engine = new Engine({id, logic, ports, log, time, isNoted: () => true, host});
  return {
    engine,
    asked,
    warnings,
    performed: () => performed,
    time,
    ended,
    resume: async () => {
      const entries = await log.read(id);
      await replay({tree: engine.tree, recall: (note) => engine.recall(note)}, entries);
      engine.goOn(entries.length, {kind: 'received', event: {type: 'run.resumed'}});
    },
  };
}

export function openTally(tally: Tally): void {
  tally.engine.goOn(0, {kind: 'opened', input: {}, version: 'test'});
}

/** Sends a person's reply to an open question. */
export function say(tally: Tally, key: string | undefined): void {
  tally.engine.take({kind: 'received', event: {type: 'user.said', about: key ?? '', text: 'go'}});
}

/** Charts without a fault, as users of XState write them; a faulty chart per rule; and random charts, with histories, delays and wildcards. */

import * as fc from 'fast-check';
import {
  type AnyStateMachine,
  assign,
  cancel,
  createMachine,
  emit,
  fromCallback,
  fromPromise,
  fromTransition,
  raise,
  sendParent,
  sendTo,
  setup,
  spawnChild,
  stopChild,
} from 'xstate';

const never = fromPromise(() => Promise.resolve({}));
const nothing = () => {};
const yes = () => true;

const trafficLight = createMachine({
  id: 'trafficLight',
  initial: 'green',
  on: {POWER_OUTAGE: '.flashing', 'PED.*': {actions: raise({type: 'WALK'})}},
  states: {
    green: {after: {1000: 'yellow'}},
    yellow: {after: {500: 'red'}},
    red: {
      initial: 'walk',
      onDone: 'green',
      states: {
        walk: {on: {WALK: 'wait'}, after: {800: 'wait'}},
        wait: {after: {200: 'stop'}},
        stop: {type: 'final'},
      },
    },
    flashing: {on: {POWER_RESTORED: 'green'}},
  },
});

const player = setup({actions: {play: nothing, pause: nothing, seek: nothing}}).createMachine({
  id: 'player',
  type: 'parallel',
  states: {
    playback: {
      initial: 'off',
      on: {'media.*': {actions: 'seek'}},
      states: {
        off: {on: {POWER: 'on.last'}},
        on: {
          initial: 'paused',
          on: {POWER: 'off', STOP: '#player.playback.on.paused'},
          states: {
            paused: {on: {PLAY: 'playing'}},
            playing: {entry: 'play', exit: 'pause', on: {PAUSE: 'paused', END: 'ended'}},
            ended: {on: {PLAY: 'playing'}},
            last: {type: 'history', history: 'deep'},
          },
        },
      },
    },
    volume: {
      initial: 'normal',
      states: {normal: {on: {MUTE: 'muted'}}, muted: {on: {MUTE: 'normal'}}},
    },
    analytics: {on: {'*': {actions: 'seek'}}},
  },
});

const payment = setup({actors: {charge: never}}).createMachine({
  initial: 'charging',
  states: {
    charging: {
      invoke: {
        src: 'charge',
        onDone: 'paid',
        onError: {target: 'declined', actions: sendParent({type: 'PAYMENT.DECLINED'})},
      },
    },
    paid: {type: 'final', output: {isPaid: true}},
    declined: {type: 'final', output: {isPaid: false}},
  },
  output: ({event}) => event.output,
});

const checkout = setup({
  actors: {payment, reserve: never},
  actions: {notify: nothing, keepAddress: nothing},
  guards: {isPaid: yes},
}).createMachine({
  id: 'checkout',
  initial: 'cart',
  states: {
    cart: {on: {CHECKOUT: 'preparing'}},
    preparing: {
      type: 'parallel',
      states: {
        address: {
          initial: 'editing',
          states: {
            editing: {on: {SAVE: 'saved'}},
            saved: {type: 'final', output: {street: 'Main'}},
          },
          onDone: {actions: 'keepAddress'},
        },
        stock: {
          initial: 'reserving',
          states: {
            reserving: {invoke: {src: 'reserve', onDone: 'reserved', onError: '#checkout.cart'}},
            reserved: {type: 'final'},
          },
        },
      },
      on: {BACK: 'cart'},
      onDone: 'paying',
    },
    paying: {
      invoke: {
        src: 'payment',
        id: 'payment',
        onDone: [{guard: 'isPaid', target: 'thanks'}, {target: 'cart'}],
        onError: 'cart',
      },
      on: {'PAYMENT.DECLINED': {actions: 'notify'}},
    },
    thanks: {type: 'final'},
  },
});

const todo = createMachine({
  initial: 'reading',
  on: {TOGGLE: {actions: sendParent({type: 'TODO.CHANGED'})}, DELETE: '.deleted'},
  states: {
    reading: {on: {EDIT: 'editing'}},
    editing: {
      on: {BLUR: 'reading', CANCEL: 'reading', 'KEY.*': {actions: assign({title: 'typed'})}},
    },
    deleted: {type: 'final'},
  },
});

const todos = setup({actors: {todo}, guards: {hasTitle: yes}}).createMachine({
  context: {todos: []},
  on: {
    ADD: {
      guard: 'hasTitle',
      actions: assign({todos: ({spawn}) => [spawn('todo', {id: 'todo-1'})]}),
    },
    'TODO.CHANGED': {actions: assign({todos: []})},
    REMOVE: {actions: stopChild('todo-1')},
    FOCUS: {actions: sendTo('todo-1', {type: 'EDIT'})},
    'xstate.done.actor.todo-1': {actions: stopChild('todo-1')},
  },
});

const socket = setup({
  actors: {
    connect: fromCallback(({sendBack, receive}) => {
      receive(() => sendBack({type: 'socket.message'}));
    }),
    log: fromTransition((state: number) => state + 1, 0),
  },
  actions: {queue: nothing, flush: nothing},
  delays: {heartbeat: 5000, reconnect: () => 1000},
}).createMachine({
  context: {attempts: 0},
  initial: 'connecting',
  entry: spawnChild('log', {id: 'log'}),
  on: {'xstate.error.actor.log': {actions: stopChild('log')}, DISCONNECT: '.closed'},
  states: {
    connecting: {
      invoke: {src: 'connect', id: 'socket'},
      initial: 'opening',
      states: {
        opening: {on: {'socket.open': 'open'}, after: {heartbeat: '#retrying'}},
        open: {
          entry: ['flush', raise({type: 'PING'}, {delay: 'heartbeat', id: 'ping'})],
          exit: cancel('ping'),
          on: {
            PING: {actions: sendTo('socket', {type: 'ping'})},
            'socket.message': {actions: emit({type: 'message'})},
          },
        },
      },
      on: {'socket.close': 'retrying', SEND: {actions: sendTo('socket', ({event}) => event)}},
    },
    retrying: {id: 'retrying', on: {SEND: {actions: 'queue'}}, after: {reconnect: 'connecting'}},
    closed: {type: 'final'},
  },
});

export const usualCharts: Readonly<Record<string, AnyStateMachine>> = {
  trafficLight,
  player,
  payment,
  checkout,
  todo,
  todos,
  socket,
};

/** A chart that has only the fault of one rule, and a twin without the fault. */
interface Twins {
  readonly bad: AnyStateMachine;
  readonly good: AnyStateMachine;
}

const chargeCard = fromPromise(() => Promise.resolve('paid'));

const shop = setup({actors: {chargeCard}, delays: {patience: 1000}});

const on = {NEXT: 'b'};
const ended = {type: 'final'} as const;

export const badCharts: Readonly<Record<string, Twins>> = {
  'unhandled-error': {
    bad: shop.createMachine({
      initial: 'paying',
      states: {paying: {invoke: {src: 'chargeCard', onDone: 'paid'}}, paid: ended},
    }),
    good: shop.createMachine({
      initial: 'paying',
      states: {
        paying: {invoke: {src: 'chargeCard', onDone: 'paid', onError: 'declined'}},
        paid: ended,
        declined: ended,
      },
    }),
  },
  'dead-end': {
    bad: createMachine({initial: 'loading', states: {loading: {on: {LOADED: 'shown'}}, shown: {}}}),
    good: createMachine({
      initial: 'loading',
      states: {loading: {on: {LOADED: 'shown'}}, shown: ended},
    }),
  },
  'lost-output': {
    bad: createMachine({initial: 'a', states: {a: {on}, b: {type: 'final', output: {paid: true}}}}),
    good: createMachine({
      initial: 'a',
      states: {a: {on}, b: {type: 'final', output: {paid: true}}},
      output: ({event}) => event.output,
    }),
  },
  'never-taken': {
    bad: createMachine({
      initial: 'a',
      states: {a: {invoke: {src: fromCallback(() => {}), onDone: 'b'}}, b: ended},
    }),
    good: createMachine({
      initial: 'a',
      states: {a: {invoke: {src: fromCallback(() => {}), onError: 'b'}}, b: ended},
    }),
  },
  'unknown-delay': {
    bad: createMachine({initial: 'a', states: {a: {after: {patiense: 'b'}}, b: ended}}).provide({
      delays: {patience: 1000},
    }),
    good: shop.createMachine({initial: 'a', states: {a: {after: {patience: 'b'}}, b: ended}}),
  },
};

export const events = ['go', 'back', 'user.save', 'user.cancel'];
/** Some of these events never occur. */
const descriptors = [
  ...events,
  '*',
  'user.*',
  'xstate.done.state.m.a',
  'done.invoke.a',
  'xstate.init',
];

export interface Flags {
  isOpen: boolean;
  isFull: boolean;
}

interface Shape {
  readonly key: string;
  readonly id: string;
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly children: readonly Shape[];
}

interface TransitionConfig {
  readonly target?: string;
  readonly guard?: string;
  readonly actions?: ReturnType<typeof raise>;
  readonly reenter?: boolean;
}

/** At most three levels. The flags are the results of the guards. */
export function randomChart(g: fc.GeneratorValue, flags: Readonly<Flags>): AnyStateMachine {
  const shape = randomShape(g, 'm', 'm', g(fc.constantFrom, 'compound', 'compound', 'parallel'));
  const shapes = allIn(shape);
  const parts = {
    ids: shapes.slice(1).map(({id}) => id),
    delays: shapes.some(({type}) => type === 'history') ? [] : [10, 20],
  };
  return createMachine(
    {...configOf(g, shape, parts), options: {maxIterations: 50}},
    {guards: {isOpen: () => flags.isOpen, isFull: () => flags.isFull}},
  );
}

function randomShape(g: fc.GeneratorValue, key: string, id: string, type: Shape['type']): Shape {
  const isNested = type === 'compound' || type === 'parallel';
  const keys = isNested ? ['a', 'b', 'c', 'd'].slice(0, g(fc.integer, {min: 2, max: 4})) : [];
  const children = keys.map((child, index) =>
    randomShape(g, child, `${id}.${child}`, typeOf(g, id, type, index)),
  );
  return {key, id, type, children};
}

/** The first child is the initial state. */
function typeOf(
  g: fc.GeneratorValue,
  id: string,
  parent: Shape['type'],
  index: number,
): Shape['type'] {
  const nested = id.split('.').length < 3 ? (['compound', 'parallel'] as const) : [];
  if (parent === 'parallel') return g(fc.constantFrom, 'atomic', ...nested, ...nested);
  if (index === 0) return g(fc.constantFrom, 'atomic', 'atomic', ...nested);
  return g(fc.constantFrom, 'atomic', 'atomic', 'atomic', 'final', 'history', ...nested);
}

function allIn(shape: Shape): Shape[] {
  return [shape, ...shape.children.flatMap(allIn)];
}

interface Parts {
  /** Targets. */
  readonly ids: readonly string[];
  /**
   * Empty next to a history: when a history leads back to the active state, XState enters the state a second time without
   * leaving it, and the delays of the first entry continue.
   */
  readonly delays: readonly number[];
}

function configOf(g: fc.GeneratorValue, {id, type, children}: Shape, parts: Parts): object {
  const {ids, delays} = parts;
  const states = Object.fromEntries(
    children.map((child) => [child.key, configOf(g, child, parts)]),
  );
  if (type === 'history') return {type, id, history: g(fc.constantFrom, 'shallow', 'deep')};
  if (type === 'final') return {type, id};
  const lists = (keys: readonly (number | string)[]) =>
    Object.fromEntries(keys.map((key) => [key, transitions(g, ids)]));
  const isQuiet = g(fc.nat, {max: 2}) > (id === 'm' ? 0 : 1);
  const some = (options: readonly (number | string)[]) => {
    const maxLength = isQuiet ? 0 : Math.min(2, options.length);
    return lists(g(fc.subarray<number | string>, [...options], {maxLength}));
  };
  return {
    id,
    ...(type === 'atomic' ? {} : {type, states}),
    ...(type === 'compound' ? {initial: 'a'} : {}),
    on: some(descriptors),
    after: some(delays),
    ...(g(fc.nat, {max: 5}) === 0 ? {always: transitions(g, ids)} : {}),
    ...(type !== 'atomic' && g(fc.boolean) ? {onDone: transitions(g, ids)} : {}),
  };
}

function transitions(g: fc.GeneratorValue, ids: readonly string[]): TransitionConfig[] {
  return Array.from({length: g(fc.constantFrom, 1, 1, 2, 3)}, () => ({
    ...(g(fc.nat, {max: 5}) === 0 ? {} : {target: `#${g(fc.constantFrom, ...ids)}`}),
    ...(g(fc.boolean) ? {guard: g(fc.constantFrom, 'isOpen', 'isFull')} : {}),
    ...(g(fc.nat, {max: 4}) === 0 ? {actions: raise({type: g(fc.constantFrom, ...events)})} : {}),
    ...(g(fc.nat, {max: 4}) === 0 ? {reenter: true} : {}),
  }));
}

/** Charts as users of XState write them, without a fault: every finding in them is a false alarm. */

import {
  type AnyStateMachine,
  and,
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  fromCallback,
  fromPromise,
  fromTransition,
  not,
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

const fetchWithRetry = setup({
  actors: {load: never},
  actions: {increment: assign({attempts: 1}), reset: assign({attempts: 0})},
  guards: {canRetry: yes},
  delays: {backoff: () => 100},
}).createMachine({
  context: {attempts: 0},
  initial: 'idle',
  states: {
    idle: {on: {FETCH: 'loading'}},
    loading: {
      invoke: {
        src: 'load',
        onDone: 'success',
        onError: [
          {guard: 'canRetry', target: 'waiting', actions: 'increment'},
          {target: 'failure'},
        ],
      },
      on: {CANCEL: 'idle'},
    },
    waiting: {after: {backoff: 'loading'}},
    success: {type: 'final'},
    failure: {on: {RETRY: {target: 'loading', actions: 'reset'}}},
  },
});

const auth = setup({
  actors: {checkSession: never, signIn: never, signOut: never},
  actions: {storeUser: nothing, clearUser: nothing},
  guards: {isSignedIn: yes},
}).createMachine({
  initial: 'checking',
  states: {
    checking: {
      invoke: {
        src: 'checkSession',
        onDone: [
          {guard: 'isSignedIn', target: 'signedIn', actions: 'storeUser'},
          {target: 'signedOut'},
        ],
        onError: 'signedOut',
      },
    },
    signedOut: {
      initial: 'form',
      states: {form: {}, rejected: {tags: 'error'}},
      on: {SIGN_IN: 'signingIn'},
    },
    signingIn: {
      invoke: {src: 'signIn', onDone: 'signedIn', onError: 'signedOut.rejected'},
      after: {10_000: 'signedOut'},
    },
    signedIn: {on: {SIGN_OUT: 'signingOut'}},
    signingOut: {
      exit: 'clearUser',
      invoke: {src: 'signOut', onDone: 'signedOut', onError: {target: 'signedOut'}},
    },
  },
});

const wizard = setup({
  guards: {isValid: yes, isDigital: yes},
  actors: {submit: never},
}).createMachine({
  initial: 'personal',
  context: {name: '', error: null},
  on: {CHANGE: {actions: assign({name: 'changed'})}, EXIT: '.left'},
  states: {
    personal: {on: {NEXT: {guard: 'isValid', target: 'shipping'}}},
    shipping: {
      always: {guard: 'isDigital', target: 'payment'},
      on: {NEXT: {guard: 'isValid', target: 'payment'}, BACK: 'personal'},
    },
    payment: {
      on: {
        NEXT: {guard: and(['isValid', not('isDigital')]), target: 'submitting'},
        BACK: [{guard: 'isDigital', target: 'personal'}, {target: 'shipping'}],
      },
    },
    submitting: {
      invoke: {
        src: 'submit',
        onDone: 'sent',
        onError: {target: 'payment', actions: assign({name: ''})},
      },
    },
    sent: {type: 'final'},
    left: {type: 'final'},
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

const dragAndDrop = setup({
  actors: {pointer: fromCallback(({sendBack}) => sendBack({type: 'pointer.up'}))},
  actions: {move: nothing, grab: nothing, drop: nothing, reset: nothing},
}).createMachine({
  initial: 'idle',
  states: {
    idle: {on: {'pointer.down': {target: 'dragging', actions: 'grab'}}},
    dragging: {
      invoke: {src: 'pointer'},
      on: {
        'pointer.move': {actions: 'move'},
        'pointer.up': {target: 'idle', actions: 'drop'},
        'key.escape': {target: 'idle', actions: 'reset'},
      },
    },
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

const timer = setup({
  actors: {ticks: fromCallback(({sendBack}) => sendBack({type: 'TICK'}))},
  guards: {isOver: yes, isRunning: yes},
  actions: {
    reset: assign({elapsed: 0}),
    tick: enqueueActions(({enqueue, check}) => {
      if (check('isRunning')) enqueue.assign({elapsed: 1});
    }),
  },
}).createMachine({
  context: {elapsed: 0},
  initial: 'stopped',
  on: {RESET: {target: '.stopped', actions: 'reset'}},
  states: {
    stopped: {on: {START: 'running'}},
    running: {
      invoke: {src: 'ticks', id: 'ticks'},
      always: {guard: 'isOver', target: 'over'},
      on: {TICK: {actions: 'tick'}, STOP: 'stopped'},
    },
    over: {},
  },
});

export const usualCharts: Readonly<Record<string, AnyStateMachine>> = {
  trafficLight,
  fetchWithRetry,
  auth,
  wizard,
  player,
  dragAndDrop,
  payment,
  checkout,
  todo,
  todos,
  socket,
  timer,
};

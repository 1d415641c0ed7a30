/** For each rule, a chart that has only the fault of this rule, and a twin without the fault. */

import {type AnyStateMachine, assign, createMachine, fromPromise, raise, setup} from 'xstate';

interface Twins {
  readonly bad: AnyStateMachine;
  readonly good: AnyStateMachine;
}

const chargeCard = fromPromise(() => Promise.resolve('paid'));

const shop = setup({
  actors: {chargeCard},
  actions: {showReceipt: () => {}, report: () => {}},
  guards: {isLarge: () => true, isSmall: () => true},
  delays: {patience: 1000},
});

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
  'unreachable-state': {
    bad: createMachine({initial: 'a', states: {a: {on}, b: {on: {BACK: 'a'}}, c: {on}}}),
    good: createMachine({
      initial: 'a',
      states: {a: {on}, b: {on: {BACK: 'a', SKIP: 'c'}}, c: {on}},
    }),
  },
  'dead-end': {
    bad: createMachine({initial: 'loading', states: {loading: {on: {LOADED: 'shown'}}, shown: {}}}),
    good: createMachine({
      initial: 'loading',
      states: {loading: {on: {LOADED: 'shown'}}, shown: ended},
    }),
  },
  'choice-without-default': {
    bad: shop.createMachine({
      initial: 'sizing',
      states: {
        sizing: {
          always: [
            {guard: 'isSmall', target: 'small'},
            {guard: 'isLarge', target: 'large'},
          ],
        },
        small: ended,
        large: ended,
      },
    }),
    good: shop.createMachine({
      initial: 'sizing',
      states: {
        sizing: {always: [{guard: 'isSmall', target: 'small'}, {target: 'large'}]},
        small: ended,
        large: ended,
      },
    }),
  },
  'never-taken': {
    bad: shop.createMachine({
      initial: 'a',
      states: {
        a: {on: {NEXT: [{target: 'b'}, {guard: 'isLarge', target: 'c'}]}},
        b: ended,
        c: ended,
      },
    }),
    good: shop.createMachine({
      initial: 'a',
      states: {
        a: {on: {NEXT: [{guard: 'isLarge', target: 'c'}, {target: 'b'}]}},
        b: ended,
        c: ended,
      },
    }),
  },
  'event-never-sent': {
    bad: shop.createMachine({
      initial: 'paying',
      states: {
        paying: {
          invoke: {src: 'chargeCard', id: 'charge', onError: 'declined'},
          on: {'xstate.done.actor.chargeCard': 'paid'},
        },
        paid: ended,
        declined: ended,
      },
    }),
    good: shop.createMachine({
      initial: 'paying',
      states: {
        paying: {
          invoke: {src: 'chargeCard', id: 'charge', onError: 'declined'},
          on: {'xstate.done.actor.charge': 'paid'},
        },
        paid: ended,
        declined: ended,
      },
    }),
  },
  'event-never-handled': {
    bad: createMachine({initial: 'a', states: {a: {entry: raise({type: 'NXT'}), on}, b: ended}}),
    good: createMachine({initial: 'a', states: {a: {entry: raise({type: 'NEXT'}), on}, b: ended}}),
  },
  'hidden-by-wildcard': {
    bad: shop.createMachine({
      initial: 'editing',
      on: {CANCEL: '.cancelled'},
      states: {
        editing: {initial: 'text', states: {text: {on: {'*': {actions: 'report'}}}}},
        cancelled: ended,
      },
    }),
    good: shop.createMachine({
      initial: 'editing',
      on: {CANCEL: '.cancelled'},
      states: {
        editing: {initial: 'text', states: {text: {on: {'edit.*': {actions: 'report'}}}}},
        cancelled: ended,
      },
    }),
  },
  'lost-output': {
    bad: createMachine({
      initial: 'a',
      states: {a: {on}, b: {type: 'final', output: {paid: true}}},
    }),
    good: createMachine({
      initial: 'a',
      states: {a: {on}, b: {type: 'final', output: {paid: true}}},
      output: ({event}) => event.output,
    }),
  },
  'unknown-actor': {
    bad: createMachine(
      {
        initial: 'paying',
        states: {
          paying: {invoke: {src: 'chargeCrad', onDone: 'paid', onError: 'paid'}},
          paid: ended,
        },
      },
      {actors: {chargeCard}},
    ),
    good: createMachine(
      {
        initial: 'paying',
        states: {
          paying: {invoke: {src: 'chargeCard', onDone: 'paid', onError: 'paid'}},
          paid: ended,
        },
      },
      {actors: {chargeCard}},
    ),
  },
  'unknown-delay': {
    bad: createMachine({initial: 'a', states: {a: {after: {patiense: 'b'}}, b: ended}}).provide({
      delays: {patience: 1000},
    }),
    good: shop.createMachine({initial: 'a', states: {a: {after: {patience: 'b'}}, b: ended}}),
  },
  'unknown-guard': {
    bad: createMachine(
      {initial: 'a', states: {a: {on: {NEXT: {guard: 'isLrge', target: 'b'}}}, b: ended}},
      {guards: {isLarge: () => true}},
    ),
    good: shop.createMachine({
      initial: 'a',
      states: {a: {on: {NEXT: {guard: 'isLarge', target: 'b'}}}, b: ended},
    }),
  },
  'unknown-action': {
    bad: createMachine(
      {initial: 'a', states: {a: {on, entry: 'reprot'}, b: ended}},
      {actions: {report: () => {}}},
    ),
    good: shop.createMachine({initial: 'a', states: {a: {on, entry: 'report'}, b: ended}}),
  },
  'unnamed-guard': {
    bad: createMachine({
      context: {count: 0},
      initial: 'a',
      states: {a: {on: {NEXT: {guard: ({context}) => context.count > 2, target: 'b'}}}, b: ended},
    }),
    good: shop.createMachine({
      initial: 'a',
      states: {a: {on: {NEXT: {guard: 'isLarge', target: 'b'}}}, b: ended},
    }),
  },
  'unnamed-action': {
    bad: createMachine({initial: 'a', states: {a: {on, exit: () => {}}, b: ended}}),
    good: shop.createMachine({initial: 'a', states: {a: {on, exit: 'report'}, b: ended}}),
  },
  'unnamed-assign': {
    bad: shop.createMachine({
      context: {count: 0},
      initial: 'a',
      states: {a: {on, entry: 'report', exit: assign({count: 1})}, b: ended},
    }),
    good: createMachine({
      context: {count: 0},
      initial: 'a',
      states: {a: {on, exit: assign({count: 1})}, b: ended},
    }),
  },
};

/** For each rule, a chart that has only the fault of this rule, and a twin without the fault. */

import {type AnyStateMachine, createMachine, fromPromise, setup} from 'xstate';

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
  'unknown-delay': {
    bad: createMachine({initial: 'a', states: {a: {after: {patiense: 'b'}}, b: ended}}).provide({
      delays: {patience: 1000},
    }),
    good: shop.createMachine({initial: 'a', states: {a: {after: {patience: 'b'}}, b: ended}}),
  },
};

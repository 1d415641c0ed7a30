/** Actors, names and inline functions. */

import {describe, expect, test} from 'vitest';
import {
  and,
  type AnyStateMachine,
  assign,
  createMachine,
  enqueueActions,
  fromCallback,
  fromPromise,
  log,
  not,
  raise,
  sendTo,
  setup,
  spawnChild,
  stateIn,
} from 'xstate';

import {lintChart} from '../../../../machines/testing/lint/lint-chart.ts';

const load = fromPromise(() => Promise.resolve(1));
const listen = fromCallback(({sendBack}) => sendBack({type: 'MESSAGE'}));
const child = createMachine({initial: 'a', states: {a: {on: {GO: 'b'}}, b: {type: 'final'}}});
const ended = {type: 'final'} as const;
const report = {actions: 'report'} as const;
const cases = setup({
  actors: {load, listen, child},
  actions: {report: () => {}},
  guards: {isA: () => true},
});

/** `severity state rule` of each finding. */
function found(machine: AnyStateMachine): string[] {
  return lintChart(machine).map(({severity, state, rule}) => `${severity} ${state} ${rule}`);
}

function messages(machine: AnyStateMachine): string[] {
  return lintChart(machine).map(({message}) => message);
}

describe('the error of an actor is handled', () => {
  const loading = {invoke: {src: 'load', id: 'load', onDone: '#end'}} as const;
  const end = {type: 'final', id: 'end'} as const;

  test.each([
    ['by a parent', {initial: 'a', states: {a: loading}, on: {'xstate.error.actor.load': '#end'}}],
    [
      'by a wildcard for errors',
      {initial: 'a', states: {a: loading}, on: {'xstate.error.*': '#end'}},
    ],
    [
      'by each of its children',
      {
        ...loading,
        initial: 'x',
        states: {
          x: {on: {GO: 'y', 'xstate.error.actor.load': '#end'}},
          y: {on: {'xstate.error.actor.*': '#end'}},
        },
      },
    ],
    [
      'by the region beside it',
      {type: 'parallel', states: {left: loading, right: {on: {'xstate.error.actor.load': '#end'}}}},
    ],
    ['if it is a callback', {invoke: {src: 'listen'}, on: {MESSAGE: '#end'}}],
  ] as const)('%s', (_, state) => {
    const machine = cases.createMachine({initial: 'first', states: {first: state, end}});
    expect(found(machine)).toEqual([]);
  });

  test.each([
    [
      'when only some of its children do',
      'error',
      {
        ...loading,
        initial: 'x',
        states: {x: {on: {GO: 'y', 'xstate.error.actor.load': '#end'}}, y: {on: {GO: 'x'}}},
      },
    ],
    ['when onError is empty', 'error', {invoke: {src: 'load', onDone: '#end', onError: []}}],
    ['of a machine, with a warning', 'warning', {invoke: {src: 'child', onDone: '#end'}}],
  ] as const)('not %s', (_, severity, state) => {
    const machine = cases.createMachine({id: 'm', initial: 'first', states: {first: state, end}});
    expect(found(machine)).toEqual([`${severity} m.first unhandled-error`]);
  });

  test('not when it is spawned', () => {
    const machine = cases.createMachine({id: 'm', entry: spawnChild('load', {id: 'one'})});
    expect(found(machine)).toEqual(['error m unhandled-error']);
  });

  test('or each handler has a guard, and the error may pass', () => {
    const machine = cases.createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: {invoke: {src: 'load', onDone: 'b', onError: {guard: 'isA', target: 'b'}}},
        b: ended,
      },
    });
    expect(found(machine)).toEqual(['warning m.a choice-without-default']);
  });
});

describe('a name without an implementation', () => {
  const sketch = {
    id: 'm',
    initial: 'a',
    states: {
      a: {
        entry: 'track',
        invoke: {src: 'loadUser', onDone: {guard: 'isKnown', target: 'b'}, onError: 'b'},
        after: {patience: 'b'},
      },
      b: ended,
    },
  } as const;

  test('is a warning in a sketch, where XState would continue without a message', () => {
    expect(found(createMachine(sketch))).toEqual([
      'warning m.a unknown-actor',
      'warning m.a unknown-delay',
    ]);
  });

  test('is a warning when the machine implements no other of its kind, and an error otherwise', () => {
    expect(found(createMachine(sketch).provide({actors: {loadUser: load}}))).toEqual([
      'warning m.a unknown-delay',
      'warning m.a unknown-guard',
      'warning m.a unknown-action',
    ]);
    const typos = {
      actors: {loadUsr: load},
      delays: {patients: 1},
      guards: {isKnow: () => true},
      actions: {trak: () => {}},
    };
    expect(messages(createMachine(sketch, typos))).toEqual([
      'the actor loadUser has no implementation: nothing starts, and the state waits for ever; did you mean "loadUsr"?',
      'the delay patience has no implementation: the event comes at once; did you mean "patients"?',
      'the guard isKnown has no implementation: the machine stops with an error when it checks it; did you mean "isKnow"?',
      'the action track has no implementation: XState skips it; did you mean "trak"?',
    ]);
  });

  test('is found in combined guards, in delayed events and in spawnChild', () => {
    const delayed = setup({delays: {soon: 10}}).raise({type: 'GO'}, {delay: 'soon'});
    const machine = createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: {
          entry: [delayed, spawnChild('worker', {id: 'w'})],
          on: {GO: {guard: 'canGo', target: 'b'}, 'xstate.error.actor.w': 'b'},
        },
        b: ended,
      },
    }).provide({
      actors: {load},
      delays: {later: 10},
      guards: {canGo: and(['isA', not('isB')]), isA: () => true},
    });
    expect(found(machine)).toEqual([
      'error m.a unknown-actor',
      'error m.a unknown-delay',
      'error m.a unknown-guard',
    ]);
  });

  test('is an id that sendTo names and no actor has', () => {
    const machine = cases.createMachine({
      id: 'm',
      invoke: {src: 'load', id: 'load', onError: report},
      on: {GO: {actions: [sendTo('load', {type: 'X'}), sendTo('loda', {type: 'X'})]}},
    });
    expect(messages(machine)).toEqual([
      'sendTo names the actor loda, but no actor has this id: sendTo throws',
    ]);
  });
});

function invoking(src: unknown, actors: object = {}): AnyStateMachine {
  const states = {a: {invoke: {src, onDone: 'b', onError: 'b'}}, b: ended};
  return createMachine(Object.assign({id: 'm', initial: 'a', states}), Object.assign({actors}));
}

describe('the logic of an actor', () => {
  test.each([
    ['a function', () => Promise.resolve(1), 'a function'],
    ['undefined', undefined, 'undefined'],
  ])('is missing when it is %s', (_, src, text) => {
    expect(messages(invoking(src))).toEqual([
      `the logic of the inline actor is ${text}: XState cannot start it`,
    ]);
    expect(found(invoking(src))).toEqual(['error m.a unknown-actor']);
  });

  test('may be a placeholder under a name, until provide replaces it', () => {
    expect(found(invoking('load', {load: {}}))).toEqual(['warning m.a unknown-actor']);
    expect(found(invoking('load', {load}))).toEqual([]);
    expect(found(invoking(load))).toEqual([]);
  });
});

const isReady = () => true;
const logNews = () => {};

describe('a guard or an action without a name', () => {
  test('is found within other guards, but not one that is a function with a name, or stateIn', () => {
    const machine = cases.createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: {
          on: {
            A: {guard: and(['isA', not(() => true)]), target: 'b'},
            B: {guard: isReady, target: 'b'},
            C: {guard: stateIn('a'), target: 'b'},
          },
        },
        b: ended,
      },
    });
    expect(lintChart(machine).map(({rule, transition}) => [rule, transition])).toEqual([
      ['unnamed-guard', 'm.a A [isA and not …] → b'],
    ]);
  });

  test('is counted once for a state, except functions that XState adds or that explain themselves', () => {
    const machine = cases.createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: {
          entry: [() => {}, raise({type: 'GO'}), log('news'), logNews],
          after: {10: {target: 'b', actions: enqueueActions(() => {})}},
          on: {GO: {actions: sendTo(({self}) => self, {type: 'GO'})}},
        },
        b: ended,
      },
    });
    expect(lintChart(machine).map(({rule, message}) => [rule, message])).toEqual([
      ['unnamed-action', '2 actions are inline functions without a name'],
    ]);
  });

  test('an inline assign is accepted in a chart that names no action', () => {
    const on = {INC: {actions: assign({count: 1})}};
    expect(lintChart(createMachine({context: {count: 0}, on}))).toEqual([]);
    const named = cases.createMachine({
      context: {count: 0},
      entry: 'report',
      on: {INC: {actions: assign({count: 1})}},
    });
    expect(lintChart(named).map(({rule, message}) => [rule, message])).toEqual([
      [
        'unnamed-assign',
        'other actions have names, but assign is written inline in the root state',
      ],
    ]);
  });
});

/** Faults that the rules find, and charts that only seem to have them. */

import {describe, expect, test} from 'vitest';
import {
  type AnyStateMachine,
  createMachine,
  fromCallback,
  fromPromise,
  setup,
  spawnChild,
} from 'xstate';

import {lintChart} from '../../../../machines/testing/lint.ts';

const ended = {type: 'final'} as const;
const load = fromPromise(() => Promise.resolve(1));
const listen = fromCallback(({sendBack}) => sendBack({type: 'MESSAGE'}));
const child = createMachine({initial: 'a', states: {a: {on: {GO: 'b'}}, b: {type: 'final'}}});
const cases = setup({
  actors: {load, listen, child},
  actions: {report: () => {}, keep: () => {}},
});

/** `severity state rule` of each finding. */
function found(machine: AnyStateMachine): string[] {
  return lintChart(machine).map(({severity, state, rule}) => `${severity} ${state} ${rule}`);
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
});

describe('an output is lost', () => {
  const paying = (parts: object, event: object) =>
    cases.createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: {
          initial: 'x',
          states: {x: {on: {PAY: 'y', ...event}}, y: {type: 'final', output: 1}},
          ...parts,
        },
        b: ended,
      },
    });

  test.each([
    [
      'when some ends of the machine have one, and others have none',
      cases.createMachine({
        id: 'm',
        initial: 'a',
        states: {a: {on: {B: 'b', C: 'c'}}, b: {type: 'final', output: 1}, c: ended},
        output: ({event}) => event.output,
      }),
      'the machine ends in b with an output, in c without one',
    ],
    [
      'when its state has no onDone',
      paying({on: {STOP: 'b'}}, {}),
      'the output of y is lost: a has no onDone',
    ],
    [
      'when a transition goes around it',
      paying({onDone: {target: 'b', actions: 'keep'}}, {SKIP: '#m.b'}),
      'it leads to where onDone of a brings an output, and brings none',
    ],
  ])('%s', (_, machine, finding) => {
    expect(lintChart(machine).map(({message}) => message)).toEqual([finding]);
  });

  test.each([
    ['leads elsewhere', paying({onDone: {target: 'b', actions: 'keep'}}, {STAY: '#m.a'})],
    [
      'does something else',
      paying({onDone: {target: 'b', actions: 'keep'}}, {SKIP: {target: '#m.b', actions: 'report'}}),
    ],
    ['leads where the output is not kept either', paying({onDone: 'b'}, {SKIP: '#m.b'})],
  ])('not when a transition %s', (_, machine) => {
    expect(found(machine)).toEqual([]);
  });
});

describe('a state is not a dead end', () => {
  test.each([
    ['in a machine of one state', createMachine({on: {PING: {actions: 'pong'}}})],
    ['in a machine without transitions', createMachine({initial: 'a', states: {a: {}, b: {}}})],
    [
      'when it continues to work without leaving',
      createMachine({
        initial: 'off',
        states: {off: {on: {START: 'on'}}, on: {on: {TICK: {actions: 'count'}}}},
      }),
    ],
    [
      'when the root leads away, as tabs do',
      createMachine({
        initial: 'home',
        on: {HOME: '.home', SETTINGS: '.settings'},
        states: {home: {}, settings: {}},
      }),
    ],
    [
      'when another region leaves it',
      createMachine({
        id: 'm',
        type: 'parallel',
        states: {
          left: {initial: 'a', states: {a: {on: {GO: 'b'}}, b: {}}},
          right: {on: {RESET: '#m.left.a'}},
        },
      }),
    ],
    [
      'when it ends a region, and the others are awaited',
      createMachine({
        initial: 'both',
        states: {
          both: {
            type: 'parallel',
            states: {
              left: {initial: 'a', states: {a: {on: {L: 'b'}}, b: ended}},
              right: {initial: 'a', states: {a: {on: {R: 'b'}}, b: ended}},
            },
            onDone: 'done',
          },
          done: ended,
        },
      }),
    ],
  ])('%s', (_, machine) => expect(found(machine)).toEqual([]));

  test('but it is one when its parent completes, and has no onDone', () => {
    const machine = createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: {initial: 'b', states: {b: {on: {GO: 'c'}}, c: ended}},
      },
    });
    expect(found(machine)).toEqual(['warning m.a dead-end']);
  });
});

describe('a delay without an implementation', () => {
  const delayed = setup({delays: {soon: 10}}).raise({type: 'GO'}, {delay: 'soon'});
  const states = {a: {entry: delayed, after: {patience: 'b'}, on: {GO: 'b'}}, b: ended};
  const machine = createMachine({id: 'm', initial: 'a', states});

  test('is a warning when the machine implements none, as provide may', () => {
    expect(found(machine)).toEqual(['warning m.a unknown-delay', 'warning m.a unknown-delay']);
  });

  test('is an error otherwise, also in a delayed event', () => {
    const provided = machine.provide({delays: {patients: 1, son: 1}});
    expect(found(provided)).toEqual(['error m.a unknown-delay', 'error m.a unknown-delay']);
    expect(lintChart(provided).map(({message}) => message)).toEqual([
      'the delay patience has no implementation: the event comes at once; did you mean "patients"?',
      'the delay soon has no implementation: the event comes at once; did you mean "son"?',
    ]);
  });
});

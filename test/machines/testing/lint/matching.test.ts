/** Events without a sender or a handler, wildcards that take the events of others, and outputs that are lost. */

import {describe, expect, test} from 'vitest';
import {
  type AnyStateMachine,
  assign,
  createMachine,
  enqueueActions,
  fromCallback,
  fromPromise,
  raise,
  sendParent,
  sendTo,
  setup,
  spawnChild,
} from 'xstate';

import {type LintOptions, lintChart} from '../../../../machines/testing/lint/lint-chart.ts';

const ended = {type: 'final'} as const;
const load = fromPromise(() => Promise.resolve(1));
const socket = fromCallback(({sendBack}) => sendBack({type: 'MESSAGE'}));
const endless = createMachine({initial: 'on', states: {on: {on: {PING: {actions: 'pong'}}}}});
const cases = setup({
  actors: {load, socket, endless},
  actions: {report: () => {}, keep: () => {}},
  guards: {isA: () => true},
});

/** `state rule: message` of each finding. */
function found(machine: AnyStateMachine, options: LintOptions = {}): string[] {
  return lintChart(machine, options).map(
    ({state, rule, message}) => `${state} ${rule}: ${message}`,
  );
}

describe('an event never comes', () => {
  test.each([
    [
      'by the name that XState 4 had for it',
      cases.createMachine({
        id: 'm',
        initial: 'a',
        states: {
          a: {invoke: {src: 'load', id: 'load', onError: 'b'}, on: {'done.invoke.load': 'b'}},
          b: ended,
        },
      }),
      'm.a event-never-sent: done.invoke.load never comes: XState 5 calls it xstate.done.actor.load',
    ],
    [
      'from an actor that another state invokes',
      cases.createMachine({
        id: 'm',
        initial: 'a',
        states: {
          a: {invoke: {src: 'load', id: 'load', onDone: 'b', onError: 'c'}},
          b: {on: {'xstate.done.actor.load': 'c'}},
          c: ended,
        },
      }),
      'm.b event-never-sent: xstate.done.actor.load never comes: its actor is invoked by a, and stopped when that state is left',
    ],
    [
      'from a callback that is done',
      cases.createMachine({
        id: 'm',
        initial: 'a',
        states: {a: {invoke: {src: 'socket', id: 'ws', onDone: 'b'}}, b: ended},
      }),
      'm.a event-never-sent: xstate.done.actor.ws never comes: a callback actor is never done',
    ],
    [
      'from a machine without a final state',
      cases.createMachine({
        id: 'm',
        initial: 'a',
        states: {a: {invoke: {src: 'endless', id: 'e', onDone: 'b', onError: 'b'}}, b: ended},
      }),
      'm.a event-never-sent: xstate.done.actor.e never comes: the machine that is invoked has no final state',
    ],
    [
      'from a state that has no final state',
      createMachine({
        id: 'm',
        initial: 'a',
        states: {
          a: {initial: 'x', states: {x: {on: {GO: 'y'}}, y: {on: {GO: 'x'}}}, onDone: 'b'},
          b: ended,
        },
      }),
      'm.a event-never-sent: xstate.done.state.m.a never comes: m.a has no final state',
    ],
    [
      'from a parallel state of which one region has none',
      createMachine({
        id: 'm',
        initial: 'a',
        states: {
          a: {
            type: 'parallel',
            states: {
              left: {initial: 'x', states: {x: {on: {L: 'y'}}, y: ended}},
              right: {initial: 'x', states: {x: {on: {R: 'y'}}, y: {on: {R: 'x'}}}},
            },
            onDone: 'b',
          },
          b: ended,
        },
      }),
      'm.a event-never-sent: xstate.done.state.m.a never comes: m.a has no final state',
    ],
    [
      'to the root when it completes',
      cases.createMachine({
        id: 'm',
        initial: 'a',
        states: {a: {on: {GO: 'b'}}, b: ended},
        onDone: {actions: 'report'},
      }),
      'm event-never-sent: xstate.done.state.m never comes: the machine ends when its root completes',
    ],
  ])('%s', (_, machine, finding) => {
    expect(found(machine)).toEqual([finding]);
  });

  test.each([
    [
      'from an actor that a function may spawn',
      cases.createMachine({
        context: {children: []},
        on: {
          ADD: {actions: assign({children: ({spawn}) => [spawn('load', {id: 'one'})]})},
          'xstate.done.actor.one': {actions: 'report'},
          'xstate.error.actor.*': {actions: 'report'},
        },
      }),
    ],
    [
      'from an actor that enqueueActions may spawn',
      cases.createMachine({
        entry: enqueueActions(({enqueue}) => enqueue.spawnChild('load', {id: 'one'})),
        on: {'xstate.done.actor.one': {actions: 'report'}},
      }),
    ],
    [
      'from an actor that spawnChild spawns',
      cases.createMachine({
        entry: spawnChild('load', {id: 'one'}),
        on: {
          'xstate.done.actor.one': {actions: 'report'},
          'xstate.error.actor.one': {actions: 'report'},
        },
      }),
    ],
    [
      'to a region, from an actor of the region beside it',
      cases.createMachine({
        type: 'parallel',
        states: {
          left: {invoke: {src: 'load', id: 'load', onError: {actions: 'report'}}},
          right: {on: {'xstate.done.actor.load': {actions: 'report'}}},
        },
      }),
    ],
    [
      'that is handled by a delay',
      createMachine({initial: 'a', states: {a: {after: {10: 'b'}}, b: ended}}),
    ],
  ])('but may come %s', (_, machine) => {
    expect(found(machine).filter((each) => each.includes('event-never'))).toEqual([]);
  });
});

describe('the events from outside, once they are listed', () => {
  const machine = cases.createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: {entry: raise({type: 'READY'}), on: {READY: 'b', SAVE: 'b', 'user.*': 'b'}},
      b: ended,
    },
  });

  test('are the only possible events, except events that the machine raises', () => {
    expect(found(machine, {events: ['user.quit']})).toEqual([
      'm.a event-never-sent: SAVE never comes: it is neither raised nor listed as sent from outside',
    ]);
    expect(found(machine, {events: ['user.*', 'SAVE']})).toEqual([]);
  });

  test('are each handled somewhere', () => {
    expect(found(machine, {events: ['user.quit', 'SAVE', 'SVAE']})).toEqual([
      'm event-never-handled: SVAE is listed as sent from outside, and no state handles it',
    ]);
  });
});

describe('an event is never handled', () => {
  const childOf = (event: string) =>
    cases.createMachine({
      id: 'm',
      invoke: {src: 'endless', id: 'child', onError: {actions: 'report'}},
      on: {GO: {actions: sendTo('child', {type: event})}},
    });

  test('by the machine that it is sent to', () => {
    expect(found(childOf('PONG'))).toEqual([
      'm event-never-handled: PONG goes to the machine child, and no state of it handles the event',
    ]);
  });

  test.each([
    ['by the machine that it is sent to', childOf('PING')],
    [
      'by a parent, of which the chart knows nothing',
      createMachine({entry: sendParent({type: 'X'})}),
    ],
    [
      'by a wildcard',
      cases.createMachine({entry: raise({type: 'a.b'}), on: {'a.*': {actions: 'report'}}}),
    ],
    ['if it is made by a function', createMachine({entry: raise(() => ({type: 'X'}))})],
  ])('but may be %s', (_, machine) => {
    expect(found(machine)).toEqual([]);
  });
});

function within(nested: object, parent: object): AnyStateMachine {
  return cases.createMachine({
    id: 'm',
    initial: 'a',
    states: {a: {initial: 'x', states: {x: nested}, ...parent}, b: ended},
  });
}

describe('a wildcard takes events of others', () => {
  const report = {actions: 'report'} as const;

  test.each([
    [
      'the end of the parent’s actor',
      {on: {'*': report}},
      {invoke: {src: 'load', id: 'l', onDone: 'b', onError: 'b'}},
      'xstate.done.actor.l, xstate.error.actor.l',
    ],
    ['the delay of the parent', {on: {'*': report}}, {after: {10: 'b'}}, 'xstate.after.10.m.a'],
    [
      'an event that it covers',
      {on: {'user.*': report}},
      {on: {'user.quit': 'b', QUIT: 'b'}},
      'user.quit',
    ],
  ])('%s', (_, nested, parent, events) => {
    const [finding, ...others] = found(within(nested, parent));
    expect(finding).toContain(
      `m.a.x hidden-by-wildcard: ${Object.keys(nested.on)[0]} takes ${events} before`,
    );
    expect(others).toEqual([]);
  });

  test.each([
    ['it forbids them', {on: {'*': undefined}}],
    ['it has a guard', {on: {'*': {guard: 'isA', ...report}}}],
    ['the state handles them by name', {on: {'*': report, 'user.quit': report}}],
  ])('unless %s', (_, nested) => {
    expect(found(within(nested, {on: {'user.quit': 'b'}}))).toEqual([]);
  });

  test('the error of an actor that nothing handles by name', () => {
    const machine = cases.createMachine({
      id: 'm',
      initial: 'a',
      on: {'*': {actions: 'report'}},
      states: {a: {invoke: {src: 'load', onDone: 'b'}}, b: ended},
    });
    expect(found(machine)).toEqual([
      'm.a hidden-by-wildcard: only a bare * handles the error of load: a failure passes for any other event',
    ]);
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
      'm lost-output: the machine ends in b with an output, in c without one',
    ],
    [
      'when its state has no onDone',
      paying({on: {STOP: 'b'}}, {}),
      'm.a lost-output: the output of y is lost: a has no onDone',
    ],
    [
      'when a transition goes around it',
      paying({onDone: {target: 'b', actions: 'keep'}}, {SKIP: '#m.b'}),
      'm.a.x lost-output: it leads to where onDone of a brings an output, and brings none',
    ],
  ])('%s', (_, machine, finding) => {
    expect(found(machine)).toEqual([finding]);
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

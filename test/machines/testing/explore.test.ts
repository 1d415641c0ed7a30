/** Machines as users write them, explored among puppets. */

import {describe, expect, test} from 'vitest';
import {
  assign,
  createActor,
  createMachine,
  fromCallback,
  fromObservable,
  fromPromise,
  raise,
  sendParent,
  sendTo,
  setup,
} from 'xstate';

import {
  explore,
  fails,
  moveText,
  next,
  pathTo,
  sends,
  tours,
} from '../../../machines/testing/index.ts';
import {checkoutMachine} from '../../fixtures/charts/checkout.ts';
import {fetchMachine} from '../../fixtures/charts/fetch-with-retries.ts';

const taskTypes: {context?: {readonly tasks: readonly unknown[]}} = {};
const needyTypes: {input?: {readonly list: readonly string[]}} = {};

function makeAndExecute({entry}: {readonly entry: () => void}): object {
  entry();
  return createMachine({});
}

const never = fromPromise(async () => {
  throw new Error('this must not run');
});

test('invoked actors settle in each way, timers fire, and every transition is taken', () => {
  const {states, transitions, limits, failures} = explore(fetchMachine);
  expect([states.missing, transitions.missing, limits, failures]).toEqual([[], [], [], []]);
});

test('a machine with history, parallel regions, guards on events and an unbounded counter is covered', () => {
  const exploration = explore(checkoutMachine, {
    inputs: [{items: []}, {items: [{sku: 'a', price: 1}]}],
    events: {
      'item.added': [{item: {sku: 'b', price: 2}}],
      'card.entered': [{number: '1234123412341234'}, {number: 'x'}],
    },
    outcomes: {chargeCard: [{receipt: 'r'}]},
    distinguish: ({attempts, ...rest}) => ({...rest, attempts: Math.min(attempts, 2)}),
  });
  expect(exploration.transitions.missing).toEqual([]);
  expect(exploration.limits).toEqual([]);
  expect(pathTo(exploration, 'paid')?.map(moveText)).toEqual([
    'start with {"items":[{"sku":"a","price":1}]}',
    'order.placed',
    'card.entered {"number":"1234123412341234"}',
    'chargeCard is done {"receipt":"r"}',
  ]);
});

test('an unbounded counter reaches the limit of states, and that is reported', () => {
  const counter = createMachine({
    context: {count: 0},
    on: {
      more: {
        actions: assign({count: ({context}: {context: {count: number}}) => context.count + 1}),
      },
    },
  });
  expect(explore(counter, {limits: {states: 10}}).limits).toEqual(['states']);
  expect(explore(counter, {limits: {depth: 5}}).limits).toEqual(['depth']);
});

function counting(name: string) {
  return {actions: {type: 'count' as const, params: {name}}};
}

test('what lies deep behind endless contexts is found, too', () => {
  const contexts: {context?: Record<string, number>} = {};
  const steps = Array.from({length: 9}, (_, index) => [
    `s${index}`,
    {on: {[`GO${index}`]: `s${index + 1}`}},
  ]);
  const machine = setup({
    types: contexts,
    actions: {
      count: assign(({context}, {name}: {readonly name: string}) => ({
        [name]: (context[name] ?? 0) + 1,
      })),
    },
  }).createMachine({
    context: {},
    type: 'parallel',
    states: {
      counting: {on: {A: counting('a'), B: counting('b'), C: counting('c')}},
      walking: {initial: 's0', states: {...Object.fromEntries(steps), s9: {}}},
    },
  });
  const {limits, transitions} = explore(machine, {limits: {states: 300}});
  expect([limits, transitions.missing]).toEqual([['states'], []]);
});

test('states that differ only in what nobody takes up are one', () => {
  const machine = setup({
    actors: {clock: fromObservable(() => createActor(createMachine({})))},
  }).createMachine({invoke: {src: 'clock'}, on: {A: {}}});
  const outcomes = {clock: [1, next(1), next(2), next(3)]};
  expect(explore(machine, {outcomes}).graph.steps.size).toBe(1);
});

test('the tours together take each transition, and none is longer than a test may be', () => {
  const exploration = explore(fetchMachine);
  const all = tours(exploration);
  const taken = new Set(all.flatMap(({steps}) => steps.flatMap(({takes}) => takes)));
  expect(exploration.transitions.covered.filter((name) => !taken.has(name))).toEqual([]);
});

describe('actors', () => {
  test('inline, spawned and nested logic are puppets as well', () => {
    const child = createMachine({
      initial: 'on',
      states: {on: {invoke: {src: never, onDone: 'off', onError: 'off'}}, off: {type: 'final'}},
    });
    const machine = setup({actors: {child, task: never}}).createMachine({
      context: ({spawn}) => ({task: spawn('task', {id: 'task'})}),
      initial: 'working',
      states: {
        working: {
          on: {'xstate.done.actor.task': 'spawned'},
          invoke: {src: 'child', onDone: 'invoked'},
        },
        spawned: {},
        invoked: {},
      },
    });
    expect(explore(machine).states.missing).toEqual([]);
  });

  test('a spawned actor without an id has the same name in every run', () => {
    const machine = setup({types: taskTypes, actors: {task: never}}).createMachine({
      context: {tasks: []},
      on: {
        add: {
          guard: ({context}) => context.tasks.length < 2,
          actions: assign({tasks: ({context, spawn}) => [...context.tasks, spawn('task')]}),
        },
      },
    });
    expect(explore(machine).graph.steps.size).toBe(2);
  });

  test('a machine with samples of its outcomes is a puppet', () => {
    const child = createMachine({initial: 'stuck', states: {stuck: {}}});
    const machine = setup({actors: {child}}).createMachine({
      initial: 'working',
      states: {
        working: {
          invoke: {
            src: 'child',
            onDone: [{guard: ({event}) => event.output === 'a', target: 'a'}, {target: 'b'}],
          },
        },
        a: {},
        b: {},
      },
    });
    expect(explore(machine).states.missing).toHaveLength(2);
    expect(explore(machine, {outcomes: {child: ['a', 'b']}}).states.missing).toEqual([]);
  });

  test('a callback sends events, an observable has values', () => {
    const machine = setup({
      actors: {
        socket: fromCallback(() => {
          throw new Error('this must not run');
        }),
        clock: fromObservable(() => {
          throw new Error('this must not run');
        }),
      },
    }).createMachine({
      initial: 'waiting',
      states: {
        waiting: {
          invoke: [
            {src: 'socket', onError: 'lost'},
            {
              src: 'clock',
              onSnapshot: {guard: ({event}) => event.snapshot.context === 12, target: 'noon'},
            },
          ],
          on: {'socket.message': {guard: ({event}) => event['text'] === 'hi', target: 'greeted'}},
        },
        lost: {},
        greeted: {},
        noon: {},
      },
    });
    const outcomes = {socket: [sends({type: 'socket.message', text: 'hi'})], clock: [next(12)]};
    expect(explore(machine, {outcomes}).states.missing).toEqual([]);
  });

  test('an actor whose failure nothing handles does not fail unless a sample says so', () => {
    const machine = setup({actors: {task: never}}).createMachine({
      initial: 'working',
      states: {working: {invoke: {src: 'task', onDone: 'done'}}, done: {}},
    });
    expect(explore(machine).failures).toEqual([]);
    const [failure] = explore(machine, {
      outcomes: {task: [1, fails(new Error('no disk'))]},
    }).failures;
    expect(failure?.message).toBe('Error: no disk');
    expect(failure?.moves.map(moveText)).toEqual(['task fails: Error: no disk']);
  });
});

describe('events', () => {
  test('an event that the machine raises itself also comes from outside, unless its samples are empty', () => {
    const machine = setup({actions: {proceed: raise({type: 'step.taken'})}}).createMachine({
      initial: 'idle',
      states: {
        idle: {on: {go: {target: 'stepping', actions: 'proceed'}, 'step.taken': 'early'}},
        stepping: {on: {'step.taken': 'end'}},
        early: {},
        end: {},
      },
    });
    expect(explore(machine).states.missing).toEqual([]);
    expect(explore(machine, {events: {'step.taken': []}}).states.missing).toEqual([
      '(machine).early',
    ]);
  });

  test('an event is made for each wildcard', () => {
    const machine = createMachine({
      initial: 'a',
      states: {a: {on: {'mouse.click.*': 'b'}}, b: {on: {'*': 'c'}}, c: {}},
    });
    const exploration = explore(machine);
    expect(exploration.transitions.missing).toEqual([]);
    expect(pathTo(exploration, 'c')?.map(moveText)).toEqual(['mouse.click.any', 'mouse.click.any']);
  });

  test('a forbidden transition is taken: the states around do not see its event', () => {
    const machine = createMachine({
      id: 'm',
      initial: 'a',
      on: {X: '.c', U: {actions: 'count'}},
      states: {a: {on: {X: {}, U: undefined, GO: 'b'}}, b: {}, c: {on: {X: {actions: []}}}},
    });
    const exploration = explore(machine);
    expect([exploration.transitions.missing, exploration.states.missing]).toEqual([[], []]);
    const forbidden = tours(exploration).flatMap(({steps}) =>
      steps.filter(({isIgnored}) => isIgnored).map(({move}) => moveText(move)),
    );
    expect(forbidden).toEqual(['X', 'U', 'X']);
  });

  test('an event of a child machine reaches it, and events to the parent are noted', () => {
    const child = createMachine({
      initial: 'asking',
      states: {
        asking: {on: {answer: {target: 'end', actions: sendParent({type: 'answered'})}}},
        end: {},
      },
    });
    const machine = setup({actors: {child}}).createMachine({
      invoke: {src: 'child', id: 'child'},
      initial: 'waiting',
      states: {
        waiting: {on: {answered: 'reported'}},
        reported: {entry: sendParent({type: 'over'})},
      },
    });
    const exploration = explore(machine, {events: {answered: []}});
    const path = pathTo(exploration, 'reported');
    expect(path?.map(moveText)).toEqual(['answer to child']);
    const world = exploration.open();
    for (const move of path ?? []) world.apply(move);
    expect(world.stage?.toParent()).toEqual([{type: 'over'}]);
  });
});

test('each transition that was not taken has its reason', () => {
  const machine = setup({actors: {job: fromCallback(() => {})}}).createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: {
        invoke: {src: 'job', id: 'job', onDone: 'b', onError: 'c'},
        on: {
          GO: [{guard: ({event}) => event['n'] === 1, target: 'b'}, {target: 'c'}, {target: 'd'}],
          END: 'd',
        },
      },
      b: {on: {BACK: 'a'}},
      c: {},
      d: {},
    },
  });
  expect(Object.fromEntries(explore(machine, {events: {END: []}}).reasons)).toEqual({
    'm.a xstate.done.actor.job → b': 'neverHappens',
    'm.a GO […] → b': 'refused',
    'm.a GO → d': 'preceded',
    'm.a END → d': 'noSamples',
    'm.b BACK → a': 'notEntered',
  });
});

describe('time', () => {
  test('of two timers that are set together the shorter one fires first', () => {
    const machine = createMachine({
      initial: 'waiting',
      states: {waiting: {after: {200: 'late', 100: 'early'}}, late: {}, early: {}},
    });
    expect(explore(machine).states.missing).toEqual(['(machine).late']);
  });

  test('a timer that is set later may fire first when its delay is shorter', () => {
    const machine = createMachine({
      type: 'parallel',
      states: {
        long: {initial: 'a', states: {a: {after: {1000: 'b'}}, b: {}}},
        short: {
          initial: 'off',
          states: {off: {on: {start: 'on'}}, on: {after: {10: 'fired'}}, fired: {}},
        },
      },
    });
    const both = explore(machine);
    const values = [...both.values.values()];
    expect(values).toContainEqual({long: 'a', short: 'fired'});
    expect(values).toContainEqual({long: 'b', short: 'on'});
  });

  test('a delayed event is a timer by its name', () => {
    const machine = createMachine({
      initial: 'waiting',
      states: {
        waiting: {
          entry: raise({type: 'patience.lost'}, {delay: 500}),
          on: {'patience.lost': 'end'},
        },
        end: {},
      },
    });
    expect(pathTo(explore(machine), 'end')?.map(moveText)).toEqual(['patience.lost']);
  });
});

test('custom actions are noted, and executed only on request', () => {
  let count = 0;
  const machine = setup({actions: {pay: () => (count += 1)}}).createMachine({
    initial: 'a',
    states: {a: {on: {go: {target: 'b', actions: ['pay', () => (count += 1)]}}}, b: {}},
  });
  const [tour] = tours(explore(machine));
  expect(count).toBe(0);
  expect(tour?.steps[0]?.performed).toEqual(['pay', '(anonymous)']);
  explore(machine, {runActions: true});
  expect(count).toBe(2);
});

test('a machine that cannot start, and a guard that throws, are failures with the steps to them', () => {
  const needy = setup({types: needyTypes}).createMachine({
    context: ({input}) => ({size: input.list.length}),
  });
  expect(explore(needy).failures[0]).toMatchObject({moves: []});
  const machine = createMachine({
    initial: 'a',
    states: {a: {on: {go: {guard: ({event}) => event['list'].length > 0, target: 'b'}}}, b: {}},
  });
  expect(explore(machine).failures[0]?.moves.map(moveText)).toEqual(['go']);
});

test('steps without an end are a failure', () => {
  const machine = createMachine({
    initial: 'a',
    states: {a: {on: {go: 'b'}}, b: {always: 'c'}, c: {always: 'b'}},
  });
  expect(explore(machine).failures[0]?.message).toContain('Infinite loop detected');
});

test('contexts with actors, dates, maps, functions and circles are distinguished', () => {
  const circle: {self?: unknown} = {};
  circle.self = circle;
  const machine = setup({actors: {task: never}}).createMachine({
    context: ({spawn}) => ({
      task: spawn('task', {id: 't'}),
      seen: new Map<string, number>(),
      at: new Date(0),
      circle,
      run: () => 1,
      big: 10n,
    }),
    on: {
      see: {actions: assign({seen: () => new Map([['a', 1]])})},
      later: {actions: assign({at: () => new Date(1)})},
      greet: {actions: sendTo('t', {type: 'hello'})},
    },
  });
  expect(explore(machine).graph.steps.size).toBe(4);
});

test('a copy of XState that executes custom actions by itself is refused', () => {
  const machine = createMachine({entry: () => {}});
  Object.setPrototypeOf(
    machine,
    Object.create(Object.getPrototypeOf(machine), {constructor: {value: makeAndExecute}}),
  );
  expect(() => explore(machine)).toThrow(
    'custom actions would be executed by this version of xstate',
  );
  expect(explore(machine, {runActions: true}).failures).toEqual([]);
});

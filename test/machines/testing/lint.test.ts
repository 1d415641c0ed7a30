/** The chart lint: its rules, and the faults that it finds in real, wrong and random charts. */

import * as fc from 'fast-check';
import {expect, test, describe} from 'vitest';
import {
  createMachine,
  fromPromise,
  type AnyStateMachine,
  createActor,
  SimulatedClock,
  toPromise,
  fromCallback,
  setup,
  spawnChild,
  type InspectionEvent,
  isMachineSnapshot,
} from 'xstate';

import {nodesOf} from '../../../machines/testing/chart.ts';
import {lintChart, type LintOptions, rules} from '../../../machines/testing/lint.ts';
import {isDeep} from '../../support/depth.ts';
import {badCharts, usualCharts, events, type Flags, randomChart} from './lint/charts.ts';

const load = fromPromise(() => Promise.resolve(1));

function chart(meta: object = {}) {
  return createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: {on: {NEXT: 'b'}, after: {pause: 'b'}},
      b: {
        initial: 'x',
        meta,
        on: {END: 'c'},
        states: {x: {on: {NEXT: 'y'}, invoke: {src: load}}, y: {invoke: {src: load}}},
      },
      c: {},
    },
  });
}

test('errors come first, then warnings, in the order of the rules', () => {
  expect(lintChart(chart()).map(({rule, severity}) => `${severity} ${rule}`)).toEqual([
    'error unhandled-error',
    'error unhandled-error',
    'warning dead-end',
    'warning unknown-delay',
  ]);
});

test('a finding names the state, the fault, the fix, and the transition if it is about one', () => {
  expect(lintChart(chart(), {rules: ['dead-end']})).toEqual([
    {
      rule: 'dead-end',
      severity: 'warning',
      state: 'm.c',
      message: 'nothing leaves c',
      fix: "make it type: 'final', or give it a transition",
    },
  ]);
});

function rulesOf(options: LintOptions): string[] {
  return lintChart(chart(), options).map(({rule}) => rule);
}

test('rules are chosen, or left out', () => {
  expect(rulesOf({rules: ['dead-end', 'unknown-delay'], ignore: ['dead-end']})).toEqual([
    'unknown-delay',
  ]);
  expect(rulesOf({rules: []})).toEqual([]);
});

test('a rule that does not exist is refused', () => {
  expect(() => lintChart(chart(), {rules: ['dead-ends']})).toThrow(
    /no lint rule "dead-ends".*dead-end,/,
  );
  expect(() => lintChart(chart(), {ignore: ['all']})).toThrow('no lint rule "all"');
});

test('a state accepts findings for itself and for the states within it', () => {
  const ignore = ['unhandled-error', 'dead-end'];
  expect(lintChart(chart({lint: {ignore}})).map(({rule, state}) => `${rule} ${state}`)).toEqual([
    'dead-end m.c',
    'unknown-delay m.a',
  ]);
});

test.each([[{lint: true}], [{lint: {ignore: 'dead-end'}}], [{lint: {ignore: [1]}}]])(
  'meta %j accepts nothing',
  (meta) => {
    expect(lintChart(chart(meta))).toHaveLength(4);
  },
);

test('every rule has a bad chart, and a name of its own', () => {
  expect(rules.map(({name}) => name).toSorted()).toEqual(Object.keys(badCharts).toSorted());
});

describe.each(Object.entries(badCharts))('%s', (rule, {bad, good}) => {
  test('fires once in its bad chart, and no other rule does', () => {
    expect(lintChart(bad).map((finding) => finding.rule)).toEqual([rule]);
  });

  test('does not fire in its twin, and no other rule does', () => {
    expect(lintChart(good)).toEqual([]);
  });
});

test.each(Object.entries(usualCharts))('nothing is found in the chart %s', (_, machine) => {
  expect(lintChart(machine)).toEqual([]);
});

const failing = fromPromise(() => Promise.reject(new Error('declined')));
const ended = {type: 'final'} as const;

function started(machine: AnyStateMachine | undefined) {
  if (machine === undefined) throw new Error('there is no such chart');
  const clock = new SimulatedClock();
  const errors: unknown[] = [];
  const actor = createActor(machine, {clock});
  actor.subscribe({error: (error) => errors.push(error)});
  return {actor: actor.start(), clock, errors};
}

test('an unhandled error stops the machine, and a bare * handles it like any other event', async () => {
  const config = {initial: 'a', states: {a: {invoke: {src: failing}, on: {NEXT: 'b'}}, b: ended}};
  await expect(toPromise(started(createMachine(config)).actor)).rejects.toThrow('declined');
  const {actor} = started(createMachine({...config, on: {'*': '.b'}}));
  await toPromise(actor);
  expect(actor.getSnapshot().value).toBe('b');
});

test('a delay without an implementation is over at once', () => {
  expect(started(badCharts['unknown-delay']?.bad).actor.getSnapshot().value).toBe('b');
  expect(started(badCharts['unknown-delay']?.good).actor.getSnapshot().value).toBe('a');
});

test('an output of the last state is lost without an output of the machine', () => {
  for (const [kind, output] of [
    ['bad', undefined],
    ['good', {paid: true}],
  ] as const) {
    const {actor} = started(badCharts['lost-output']?.[kind]);
    actor.send({type: 'NEXT'});
    expect(actor.getSnapshot().output).toEqual(output);
  }
});

const listen = fromCallback(({sendBack}) => sendBack({type: 'MESSAGE'}));
const child = createMachine({initial: 'a', states: {a: {on: {GO: 'b'}}, b: {type: 'final'}}});
const cases = setup({actors: {load, listen, child}, actions: {report: () => {}, keep: () => {}}});

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
      states: {a: {initial: 'b', states: {b: {on: {GO: 'c'}}, c: ended}}},
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

test('no dead end is left on a walk', () => {
  let count = 0;
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const flags = {isOpen: false, isFull: false};
      const machine = randomChart(g, flags);
      const left = statesLeft(machine, flags, g);
      const ends = lintChart(machine, {rules: ['dead-end']});
      count += ends.length;
      expect(ends.filter(({state}) => left.has(stuckIn(machine, state)))).toEqual([]);
    }),
    {numRuns: isDeep ? 2500 : 200},
  );
  expect(count).toBeGreaterThan(0);
});

/** A state without a way out, or the final child of one that completes without a way on. */
function stuckIn({root}: AnyStateMachine, id: string): string {
  const node = nodesOf(root).find((each) => each.id === id);
  const children = Object.values(node?.states ?? {});
  return children.length === 0 ? id : (children.find(({type}) => type === 'final')?.id ?? id);
}

/** Fires one timer at a time, because due timers may set others for ever. */
class StepClock {
  readonly #timers = new Map<number, {readonly due: number; readonly fire: () => void}>();
  #count = 0;
  #now = 0;

  setTimeout(fire: () => void, delay: number): number {
    this.#count += 1;
    this.#timers.set(this.#count, {due: this.#now + delay, fire});
    return this.#count;
  }

  clearTimeout(id: number): void {
    this.#timers.delete(id);
  }

  fire(): void {
    const [next] = [...this.#timers].toSorted(([, one], [, other]) => one.due - other.due);
    if (next === undefined) return;
    this.#timers.delete(next[0]);
    this.#now = next[1].due;
    next[1].fire();
  }
}

/** Ids of states that were active before a step and not after it. */
function statesLeft(machine: AnyStateMachine, flags: Flags, g: fc.GeneratorValue): Set<string> {
  const left = new Set<string>();
  let active = new Set<string>();
  const inspect = (event: InspectionEvent) => {
    if (event.type !== '@xstate.microstep' || !isMachineSnapshot(event.snapshot)) return;
    const {_nodes: nodes} = event.snapshot;
    const now = new Set(nodes.map(({id}) => id));
    for (const id of active.difference(now)) left.add(id);
    active = now;
  };
  const clock = new StepClock();
  const actor = createActor(machine, {clock, inspect});
  actor.subscribe({error: () => {}});
  actor.start();
  for (let step = 0; step < steps && actor.getSnapshot().status === 'active'; step += 1) {
    Object.assign(flags, {isOpen: g(fc.boolean), isFull: g(fc.boolean)});
    if (g(fc.nat, {max: 3}) === 0) clock.fire();
    else actor.send({type: g(fc.constantFrom, ...events)});
  }
  actor.stop();
  return left;
}

const steps = 25;

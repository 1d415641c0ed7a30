/** Where a chart gets stuck, and where it only seems to. */

import {describe, expect, test} from 'vitest';
import {type AnyStateMachine, assign, createMachine, not, setup} from 'xstate';

import {lintChart} from '../../../../machines/testing/lint/lint-chart.ts';

const ended = {type: 'final'} as const;

const {createMachine: createCase} = setup({
  actions: {count: assign({count: 1}), report: () => {}},
  guards: {isA: () => true, isB: () => true},
});

/** `state rule` of each finding. */
function found(machine: AnyStateMachine): string[] {
  return lintChart(machine).map(({state, rule}) => `${state} ${rule}`);
}

describe('a state is reached', () => {
  test.each([
    [
      'through a history, which leads to the initial state at first',
      createMachine({
        id: 'm',
        initial: 'off',
        states: {
          off: {on: {TOGGLE: 'on.last'}},
          on: {
            initial: 'low',
            on: {TOGGLE: 'off'},
            states: {
              low: {on: {UP: 'high'}},
              high: {on: {DOWN: 'low'}},
              last: {type: 'history'},
            },
          },
        },
      }),
      [],
    ],
    [
      'through the target of a history, and not the initial state that it goes around',
      createMachine({
        id: 'm',
        initial: 'off',
        states: {
          off: {on: {TOGGLE: 'on.last'}},
          on: {
            initial: 'low',
            on: {TOGGLE: 'off'},
            states: {
              low: {on: {UP: 'high'}},
              high: {on: {UP: 'high'}},
              last: {type: 'history', target: 'high'},
            },
          },
        },
      }),
      ['m.on.low unreachable-state'],
    ],
    [
      'through a shallow history, which enters the remembered state by its initial state',
      createMachine({
        id: 'm',
        initial: 'off',
        states: {
          off: {on: {START: '#m.on.work.late', TOGGLE: 'on.last'}},
          on: {
            initial: 'idle',
            on: {TOGGLE: 'off'},
            states: {
              idle: {},
              work: {initial: 'early', states: {early: {}, late: {}}},
              last: {type: 'history', history: 'shallow'},
            },
          },
        },
      }),
      [],
    ],
    [
      'through a deep history only as it was left',
      createMachine({
        id: 'm',
        initial: 'off',
        states: {
          off: {on: {START: '#m.on.work.late', TOGGLE: 'on.last'}},
          on: {
            initial: 'idle',
            on: {TOGGLE: 'off'},
            states: {
              idle: {},
              work: {initial: 'early', states: {early: {}, late: {}}},
              last: {type: 'history', history: 'deep'},
            },
          },
        },
      }),
      ['m.on.work.early unreachable-state'],
    ],
    [
      'in each region of a parallel state, also when another region is the target',
      createMachine({
        id: 'm',
        initial: 'off',
        states: {
          off: {on: {START: '#m.on.left.b'}},
          on: {
            type: 'parallel',
            on: {STOP: 'off'},
            states: {
              left: {initial: 'a', states: {a: {on: {GO: 'b'}}, b: {on: {GO: 'a'}}}},
              right: {initial: 'a', states: {a: {on: {GO: 'b'}}, b: {}}},
            },
          },
        },
      }),
      [],
    ],
    [
      'once: states within one that is not reached are not reported again',
      createMachine({
        id: 'm',
        initial: 'a',
        states: {
          a: {on: {STAY: 'a'}},
          lost: {initial: 'one', states: {one: {on: {GO: 'two'}}, two: {}}},
        },
      }),
      ['m.lost unreachable-state'],
    ],
  ])('%s', (_, machine, findings) => {
    expect(found(machine)).toEqual(findings);
  });
});

describe('a state is not a dead end', () => {
  test.each([
    ['in a machine of one state', createMachine({on: {PING: {actions: 'pong'}}})],
    [
      'in a machine without transitions',
      createMachine({initial: 'a', states: {a: {}, b: {}}}),
      ['b unreachable-state'],
    ],
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
  ])('%s', (_, machine, findings: string[] = []) => {
    expect(found(machine).map((each) => each.replace('(machine).', ''))).toEqual(findings);
  });

  test('but it is one when its parent completes, and has no onDone', () => {
    const machine = createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: {initial: 'b', states: {b: {on: {GO: 'c'}}, c: ended}},
      },
    });
    expect(found(machine)).toEqual(['m.a dead-end']);
  });
});

describe('a choice has a way on', () => {
  const branches = [
    {guard: 'isA', target: 'a'},
    {guard: 'isB', target: 'b'},
  ] as const;
  const ends = {a: ended, b: ended};

  test.each([
    [
      'when one guard is the opposite of another',
      createCase({
        context: {count: 0},
        initial: 'choice',
        states: {
          choice: {
            always: [
              {guard: 'isA', target: 'a'},
              {guard: not('isA'), target: 'b'},
            ],
          },
          ...ends,
        },
      }),
    ],
    [
      'when a parent changes the context while it waits',
      createCase({
        context: {count: 0},
        initial: 'waiting',
        on: {COUNT: {actions: 'count'}},
        states: {waiting: {always: branches}, ...ends},
      }),
    ],
    [
      'when an event leads on after the delay',
      createCase({
        context: {count: 0},
        initial: 'waiting',
        states: {waiting: {after: {100: branches}, on: {SKIP: 'a'}}, ...ends},
      }),
    ],
    [
      'when the parent has the default',
      createCase({
        context: {count: 0},
        initial: 'trying',
        on: {STOP: '.b'},
        states: {
          trying: {
            initial: 'once',
            states: {
              once: {
                initial: 'a',
                onDone: {guard: 'isA', target: 'twice'},
                states: {a: {on: {GO: 'b'}}, b: ended},
              },
              twice: {on: {GO: 'once'}},
            },
            on: {'xstate.done.state.(machine).trying.once': 'a'},
          },
          ...ends,
        },
      }),
    ],
  ])('%s', (_, machine) => {
    expect(found(machine)).toEqual([]);
  });

  test.each([
    ['after a delay', {after: {100: branches}}],
    ['when it completes', {initial: 'x', states: {x: {on: {GO: 'y'}}, y: ended}, onDone: branches}],
  ])('and none %s, when each branch has a guard', (_, choice) => {
    const machine = createCase({
      id: 'm',
      context: {count: 0},
      initial: 'choice',
      states: {choice, ...ends},
    });
    expect(found(machine)).toEqual(['m.choice choice-without-default']);
  });
});

describe('a transition is never taken', () => {
  test.each([
    [
      'after another with the same guard',
      {
        on: {
          GO: [
            {guard: 'isA', target: 'a'},
            {guard: 'isA', target: 'b'},
          ],
        },
      },
    ],
    ['after a longer delay', {after: {100: 'a', 200: 'b'}}],
    ['in a state that always leaves at once', {always: 'a', on: {GO: 'b'}}],
  ] as const)('%s', (_, state) => {
    const machine = createCase({
      id: 'm',
      context: {count: 0},
      initial: 'first',
      states: {first: state, a: ended, b: ended},
    });
    expect(found(machine)).toEqual(['m.first never-taken']);
  });

  test('in the final state that ends the machine', () => {
    const machine = createMachine({
      id: 'm',
      initial: 'a',
      states: {a: {on: {GO: 'b'}}, b: {type: 'final', on: {BACK: 'a'}}},
    });
    expect(found(machine)).toEqual(['m.b never-taken']);
  });

  test.each([
    ['a delay after one with a guard', {after: {100: {guard: 'isA', target: 'a'}, 200: 'b'}}],
    ['a delay after one that stays', {after: {100: {actions: 'report'}, 200: 'b'}}],
    [
      'an event of a state that always reports, and stays',
      {always: {actions: 'report'}, on: {GO: [{guard: 'isA', target: 'a'}, {target: 'b'}]}},
    ],
  ] as const)('but not: %s', (_, state) => {
    const machine = createCase({
      context: {count: 0},
      initial: 'first',
      states: {first: state, a: ended, b: ended},
    });
    expect(found(machine).filter((each) => each.includes('never-taken'))).toEqual([]);
  });
});

/** What the inspector's page derives from the actors of a moment. */

import {expect, test} from 'vitest';

import {
  activeStates,
  type ActorRow,
  actorRows,
  enabledEvents,
  idOf,
  moveFor,
  stateText,
  transitionParts,
  waitsAt,
} from '../../../../cli/inspect/page/browser/derived/actors.ts';
import {beginningOf} from '../../../../cli/inspect/page/browser/derived/fold.ts';
import type {Step, ChartState, ChartTransitionView} from '../../../../machines/trace/step.ts';
import {effectOf, momentWith, requestBy, started, stepWith} from './moments.ts';

test('the root, the parents and the regions of a state value are active', () => {
  const states = ['', 'idle', 'busy', 'busy.left', 'busy.left.on', 'busy.left.off', 'busy.right'];
  const chart = states.map((path) => state(path));
  const value = {busy: {left: 'on', right: {}}};
  const active = activeStates(chart, value).map(({path}) => path.join('.'));
  expect(active).toEqual(['', 'busy', 'busy.left', 'busy.left.on', 'busy.right']);
});

test('a state with the name of another at a different place is not active', () => {
  const chart = ['', 'a', 'a.b', 'b'].map((path) => state(path));
  expect(activeStates(chart, {a: 'b'}).map(({path}) => path.join('.'))).toEqual(['', 'a', 'a.b']);
});

test('a state value is shown from the outside to the inside, its regions side by side', () => {
  expect(stateText('idle')).toBe('idle');
  expect(stateText({busy: {left: 'on', right: {}}})).toBe('busy › left › on · right');
  expect(stateText(null)).toBe('');
});

test('events of inner states come before those of their parents, and timers after all', () => {
  const events = enabledEvents([
    state('', [on('stop', 'outer')]),
    state('a', [
      on('', 'always'),
      on('xstate.after.1000.m.a', 'late'),
      on('xstate.done.actor.call', 'done'),
      on('stop', 'inner'),
    ]),
  ]);
  expect(events.map(({event, kind}) => `${kind} ${event}`)).toEqual([
    'event stop',
    'outcome xstate.done.actor.call',
    'timer xstate.after.1000.m.a',
  ]);
  expect(events[0]?.transitions.map(({text}) => text)).toEqual(['inner', 'outer']);
});

test('the text of a transition has an event, a guard and a target', () => {
  const within = state('busy.left');
  const parts = (text: string): object => transitionParts({text}, within);
  expect(parts('busy.left: call is done [isOk and not isLate] → a, b')).toEqual({
    event: 'call is done',
    guard: '[isOk and not isLate]',
    target: 'a, b',
  });
  expect(parts('busy.left: stop')).toEqual({event: 'stop'});
  expect(parts('busy.left: stop → idle')).toEqual({event: 'stop', target: 'idle'});
  expect(transitionParts({text: 'm: stop [isRoot]'}, state(''))).toEqual({
    event: 'stop',
    guard: '[isRoot]',
  });
});

function state(path: string, transitions: readonly ChartTransitionView[] = []): ChartState {
  const keys = path === '' ? [] : path.split('.');
  return {
    id: ['m', ...keys].join('.'),
    path: keys,
    type: 'atomic',
    tags: [],
    invokes: [],
    transitions,
  };
}

function on(event: string, text: string): ChartTransitionView {
  return {name: `m ${event} ${text}`, event, text};
}

const votingMoment = momentWith(
  [
    started({path: 'run'}),
    started({path: 'run/plan', parent: 'run', state: 'voting'}),
    started({path: 'run/task', parent: 'run', machine: 'task'}),
    started({path: 'run/plan/seat:a', parent: 'run/plan', state: {polling: 'late'}}),
    effectOf('run/plan/seat:a/call', 'run/plan/seat:a'),
  ],
  [requestBy('run/plan/seat:a/call', 'callModel', 'mock/x (vote)')],
);

const all = {
  collapsed: new Set<string>(),
  filter: '',
  changed: new Set<string>(),
  servicesOf: () => new Set<string>(),
};

test('children follow their parent, and an effect is a wait, not a row', () => {
  const rows = actorRows(votingMoment, all);
  expect(shown(rows)).toEqual(['1 run 1/1', '2 plan 1/2', '3 seat:a 1/1', '2 task 2/2']);
  expect(rows[2]?.waits.map(({text}) => text)).toEqual(['mock/x (vote)']);
  expect(rows.map(({isExpanded}) => isExpanded)).toEqual([true, true, undefined, undefined]);
});

test('a collapsed actor counts the hidden ones, and is marked when one of them has changed', () => {
  const changed = new Set(['run/plan/seat:a']);
  const rows = actorRows(votingMoment, {...all, collapsed: new Set(['run/plan']), changed});
  expect(shown(rows)).toEqual(['1 run 1/1', '2 plan 1/2', '2 task 2/2']);
  expect(rows[1]).toMatchObject({isExpanded: false, hidden: 1, isChanged: true});
  expect(rows[2]?.isChanged).toBe(false);
});

test('a filter finds states and machines, keeps the parents, and looks into collapsed actors', () => {
  const collapsed = new Set(['run']);
  const byState = actorRows(votingMoment, {...all, collapsed, filter: 'POLLING seat'});
  expect(shown(byState)).toEqual(['1 run 1/1', '2 plan 1/1', '3 seat:a 1/1']);
  expect(shown(actorRows(votingMoment, {...all, filter: 'task'}))).toEqual([
    '1 run 1/1',
    '2 task 1/1',
  ]);
  expect(actorRows(votingMoment, {...all, filter: 'absent'})).toEqual([]);
});

function shown(rows: readonly ActorRow[]): string[] {
  return rows.map(({level, id, position, size}) => `${level} ${id} ${position}/${size}`);
}

const nested = momentWith([
  started({path: 'run'}),
  started({path: 'run/a', parent: 'run'}),
  started({path: 'run/b', parent: 'run'}),
  started({path: 'run/b/x', parent: 'run/b'}),
]);

const nestedRows = actorRows(nested, {
  collapsed: new Set(['run/b']),
  filter: '',
  changed: new Set(),
  servicesOf: () => new Set(),
});

test.each([
  ['ArrowDown', 0, {path: 'run/a'}],
  ['ArrowUp', 0, {path: 'run'}],
  ['ArrowDown', 2, undefined],
  ['End', 0, {path: 'run/b'}],
  ['PageDown', 0, {path: 'run/b'}],
  ['ArrowRight', 2, {path: 'run/b', toggle: 'open'}],
  ['ArrowRight', 0, {path: 'run/a'}],
  ['ArrowLeft', 0, {path: 'run', toggle: 'close'}],
  ['ArrowLeft', 1, {path: 'run'}],
  ['ArrowLeft', 2, {path: 'run'}],
  ['Enter', 1, undefined],
  ['ArrowRight', 1, undefined],
  ['ArrowDown', -1, {path: 'run'}],
  ['x', 0, undefined],
])(
  'the key %s at the row %i of run, its child a and its collapsed child b: %j',
  (key, row, move) => {
    expect(moveFor(key, nestedRows, row)).toEqual(move);
  },
);

const noServices = (): ReadonlySet<string> => new Set();

test('an actor waits for its active children, and for no others', () => {
  const waits = waitsAt(
    momentWith([
      started({path: 'run'}),
      started({path: 'run/seat:a', parent: 'run'}),
      started({path: 'run/seat:b', parent: 'run', status: 'done'}),
    ]),
    noServices,
  );
  expect([...waits]).toEqual([['run', [{kind: 'actor', text: 'seat:a', path: 'run/seat:a'}]]]);
});

test('an open effect is a wait with its subject, and the port names an effect without a subject', () => {
  const waits = waitsAt(
    momentWith(
      [
        started({path: 'run'}),
        effectOf('run/call', 'run'),
        effectOf('run/gate', 'run'),
        effectOf('run/lock', 'run'),
      ],
      [
        requestBy('run/call', 'callModel', 'mock/x (act)'),
        requestBy('run/gate', 'askHuman', 'Delete?'),
        requestBy('run/lock', 'lockWorkspace', ''),
      ],
    ),
    noServices,
  );
  expect(waits.get('run')?.map(({kind, text}) => `${kind}: ${text}`)).toEqual([
    'model: mock/x (act)',
    'person: Delete?',
    'effect: lockWorkspace',
  ]);
});

test('an actor does not wait for the children that live as long as it does', () => {
  const waits = waitsAt(
    momentWith([
      started({path: 'run', machine: 'tree'}),
      started({path: 'run/lock', parent: 'run'}),
      started({path: 'run/form', parent: 'run'}),
    ]),
    (machine) => new Set(machine === 'tree' ? ['lock'] : []),
  );
  expect(waits.get('run')?.map(({text}) => text)).toEqual(['form']);
});

test('the id of an actor may contain the separator of paths', () => {
  expect(idOf({path: 'run/seat:mock/x', parent: 'run'})).toBe('seat:mock/x');
  expect(idOf({path: 'run'})).toBe('run');
});

test('an actor that is absent began before the moment, else after it, or never', () => {
  const steps = [
    stepWith(0, []),
    beginning(1, 'a'),
    stepWith(2, []),
    beginning(3, 'a'),
    stepWith(4, []),
  ];
  expect(beginningOf(steps, 'a', 4)).toBe(3);
  expect(beginningOf(steps, 'a', 2)).toBe(1);
  expect(beginningOf(steps, 'a', 0)).toBe(1);
  expect(beginningOf(steps, 'b', 4)).toBeUndefined();
});

function beginning(seq: number, path: string): Step {
  return {...stepWith(seq, []), changes: [{change: 'started', ...started({path})}]};
}

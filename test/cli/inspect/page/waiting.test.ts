import {expect, test} from 'vitest';

import {idOf, waitsAt} from '../../../../cli/inspect/page/browser/derived/waiting.ts';
import {effectOf, momentWith, requestBy, started} from './actors-at.ts';

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

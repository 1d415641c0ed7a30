import {expect, test} from 'vitest';

import {type ActorRow, actorRows} from '../../../../cli/inspect/page/browser/derived/actor-rows.ts';
import {effectOf, momentWith, requestBy, started} from './actors-at.ts';

const moment = momentWith(
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
  const rows = actorRows(moment, all);
  expect(shown(rows)).toEqual(['1 run 1/1', '2 plan 1/2', '3 seat:a 1/1', '2 task 2/2']);
  expect(rows[2]?.waits.map(({text}) => text)).toEqual(['mock/x (vote)']);
  expect(rows.map(({isExpanded}) => isExpanded)).toEqual([true, true, undefined, undefined]);
});

test('a collapsed actor counts the hidden ones, and is marked when one of them has changed', () => {
  const changed = new Set(['run/plan/seat:a']);
  const rows = actorRows(moment, {...all, collapsed: new Set(['run/plan']), changed});
  expect(shown(rows)).toEqual(['1 run 1/1', '2 plan 1/2', '2 task 2/2']);
  expect(rows[1]).toMatchObject({isExpanded: false, hidden: 1, isChanged: true});
  expect(rows[2]?.isChanged).toBe(false);
});

test('a filter finds states and machines, keeps the parents, and looks into collapsed actors', () => {
  const collapsed = new Set(['run']);
  const byState = actorRows(moment, {...all, collapsed, filter: 'POLLING seat'});
  expect(shown(byState)).toEqual(['1 run 1/1', '2 plan 1/1', '3 seat:a 1/1']);
  expect(shown(actorRows(moment, {...all, filter: 'task'}))).toEqual(['1 run 1/1', '2 task 1/1']);
  expect(actorRows(moment, {...all, filter: 'absent'})).toEqual([]);
});

function shown(rows: readonly ActorRow[]): string[] {
  return rows.map(({level, id, position, size}) => `${level} ${id} ${position}/${size}`);
}

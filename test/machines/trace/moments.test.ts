import {expect, test} from 'vitest';

import {Moments} from '../../../machines/trace/moments.ts';
import type {ActorChange, Step} from '../../../machines/trace/step.ts';

function step(seq: number, changes: readonly ActorChange[]): Step {
  const cause = {kind: 'entry', entry: {type: 'received'}} as const;
  return {seq, at: seq * 10, cause, changes, messages: [], reports: [], requests: []};
}

const started = (path: string): ActorChange => ({
  change: 'started',
  path,
  machine: 'm',
  logic: 'm',
  status: 'active',
  state: 'idle',
  context: {n: 0},
});

/** A root that counts, and children that come and go. */
const steps: readonly Step[] = Array.from({length: 1_001}, (_, seq) => {
  if (seq === 0) return step(0, [started('i')]);
  const count: ActorChange = {
    change: 'moved',
    path: 'i',
    context: [{path: ['n'], value: seq}],
    ...(seq % 3 === 0 ? {state: `s${seq}`} : {}),
  };
  if (seq % 7 === 1) return step(seq, [count, started('i/a'), started('i/a/b')]);
  return step(seq, seq % 7 === 5 ? [count, {change: 'ended', path: 'i/a'}] : [count]);
});

test('a moment is the same from both directions, and in any order', () => {
  const forwards = new Moments();
  const seen = steps.map((each) => {
    forwards.add([each]);
    return forwards.at(each.seq);
  });
  const moments = new Moments();
  moments.add(steps);
  const order = [1_000, 0, 999, 3, 199, 200, 201, 400, 399, 50, 7, 8, 6, 600, 601, 599];
  for (const index of order) expect(moments.at(index)).toEqual(seen[index]);
  for (let index = 1_000; index >= 0; index -= 13)
    expect(moments.at(index).actors.get('i')?.context).toEqual({n: index});
});

test('an ended actor takes its descendants along', () => {
  const moments = new Moments();
  moments.add(steps);
  expect([...moments.at(4).actors.keys()]).toEqual(['i', 'i/a', 'i/a/b']);
  expect([...moments.at(5).actors.keys()]).toEqual(['i']);
});

test('a step is found by its number, also behind a gap', () => {
  const moments = new Moments();
  moments.add([step(0, []), step(1, []), step(10, [])]);
  expect([-1, 0, 1, 5, 10, 99].map((seq) => moments.indexOf(seq))).toEqual([-1, 0, 1, 1, 2, 2]);
  expect(moments.at(-1).seq).toBe(-1);
  expect(moments.at(99).seq).toBe(10);
});

test('an effect is open from its request until its actor is gone', () => {
  const request = {key: 'i/c#1', port: 'callModel', actor: 'i/c', label: 'm/x (act)'};
  const moments = new Moments();
  const call: ActorChange = {
    change: 'started',
    path: 'i/c',
    logic: 'callModel',
    status: 'active',
    state: null,
    context: null,
  };
  moments.add([
    {...step(0, [started('i'), call]), requests: [request]},
    step(1, [{change: 'moved', path: 'i', state: 'busy'}]),
    step(2, [{change: 'ended', path: 'i/c'}]),
  ]);
  expect([0, 1, 2].map((index) => moments.at(index).open.get('i/c'))).toEqual([
    request,
    request,
    undefined,
  ]);
});

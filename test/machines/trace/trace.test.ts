/** Traces: moments, patches and their packing. */

import {array, assert, constantFrom, dictionary, letrec, oneof, property, string} from 'fast-check';
import {expect, test} from 'vitest';

import type {Json} from '../../../machines/domain/json.ts';
import {Moments} from '../../../machines/trace/moments.ts';
import {Packer, Unpacker} from '../../../machines/trace/packing.ts';
import {applyPatch, membersBetween, patchBetween} from '../../../machines/trace/patch.ts';
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

/** Also with the members that a packed value uses itself. */
const key = oneof(string({maxLength: 40}), constantFrom('$ref', '$more', '$literal', '__proto__'));
const {json} = letrec<{json: Json}>((tie) => ({
  json: oneof(
    {maxDepth: 4},
    constantFrom(null, true, 0, 7, 'short'),
    string({minLength: 80, maxLength: 90}),
    array(tie('json'), {maxLength: 4}),
    dictionary(key, tie('json'), {maxKeys: 4, noNullPrototype: true}),
  ),
}));

test('unpacked values equal the packed ones, over a sequence of packages', () => {
  assert(
    property(array(json, {maxLength: 5}), (contents) => {
      const [packer, unpacker] = [new Packer(), new Unpacker()];
      for (const content of contents) {
        const sent = JSON.parse(JSON.stringify(packer.pack(content)));
        expect(unpacker.unpack(sent)).toStrictEqual(content);
      }
    }),
    {numRuns: 1_000},
  );
});

test('a value that occurs again is sent once, and is one object for the reader', () => {
  const settings = {
    models: ['a/one', 'b/two', 'c/three'],
    rule: 'majority',
    veto: ['policy/*'],
    text: 'x'.repeat(200),
  };
  const [packer, unpacker] = [new Packer(), new Unpacker()];
  const [first, second] = [packer.pack({settings}), packer.pack({again: {...settings}})];
  expect(JSON.stringify(second).length).toBeLessThan(60);
  const [one, other] = [unpacker.unpack(first), unpacker.unpack(second)];
  expect(other).toStrictEqual({again: settings});
  expect(Object(other).again).toBe(Object(one).settings);
});

test('a list that grows is sent by its new members', () => {
  const [packer, unpacker] = [new Packer(), new Unpacker()];
  const list = Array.from({length: 200}, (_, n) => ({role: 'user', text: `${n}`.repeat(100)}));
  const sizes = list.map((_, n) => {
    const sent = JSON.stringify(packer.pack({messages: list.slice(0, n + 1)}));
    expect(unpacker.unpack(JSON.parse(sent))).toStrictEqual({messages: list.slice(0, n + 1)});
    return sent.length;
  });
  expect(sizes.at(-1)).toBeLessThan(2 * (sizes[10] ?? 0));
});

test('a package that does not follow the earlier ones is refused', () => {
  expect(() => new Unpacker().unpack({values: [], content: {$ref: 3}})).toThrow('no value 3');
});

/** With members that JavaScript treats in a special way. */
const patchKey = oneof(string({maxLength: 3}), constantFrom('__proto__', 'length', '0'));
const {json: patchJson} = letrec<{json: Json}>((tie) => ({
  json: oneof(
    {maxDepth: 3},
    constantFrom(null, true, 0, 1, '', 'a'),
    array(tie('json'), {maxLength: 4}),
    dictionary(patchKey, tie('json'), {maxKeys: 4, noNullPrototype: true}),
  ),
}));

test('a patch turns the value before into the value after', () => {
  assert(
    property(patchJson, patchJson, (before, after) => {
      expect(applyPatch(before, patchBetween(before, after))).toStrictEqual(after);
    }),
    {numRuns: 2_000},
  );
});

test('equal values have no differences', () => {
  assert(
    property(patchJson, (value) => {
      expect(patchBetween(value, structuredClone(value))).toEqual([]);
    }),
  );
});

test('only the changed members are in a patch, and the others are shared', () => {
  const before = {plan: {tasks: [{id: 'a'}, {id: 'b'}]}, votes: [1, 2, 3]};
  const after = {plan: {tasks: [{id: 'a'}, {id: 'c'}]}, votes: [1]};
  const patch = patchBetween(before, after);
  expect(patch).toEqual([
    {path: ['plan', 'tasks', 1, 'id'], value: 'c'},
    {path: ['votes'], length: 1},
  ]);
  const patched = applyPatch(before, patch);
  expect(patched).toEqual(after);
  expect(Object(patched).plan.tasks[0]).toBe(before.plan.tasks[0]);
});

test('a patch of another value is refused', () => {
  expect(() => applyPatch({a: 1}, [{path: ['b', 'c'], value: 1}])).toThrow('another value');
  expect(() => applyPatch(1, [{path: ['b'], value: 1}])).toThrow('no value at b');
});

test('members are found with their values before and after', () => {
  const before = {kept: [1], text: 'a', lost: true, deep: {list: [{n: 1}, {n: 2}]}};
  const after = {kept: [1], text: 'b', deep: {list: [{n: 1}, {n: 3}]}};
  expect(membersBetween(before, after)).toEqual([
    {path: ['lost'], before: true},
    {path: ['text'], before: 'a', after: 'b'},
    {path: ['deep', 'list', 1, 'n'], before: 2, after: 3},
  ]);
});

test('an array that became shorter is one difference', () => {
  expect(membersBetween({list: [1, 2, 3]}, {list: [9]})).toEqual([
    {path: ['list'], before: [1, 2, 3], after: [9]},
  ]);
});

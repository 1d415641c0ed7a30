/** Traces of recorded runs: every moment of a trace equals the run replayed up to there. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {momentAfter} from '../../../actors/history/moment.ts';
import {createSqliteJournal, type Entry, type Journal} from '../../../actors/index.ts';
import {RunTrace} from '../../../actors/inspect/run-trace.ts';
import {Moments} from '../../../machines/trace/moments.ts';
import type {Step} from '../../../machines/trace/step.ts';
import {beforeForms, unpackBefore} from '../../fixtures/journals/recorded.ts';
import {sentSteps} from '../../support/traces.ts';

let folder: string;
let journal: Journal;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-trace-'));
  unpackBefore(join(folder, 'journal.db'));
  journal = createSqliteJournal(join(folder, 'journal.db'));
});

afterAll(async () => {
  await journal.close();
  rmSync(folder, {recursive: true});
});

function traced(entries: readonly Entry[]): readonly Step[] {
  const {steps, gaps} = new RunTrace(entries).add(entries);
  expect(gaps).toEqual([]);
  return steps;
}

function byPath(one: {readonly path: string}, other: {readonly path: string}): number {
  return one.path < other.path ? -1 : 1;
}

describe.each(Object.entries(beforeForms))('%s', (_name, {id}) => {
  let entries: readonly Entry[];

  beforeAll(async () => {
    ({entries} = await journal.log.salvage(id));
  });

  test('has at every entry the actors, states and contexts that a replay up to there has', async () => {
    const moments = new Moments();
    moments.add(sentSteps(traced(entries)));
    for (const {seq} of entries) {
      const {actors} = await momentAfter(entries.slice(0, seq + 1));
      const shown = [...moments.at(moments.indexOf(seq)).actors.values()]
        .filter(({machine}) => machine !== undefined)
        .map(({path, machine, state, context}) => ({path, machine, state, context}));
      expect(shown.toSorted(byPath), `entry ${seq}`).toEqual(
        JSON.parse(JSON.stringify(actors.toSorted(byPath))),
      );
    }
  });

  test('has one step for each entry, and takes entries in any portions', () => {
    const whole = traced(entries);
    expect(whole.map(({seq}) => seq)).toEqual(entries.map(({seq}) => seq));
    const trace = new RunTrace(entries.slice(0, 1));
    expect(entries.flatMap((entry) => trace.add([entry]).steps)).toEqual(whole);
  });

  test('has an open effect for each requested call until its outcome', () => {
    const moments = new Moments();
    moments.add(traced(entries));
    for (const [index, {cause}] of moments.steps.entries()) {
      const {entry} = cause.kind === 'entry' ? cause : {};
      if (entry?.type !== 'settled') continue;
      const open = (at: number) => [...moments.at(at).open.values()].map(({key}) => key);
      expect(open(index), `entry ${index}`).not.toContain(entry['key']);
    }
  });
});

test('a run that the charts do not follow has its entries, and a gap that says why', async () => {
  const {id = ''} = beforeForms['agent-ended'] ?? {};
  const {entries} = await journal.log.salvage(id);
  const strange = entries.map((entry) =>
    entry.type === 'settled' && entry.seq > 8 ? {...entry, request: 'another'} : entry,
  );
  const {steps, gaps} = new RunTrace(strange).add(strange);
  const first = strange.find((entry) => entry.type === 'settled' && entry.seq > 8)?.seq ?? -1;
  expect(gaps).toEqual([
    {from: first, reason: expect.stringContaining(`entry ${first} (settled)`)},
  ]);
  expect(steps.length).toBe(entries.length);
  expect(steps.slice(0, first).some(({changes}) => changes.length > 0)).toBe(true);
  for (const {changes, messages} of steps.slice(first))
    expect([changes, messages]).toEqual([[], []]);
});

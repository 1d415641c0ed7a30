/** The page of the charts' coverage: it belongs to the charts as they are. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {machines} from '../../machines/index.ts';
import {mutantsOf} from '../../machines/testing/mutants/mutants.ts';
import {coverageDocument} from './coverage.ts';
import {readOutcomes} from './outcomes.ts';
import {reasonFor, reasons} from './survivors.ts';

const outcomes = readOutcomes();

test('the page is made of the recorded outcomes and of the charts', () => {
  const page = join(import.meta.dirname, '../../diagrams/coverage.md');
  expect(readFileSync(page, 'utf8')).toBe(coverageDocument(outcomes));
});

describe.each(machines.map((machine) => ({id: machine.id, machine})))('$id', ({id, machine}) => {
  const outcome = outcomes[id];
  const names = mutantsOf(machine).mutants.map(({name}) => name);

  test('the recorded mutants are those of the chart', () => {
    if (!outcome) throw new Error(`run: npm run mutants -- ${id}`);
    const {noticed, survivors, unchanged} = outcome;
    expect(noticed + survivors.length + unchanged.length).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([...survivors, ...unchanged]));
  });

  test('each mutant that nothing notices has its reason', () => {
    expect(outcome?.survivors.filter((name) => reasonFor(name) === undefined)).toEqual([]);
  });
});

test('at least 90 % of the mutants are noticed', () => {
  const all = Object.values(outcomes);
  const noticed = all.reduce((sum, each) => sum + each.noticed, 0);
  const survived = all.reduce((sum, each) => sum + each.survivors.length, 0);
  expect(noticed / (noticed + survived)).toBeGreaterThanOrEqual(0.9);
});

test('each reason is for a mutant that nothing notices', () => {
  const needed = new Set(
    Object.values(outcomes).flatMap(({survivors}) => survivors.map((name) => reasonFor(name))),
  );
  expect(reasons.filter(({reason}) => !needed.has(reason))).toEqual([]);
});

/** Thirty machines of others: each is explored, toured, linted and drawn. */

import {expect, test} from 'vitest';

import {toSvg} from '../../../diagrams/drawing/svg.ts';
import {placeChart} from '../../../diagrams/layout/place.ts';
import {toMermaid} from '../../../diagrams/mermaid.ts';
import {explore, lintChart, tours} from '../../../machines/testing/index.ts';
import {corpus} from '../../fixtures/charts/corpus.ts';

const machines = corpus.map((machine) => ({id: machine.id, machine}));

test('there are thirty of them', () => {
  expect(machines.length).toBeGreaterThanOrEqual(30);
});

test.each(machines)('$id is explored, and its tours take every transition', ({id, machine}) => {
  const exploration = explore(machine);
  expect(exploration.transitions.missing).toEqual([]);
  const failures = exploration.failures.map(({message}) => message);
  expect(failures).toEqual(
    id === 'auction' ? ['TypeError: Reduce of empty array with no initial value'] : [],
  );
  const taken = new Set(tours(exploration).flatMap(({steps}) => steps.flatMap(({takes}) => takes)));
  const always = exploration.open().taken();
  const isSound = (name: string) => taken.has(name) || always.includes(name) || failures.length > 0;
  expect(exploration.transitions.covered.filter((name) => !isSound(name))).toEqual([]);
});

test.each(machines)('$id is linted and drawn', async ({machine}) => {
  expect(lintChart(machine).filter(({severity}) => severity === 'error')).toEqual([]);
  expect(toMermaid(machine)).toContain(`title: "${machine.id}"`);
  expect(toSvg(await placeChart(machine))).toContain(`<title>${machine.id}</title>`);
});

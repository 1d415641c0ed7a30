/** Every rule fires in its bad chart, alone, and not in the twin; none fires in charts as people write them. */

import {describe, expect, test} from 'vitest';

import {lintChart, rules} from '../../../../machines/testing/lint.ts';
import {badCharts} from './bad-charts.ts';
import {usualCharts} from './usual-charts.ts';

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

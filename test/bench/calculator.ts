/** Time of one calculator call: parsing and computing, without the engine. */

import {calculate} from '../../tools/calculator.ts';
import type {Row} from './table.ts';

const expressions: readonly (readonly [name: string, expression: string])[] = [
  ['a sum', '1 + 2'],
  ['mixed', '(17.5 * 3 - 4) / 2 ** 3 // 1 + -7 % 3'],
  ['large integers', '2 ** 521 * 3 ** 300 % 1000000007'],
  ['a true quotient of large integers', '10 ** 300 / 7 ** 250'],
  ['1,000 terms', Array.from({length: 1_000}, (_, index) => index).join(' + ')],
  ['a refusal', '1 + 9 ** 9 ** 9'],
];

/** The best of several rounds, which has the least noise of the machine. */
export function measureCalculator(): Row[] {
  return expressions.map(([name, expression]) => ({
    label: `calculator: ${name}`,
    unit: 'µs',
    ours: Math.min(...Array.from({length: 20}, () => microsecondsOf(expression))),
  }));
}

function microsecondsOf(expression: string): number {
  const count = 500;
  const before = performance.now();
  for (let round = 0; round < count; round += 1) calculate(expression);
  return ((performance.now() - before) * 1_000) / count;
}

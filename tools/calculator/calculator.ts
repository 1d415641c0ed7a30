/** calculator: the value of an arithmetic expression. */

import {z} from 'zod';

import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {defineTool} from '../tool.ts';

export const calculator = defineTool({
  name: 'calculator',
  description:
    'Compute an arithmetic expression: decimal numbers, + - * / // % **, signs and parentheses, with the meaning they ' +
    'have in Python. Integers are exact; // and % round down; ** binds to the right and tighter than a sign. ' +
    'No names, no functions.',
  parameters: z.lazy(() =>
    z.strictObject({
      expression: z.string().describe('For example (1 + 2) * 3 ** 4 // 5.'),
    }),
  ),
  does: 'calculates {expression}',
  reaches: 'nothing',
  quotes: false,
  risk: 'low',
  repeatability: 'repeatable',
  timeoutMs: 5_000,
  run: async ({expression}): Promise<ToolOutcome> => {
    const {calculate} = await import('./calculate.ts');
    const result = calculate(expression);
    if (result.ok) return {kind: 'succeeded', text: result.text};
    const {code, offset, message} = result.problem;
    return {kind: 'refused', code, message: `expression, offset ${offset}: ${message}`};
  },
});

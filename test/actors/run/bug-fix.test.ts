/** The cost of a whole repair with a panel of two: calls of models, and tokens sent to them. */

import {expect, test} from 'vitest';

import {fixBug} from '../../support/bug-fix.ts';

test.each([
  {turns: 'one call in each turn', isBatched: false, maxCalls: 17, maxTokens: 25_000},
  {turns: 'an edit and its test in one turn', isBatched: true, maxCalls: 11, maxTokens: 19_000},
])(
  'a bug is fixed by $turns, with at most $maxCalls calls and $maxTokens tokens',
  async ({isBatched, maxCalls, maxTokens}) => {
    const {result, roles} = await fixBug(isBatched);
    expect(result).toMatchObject({status: 'completed', tasks: [{id: 'fix', status: 'succeeded'}]});
    expect(roles.reduce((sum, {calls}) => sum + calls, 0)).toBeLessThanOrEqual(maxCalls);
    expect(roles.reduce((sum, {tokens}) => sum + tokens, 0)).toBeLessThanOrEqual(maxTokens);
  },
);

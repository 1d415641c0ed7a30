import {expect, test} from 'vitest';

import {gatesOf} from '../../../../cli/inspect/page/browser/derived/gates.ts';
import {momentsOf, noted, received} from './trace-steps.ts';

const gate = 'i/gate#1';
const asked = noted({type: 'human.requested', gate, question: {reason: 'Is it right?'}});

test('a gate that is asked again has the newest question', () => {
  const question = {reason: 'Is this one right?', proposalHash: 'new'};
  const moments = momentsOf(asked, noted({type: 'human.requested', gate, question}));
  expect(gatesOf(moments)).toEqual([{index: 0, gate, question}]);
});

test('a decision keeps its reason, and the report of it changes nothing', () => {
  const decision = {gate, decision: 'approve', reason: 'fine'};
  const moments = momentsOf(
    asked,
    received({type: 'human.decided', ...decision}),
    noted({type: 'human.decided', gate, decision: 'reject'}),
  );
  expect(gatesOf(moments)).toMatchObject([{decided: {index: 1, decision}}]);
});

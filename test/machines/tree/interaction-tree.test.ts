import {expect, test} from 'vitest';

import type {RecordedDialogue} from '../../../machines/facts/fact.ts';
import {childrenOf, depthOf, getInteraction, parentOf} from '../../../machines/index.ts';
import {interactionsIn, spawnFault} from '../../../machines/tree/interaction-tree.ts';

function spawned(parent: string, child: string, depth: number): RecordedDialogue {
  const rest = {form: 'ask', contextMode: 'fresh', request: 'what?', by: 'model'} as const;
  const detail = {isAwaited: true};
  return {type: 'interaction.spawned', path: '', child, parent, depth, ...rest, detail};
}

const root = {id: 'r', form: 'agent', contextMode: 'full', request: 'do it'} as const;
const result = {status: 'completed', summary: 'Done.'} as const;
const nodes = interactionsIn(root, [
  spawned('r', 'r.1', 1),
  spawned('r.1', 'r.1.1', 2),
  spawned('r', 'r.2', 1),
  spawned('r.1.1', 'r.1.1.1', 3),
  {type: 'interaction.settled', path: '', child: 'r.2', ...result, detail: {result}},
  {type: 'user.said', path: '', text: 'hurry'},
]);

test('the records of spawned interactions are read as a tree', () => {
  expect(nodes.map(({id}) => id)).toEqual(['r', 'r.1', 'r.1.1', 'r.2', 'r.1.1.1']);
  expect(getInteraction(nodes, 'r.2')).toMatchObject({parent: 'r', by: 'model', result});
  expect(parentOf(nodes, 'r.1.1')?.id).toBe('r.1');
  expect(parentOf(nodes, 'r')).toBeUndefined();
  expect(childrenOf(nodes, 'r').map(({id}) => id)).toEqual(['r.1', 'r.2']);
  expect(depthOf(nodes, 'r.1.1.1')).toBe(3);
  expect(depthOf(nodes, 'x')).toBeUndefined();
});

test.each([
  ['r', 'discuss', undefined],
  ['r.1.1', 'agent', undefined],
  ['r.1.1.1', 'ask', 'maxDepthExceeded'],
  ['r.2', 'ask', 'parentSettled'],
  ['r.3', 'ask', 'parentNotFound'],
  ['r', 'review', 'formNotSpawnable'],
] as const)('below %s, %s: %s', (parent, form, code) => {
  expect(spawnFault(nodes, parent, form)?.code).toBe(code);
});

import type {Rule} from '../rule.ts';

export const unreachableState: Rule = {
  name: 'unreachable-state',
  description: 'No initial state and no transition leads to the state.',
  check: ({nodes, reached}) =>
    nodes
      .filter((node) => !reached.has(node) && (!node.parent || reached.has(node.parent)))
      .map((node) => ({
        node,
        severity: 'error' as const,
        message: `no transition leads to ${node.key}`,
        fix: 'add a transition to it, or delete it',
      })),
};

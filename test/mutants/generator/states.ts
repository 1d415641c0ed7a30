/** Changes of a state itself: of its initial state, its actions and its type. */

import {type ChartNode, nodesOf, transitionsOf} from '../../../machines/testing/chart.ts';
import {listOf, pathOf, valueAt, withValue} from './config.ts';
import {isAbort} from './effects.ts';
import {actionText, type Change} from './mutant.ts';

export function stateChanges(node: ChartNode): Change[] {
  return [
    ...withoutActions(node, 'entry'),
    ...withoutActions(node, 'exit'),
    ...otherInitial(node),
    ...notFinal(node),
  ];
}

function withoutActions(node: ChartNode, when: 'entry' | 'exit'): Change[] {
  const path = [...pathOf(node), when];
  const actions = listOf(valueAt(node.machine.config, path));
  return actions.map((action, at): Change => {
    const isStop = isAbort(node.machine, action);
    return {
      kind: isStop ? 'drop-abort' : `drop-${when}`,
      node,
      text: `drop ${actionText(action, at)} at ${when}`,
      hint: isStop
        ? 'check that what was begun is stopped'
        : `check what ${actionText(action, at)} does`,
      apply: (config) =>
        withValue(
          config,
          path,
          actions.filter((_, other) => other !== at),
        ),
      reason: undefined,
    };
  });
}

function otherInitial(node: ChartNode): Change[] {
  const [initial] = node.type === 'compound' ? node.initial.target : [];
  if (!initial) return [];
  const all = Object.values(node.states);
  const at = all.indexOf(initial);
  const others = [...all.slice(at + 1), ...all.slice(0, at)].filter(({type}) => type !== 'history');
  const to = others.find(({type}) => type !== 'final') ?? others[0];
  if (!to) return [];
  const path = [...pathOf(node), 'initial'];
  const said = valueAt(node.machine.config, path);
  const target = typeof said === 'object' && said !== null ? {...said, target: to.key} : to.key;
  return [
    {
      kind: 'change-initial',
      node,
      text: `start in ${to.key}`,
      hint: `check that it starts in ${initial.key}`,
      apply: (config) => withValue(config, path, target),
      reason: isStarted(node) ? undefined : 'it is always entered by one of the states within it',
    },
  ];
}

/** True if a state is ever entered without saying which of the states within it. */
function isStarted(node: ChartNode): boolean {
  const {parent, machine, states} = node;
  if (!parent || parent.type === 'parallel') return true;
  const isTarget = nodesOf(machine.root)
    .flatMap(transitionsOf)
    .some(({target = []}) => target.includes(node));
  const hasHistory = Object.values(states).some(({type}) => type === 'history');
  return isTarget || hasHistory || parent.initial.target.includes(node);
}

function notFinal(node: ChartNode): Change[] {
  if (node.type !== 'final') return [];
  return [
    {
      kind: 'drop-final',
      node,
      text: 'be an ordinary state, not a final one',
      hint: `check that ${node.parent?.parent ? `${node.parent.key} is over` : 'the machine is done'} in it`,
      apply: (config) => withValue(config, [...pathOf(node), 'type'], 'atomic'),
      reason: isEndNoticed(node) ? undefined : `nothing depends on the end of ${node.parent?.key}`,
    },
  ];
}

/** True if something depends on the end of a final state's parent. */
function isEndNoticed({parent, machine}: ChartNode): boolean {
  if (!parent?.parent || parent.parent.type === 'parallel') return true;
  const event = `xstate.done.state.${parent.id}`;
  return nodesOf(machine.root)
    .flatMap(({transitions}) => Array.from(transitions.keys()))
    .some((each) => each === event || each.endsWith('*'));
}

/** The notes of a state: its tags, its actions, its actors, and the events that it handles without a change of state. */

import {type ChartNode, nodesOf, transitionsOf} from '../machines/testing/chart.ts';
import {actionNames, eventName, invokeLabel, isChoice, transitionLabel} from './label.ts';

export interface Note {
  readonly kind: 'tag' | 'action' | 'actor' | 'event';
  readonly text: string;
}

/** `word`: the label of a transition without a target. */
export function notesOf(node: ChartNode, word = transitionLabel): Note[] {
  const staying = transitionsOf(node).filter(({target}) => target === undefined);
  const handled = staying.filter(({actions}) => actions.length > 0);
  const ignored = staying.filter(({actions}) => actions.length === 0);
  return [
    ...node.tags.map((text): Note => ({kind: 'tag', text})),
    ...listed('action', 'entry /', notableActions(node, 'entry')),
    ...listed('action', 'exit /', notableActions(node, 'exit')),
    ...node.invoke.map((invoke): Note => ({kind: 'actor', text: invokeLabel(invoke, node)})),
    ...listed(
      'event',
      'on',
      handled.map((transition) => word(transition, node)),
    ),
    ...listed(
      'event',
      'ignores',
      ignored.map((transition) => eventName(transition, node)),
    ),
  ];
}

function listed(kind: Note['kind'], word: string, names: readonly string[]): Note[] {
  return names.length > 0 ? [{kind, text: `${word} ${[...new Set(names)].join(', ')}`}] : [];
}

/** Minimum number of states with an action for it to count as common. */
const commonFrom = 3;

/** The actions of a state, except actions that most states of its kind have, such as `reportPhase`. */
function notableActions(node: ChartNode, when: 'entry' | 'exit'): string[] {
  const peers = nodesOf(node.machine.root).filter(
    (each) => each.type === node.type && isChoice(each) === isChoice(node),
  );
  return actionNames(node[when]).filter((name) => {
    const same = peers.filter((peer) => actionNames(peer[when]).includes(name)).length;
    return same < commonFrom || same * 2 <= peers.length;
  });
}

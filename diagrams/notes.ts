/** The notes of a state: its tags, its actions, the actors that it starts, the events that it handles without being left. */

import {type ChartNode, nodesOf, transitionsOf} from '../machines/testing/chart.ts';
import {actionNames, eventName, invokeLabel, isChoice, transitionLabel} from './label.ts';

export interface Note {
  readonly kind: 'tag' | 'action' | 'actor' | 'event';
  readonly text: string;
}

/** `word`: what to call a transition that leaves the state where it is. */
export function notesOf(node: ChartNode, word = transitionLabel): Note[] {
  const staying = transitionsOf(node).filter(({target}) => target === undefined);
  const heard = staying.filter(({actions}) => actions.length > 0);
  const ignored = staying.filter(({actions}) => actions.length === 0);
  return [
    ...node.tags.map((text): Note => ({kind: 'tag', text})),
    ...listed('action', 'entry /', telling(node, 'entry')),
    ...listed('action', 'exit /', telling(node, 'exit')),
    ...node.invoke.map((invoke): Note => ({kind: 'actor', text: invokeLabel(invoke, node)})),
    ...listed(
      'event',
      'on',
      heard.map((transition) => word(transition, node)),
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

/** So many states that all do the same say nothing about any of them. */
const crowd = 3;

/** Actions but those that most states of the machine have, such as telling that they were reached. */
function telling(node: ChartNode, when: 'entry' | 'exit'): string[] {
  const peers = nodesOf(node.machine.root).filter(
    (each) => each.type === node.type && isChoice(each) === isChoice(node),
  );
  return actionNames(node[when]).filter((name) => {
    const same = peers.filter((peer) => actionNames(peer[when]).includes(name)).length;
    return same < crowd || same * 2 <= peers.length;
  });
}

/** What a state says of itself: its tags, what it starts, what it hears and ignores without leaving. */

import {type ChartNode, nodesOf, transitionsOf} from '../machines/testing/chart.ts';
import {actionNames, escapeText, eventName, invokeLabel, transitionLabel} from './label.ts';

export function notesOf(node: ChartNode): string[] {
  const staying = transitionsOf(node).filter(({target}) => target === undefined);
  const heard = staying.filter(({actions}) => actions.length > 0);
  const ignored = staying.filter(({actions}) => actions.length === 0);
  return [
    ...node.tags.map((tag) => `‹${tag}›`),
    ...listed('entry /', telling(node, 'entry')),
    ...listed('exit /', telling(node, 'exit')),
    ...node.invoke.map(invokeLabel),
    ...listed(
      'hears',
      heard.map((transition) => transitionLabel(transition, node)),
    ),
    ...listed(
      'ignores',
      ignored.map((transition) => eventName(transition, node)),
    ),
  ].map(escapeText);
}

function listed(word: string, names: readonly string[]): string[] {
  return names.length > 0 ? [`${word} ${[...new Set(names)].join(', ')}`] : [];
}

/** So many states that all do the same say nothing about any of them. */
const crowd = 3;

/** Actions but those that most states of the machine have, such as telling that they were reached. */
function telling(node: ChartNode, when: 'entry' | 'exit'): string[] {
  const peers = nodesOf(node.machine.root).filter(({type}) => type === node.type);
  return actionNames(node[when]).filter((name) => {
    const same = peers.filter((peer) => actionNames(peer[when]).includes(name)).length;
    return same < crowd || same * 2 <= peers.length;
  });
}

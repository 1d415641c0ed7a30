/** The appearance of a state: its shape, its colour and its texts. */

import {type ChartNode, transitionsOf} from '../../machines/testing/chart.ts';
import {eventName, isChoice} from '../label.ts';
import {type Note, notesOf} from '../notes.ts';
import {stacked, type Word} from './blocks.ts';
import type {Block} from './graph.ts';
import type {NodeShape, Tone} from './positions.ts';
import {shortened, wrapped} from './text.ts';

const [nameWidth, noteWidth] = [260, 230];

export function shapeOf(node: ChartNode): NodeShape {
  if (node.history === 'deep') return 'deepHistory';
  if (node.type !== 'atomic') return node.type;
  return isLeftAtOnce(node) ? 'choice' : 'state';
}

/** True if the state has the tag, or has only `always` transitions with a last one that is unguarded. */
function isLeftAtOnce(node: ChartNode): boolean {
  const {always = [], invoke} = node;
  const isIdle = invoke.length === 0 && transitionsOf(node).length === always.length;
  return isChoice(node) || (isIdle && always.length > 0 && always.at(-1)?.guard === undefined);
}

export function toneOf(node: ChartNode): Tone {
  if (node.tags.includes('failure')) return 'failure';
  if (node.tags.includes('waitsForPerson')) return 'person';
  return node.invoke.length > 0 ? 'actor' : 'plain';
}

/** Tags that the colour or the shape shows. */
const shown: ReadonlySet<string> = new Set(['choice', 'failure', 'waitsForPerson']);

/** The name and the notes of a state. For a parent, this is its header. */
export function stateBlock(node: ChartNode): Block {
  const notes = notesOf(node, eventName).filter(
    ({text, kind}) => kind !== 'tag' || !shown.has(text),
  );
  const name = shortened(node.key, 'name', nameWidth);
  return stacked([[{kind: 'name', text: name}, ...tagWords(notes)], ...noteLines(notes)]);
}

/** The name of the machine and its own notes. */
export function titleBlock(root: ChartNode): Block {
  const notes = notesOf(root, eventName);
  const title = shortened(root.machine.id, 'title', 2 * nameWidth);
  return stacked([
    [{kind: 'title', text: title}, ...tagWords(notes)],
    ...noteLines(notes, 2 * noteWidth),
  ]);
}

/** Tags are beside the name. */
function tagWords(notes: readonly Note[]): Word[] {
  return notes
    .filter(({kind}) => kind === 'tag')
    .map(({text}) => ({kind: 'tag', text: shortened(text, 'tag', noteWidth)}));
}

function noteLines(notes: readonly Note[], most = noteWidth): Word[][] {
  return notes.flatMap(({kind, text}): Word[][] => {
    if (kind === 'tag') return [];
    if (kind === 'actor') return [[{kind, text: shortened(text, kind, noteWidth)}]];
    return wrapped(text, 'note', most).map((line) => [{kind: 'note', text: line}]);
  });
}

/** The graph of a chart. */

import type {AnyStateMachine} from 'xstate';

import {
  type ChartNode,
  type ChartTransition,
  nodesOf,
  transitionName,
  transitionsOf,
} from '../../machines/testing/chart.ts';
import {
  defaultsOf,
  type Edge,
  edgesOf,
  eventName,
  isChoice,
  isFailure,
  type Label,
  labelOf,
  leadsInside,
  type Note,
  notesOf,
  transitionLabel,
} from '../label.ts';
import {
  type Arrow,
  type Block,
  type Box,
  boxesIn,
  boxSize,
  centred,
  emptyBlock,
  type Graph,
  isBeside,
  stacked,
  type Word,
} from './graph.ts';
import type {NodeShape, Tone} from './positions.ts';
import {shortened, textWidth, wrapped} from './text.ts';

/** Width and height. */
const small = {choice: 26, history: 26, deepHistory: 26, initial: 12};
const labelWidth = 190;

type Ids = ReadonlyMap<ChartNode, string>;

export function chartGraph({root, id}: AnyStateMachine): Graph {
  const nodes = nodesOf(root);
  const ids = new Map(nodes.map((node, index) => [node, `n${index}`]));
  const hasStates = Object.keys(root.states).length > 0;
  return {
    machine: id,
    title: hasStates ? titleBlock(root) : emptyBlock,
    boxes: hasStates ? boxesWithin(root, ids) : [boxOf(root, ids)],
    arrows: nodes.flatMap((node) =>
      edgesOf(node)
        .map((edge) => arrowOf(edge, ids))
        .concat(startsOf(node, ids)),
    ),
  };
}

function boxesWithin(node: ChartNode, ids: Ids): Box[] {
  const children = Object.values(node.states).map((child) => boxOf(child, ids));
  const mark = {state: node.id, tone: 'plain', children: []} as const;
  const initial: Box = {
    ...mark,
    id: initialOf(node, ids),
    shape: 'initial',
    width: small.initial,
    height: small.initial,
    block: emptyBlock,
  };
  const block = stacked([[{kind: 'note', text: 'any state'}]]);
  const any: Box = {...mark, id: anyOf(node, ids), shape: 'any', block, ...boxSize(block)};
  return [
    ...(node.type === 'compound' ? [initial] : []),
    ...(edgesOf(node).some(({to}) => leadsInside(node, to)) ? [any] : []),
    ...children,
  ];
}

function boxOf(node: ChartNode, ids: Ids): Box {
  const shape = shapeOf(node);
  const block = stateBlock(node);
  const tone = toneOf(node);
  const {width, height} = boxSize(block, tone);
  const side = isBeside(shape) ? small[shape] : undefined;
  return {
    id: idOf(node, ids),
    state: node.id,
    shape,
    tone,
    width: side ?? width,
    height: side ?? height,
    block,
    children: boxesWithin(node, ids),
  };
}

function idOf(node: ChartNode, ids: Ids): string {
  return ids.get(node) ?? '';
}

function initialOf(node: ChartNode, ids: Ids): string {
  return `${idOf(node, ids)}initial`;
}

function anyOf(node: ChartNode, ids: Ids): string {
  return `${idOf(node, ids)}any`;
}

/** A transition from a parent to a state inside it starts at the "any state" of the parent. */
function arrowOf({from, to, transitions}: Edge, ids: Ids): Arrow {
  return {
    source: leadsInside(from, to) ? anyOf(from, ids) : idOf(from, ids),
    target: idOf(to.parent ? to : firstState(to), ids),
    edge: {
      from: from.id,
      to: to.id,
      transitions: transitions.map(transitionName),
      tone: transitions.every(isFailure) ? 'failure' : 'plain',
    },
    block: labelBlock(transitions, from),
  };
}

/** A machine with states has no box of its own: an arrow to it ends at its first state. */
function firstState(root: ChartNode): ChartNode {
  const [first] = root.type === 'compound' ? root.initial.target : Object.values(root.states);
  return first ?? root;
}

/** Equal labels occur once. */
function labelBlock(transitions: readonly ChartTransition[], node: ChartNode): Block {
  const labels = new Map(
    transitions.map((each) => [transitionLabel(each, node), labelOf(each, node)]),
  );
  return centred([...labels.values()].flatMap(labelLines));
}

/** One line if it fits. */
function labelLines({event = '', condition = ''}: Label): Word[][] {
  const guard = condition === 'else' && event !== '' ? '[else]' : condition;
  if (event !== '' && guard !== '' && textWidth(`${event} ${guard}`, 'event') <= labelWidth) {
    return [
      [
        {kind: 'event', text: event},
        {kind: 'guard', text: guard},
      ],
    ];
  }
  return [
    ...wrapped(event, 'event', labelWidth).map((text): Word[] => [{kind: 'event', text}]),
    ...wrapped(guard, 'guard', labelWidth).map((text): Word[] => [{kind: 'guard', text}]),
  ];
}

/** The arrows from an initial mark to the first state, and from a history to its default. */
function startsOf(node: ChartNode, ids: Ids): Arrow[] {
  const first = node.type === 'compound' ? (node.initial?.target ?? []) : [];
  return [...first, ...defaultsOf(node)].map((to) => ({
    source: node.type === 'compound' ? initialOf(node, ids) : idOf(node, ids),
    target: idOf(to, ids),
    edge: {from: node.id, to: to.id, transitions: [], tone: 'start'},
    block: emptyBlock,
  }));
}

// The appearance of a state: its shape, its colour and its texts.

const [nameWidth, noteWidth] = [260, 230];

function shapeOf(node: ChartNode): NodeShape {
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

function toneOf(node: ChartNode): Tone {
  if (node.tags.includes('failure')) return 'failure';
  if (node.tags.includes('waitsForPerson')) return 'person';
  return node.invoke.length > 0 ? 'actor' : 'plain';
}

/** Tags that the colour or the shape shows. */
const shown: ReadonlySet<string> = new Set(['choice', 'failure', 'waitsForPerson']);

/** The name and the notes of a state. For a parent, this is its header. */
function stateBlock(node: ChartNode): Block {
  const notes = notesOf(node, eventName).filter(
    ({text, kind}) => kind !== 'tag' || !shown.has(text),
  );
  const name = shortened(node.key, 'name', nameWidth);
  return stacked([[{kind: 'name', text: name}], ...noteLines(notes)]);
}

/** The name of the machine and its own notes. */
function titleBlock(root: ChartNode): Block {
  const notes = notesOf(root, eventName);
  const title = shortened(root.machine.id, 'title', 2 * nameWidth);
  return stacked([[{kind: 'title', text: title}], ...noteLines(notes, 2 * noteWidth)]);
}

function noteLines(notes: readonly Note[], most = noteWidth): Word[][] {
  return notes.flatMap(({kind, text}): Word[][] => {
    if (kind === 'actor' || kind === 'tag')
      return [[{kind, text: shortened(text, kind, noteWidth)}]];
    return wrapped(text, 'note', most).map((line) => [{kind: 'note', text: line}]);
  });
}

// An overview graph of a chart: without notes and failures, and with only the first final state.

/** Leaves out inner states: their arrows lead to the outer state. */
export function sketchOf({machine, boxes, arrows}: Graph): Graph {
  const goal = boxes.find(({shape}) => shape === 'final');
  const kept = boxes.filter(
    (box) => box.shape !== 'any' && (box.shape !== 'final' || box === goal),
  );
  const outer = new Map(kept.flatMap((box) => boxesIn([box]).map(({id}) => [id, box.id])));
  const known = new Set(kept.map(({id}) => id));
  const main = arrows
    .map((arrow) => ({...arrow, target: outer.get(arrow.target) ?? arrow.target}))
    .filter(
      ({edge, source, target}) => edge.tone !== 'failure' && known.has(source) && known.has(target),
    )
    .filter(({source, target}) => source !== target);
  const ways = main.filter(
    ({target}) => target === goal?.id || main.some(({source}) => source === target),
  );
  const used = new Set(ways.flatMap(({source, target}) => [source, target]));
  return {
    machine,
    title: emptyBlock,
    boxes: kept.filter(({id}) => used.has(id)).map(nameOnly),
    arrows: ways.map((arrow) => withoutReason(arrow, ways)),
  };
}

/** Leaves out the label of an arrow that is the only one from its state. */
function withoutReason(arrow: Arrow, arrows: readonly Arrow[]): Arrow {
  const ways = arrows.filter(({source}) => source === arrow.source);
  return ways.length > 1 ? arrow : {...arrow, block: emptyBlock};
}

function nameOnly(box: Box): Box {
  const names = box.block.texts.filter(({kind}) => kind === 'name');
  const block = stacked(names.length > 0 ? [names] : []);
  const isSmall = isBeside(box.shape) || box.shape === 'initial';
  const shape = box.children.length > 0 ? 'state' : box.shape;
  return {...box, shape, block, children: [], ...(isSmall ? {} : boxSize(block, box.tone))};
}

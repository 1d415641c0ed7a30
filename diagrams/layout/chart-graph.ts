/** The graph of a chart. */

import type {AnyStateMachine} from 'xstate';

import {
  type ChartNode,
  type ChartTransition,
  nodesOf,
  transitionName,
} from '../../machines/testing/chart.ts';
import {defaultsOf, type Edge, edgesOf, leadsInside} from '../edges.ts';
import {isFailure, type Label, labelOf, transitionLabel} from '../label.ts';
import {centred, stacked, type Word} from './blocks.ts';
import {shapeOf, stateBlock, titleBlock, toneOf} from './boxes.ts';
import {
  type Arrow,
  type Block,
  type Box,
  boxSize,
  emptyBlock,
  type Graph,
  isBeside,
} from './graph.ts';
import {textWidth, wrapped} from './text.ts';

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

/** Converts the output of the layout engine to positions. */

import type {
  ElkEdgeSection,
  ElkExtendedEdge,
  ElkNode,
  ElkPoint,
  ElkShape,
} from 'elkjs/lib/elk.bundled.js';

import {type Arrow, type Box, boxesIn, type Graph, labelMargin, margin, padding} from './graph.ts';
import {aligned, type Point, straightened, verticalIn} from './lines.ts';
import type {
  ChartPositions,
  NodeShape,
  PlacedEdge,
  PlacedNode,
  PlacedText,
  Rect,
} from './positions.ts';

/** The line box of a title is higher than its letters. */
const titleTop = margin - 4;

export function positionsIn(graph: Graph, laid: ElkNode): ChartPositions {
  const nodes = new Map(nodesIn(laid).map((node) => [node.id, node]));
  const boxes = boxesIn(graph.boxes);
  const shapes = new Map(boxes.map(({id, shape}) => [id, shape]));
  return {
    machine: graph.machine,
    width: Math.ceil(laid.width ?? 0),
    height: Math.ceil(laid.height ?? 0),
    texts: moved(graph.title.texts, margin, titleTop),
    nodes: boxes.map((box) => placedNode(box, nodes.get(box.id))),
    edges: graph.arrows.map((arrow, index) => placedEdge(arrow, laid.edges?.[index], shapes)),
  };
}

function nodesIn(node: ElkNode): ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(nodesIn)];
}

function placedNode(box: Box, laid: ElkNode = nothing): PlacedNode {
  const {state, shape, tone, block} = box;
  const rect = rectOf(laid);
  const [label] = laid.labels ?? [];
  const {x, y} = label
    ? rectOf(label)
    : {x: rect.x + leftOf(box, rect.width), y: rect.y + padding.y};
  return {
    state,
    shape,
    tone,
    x: rounded(rect.x),
    y: rounded(rect.y),
    width: rounded(rect.width),
    height: rounded(rect.height),
    texts: moved(block.texts, x, y),
  };
}

const nothing: ElkNode = {id: ''};

/** All four are optional in the types of the layout engine. */
function rectOf({x = 0, y = 0, width = 0, height = 0}: ElkShape): Rect {
  return {x, y, width, height};
}

/** A single line is centred, unless a mark is beside it or states are below it. */
function leftOf({block, children, tone}: Box, width: number): number {
  const isLine = block.height <= (block.texts[0]?.height ?? 0);
  const isCentred = isLine && children.length === 0 && tone !== 'person';
  return isCentred ? (width - block.width) / 2 : padding.x;
}

function placedEdge(
  {source, target, edge, block}: Arrow,
  laid: ElkExtendedEdge | undefined,
  shapes: ReadonlyMap<string, NodeShape>,
): PlacedEdge {
  const joints = (laid?.junctionPoints ?? []).map(pointAt);
  const mayMove = {start: isWide(shapes.get(source)), end: isWide(shapes.get(target))};
  const line = aligned((laid?.sections ?? []).flatMap(cornersOf).map(pointAt));
  const points = joints.length > 0 ? line : straightened(line, mayMove);
  const label = rectOf(laid?.labels?.[0] ?? nothing);
  const middle = verticalIn(points, label) ?? label.x + label.width / 2;
  const left = middle - label.width / 2 + labelMargin.x;
  return {...edge, points, joints, texts: moved(block.texts, left, label.y + labelMargin.y)};
}

function cornersOf({startPoint, bendPoints = [], endPoint}: ElkEdgeSection): ElkPoint[] {
  return [startPoint, ...bendPoints, endPoint];
}

/** True if the end of an arrow may move a little to the left or right. */
function isWide(shape: NodeShape | undefined): boolean {
  return shape === 'state' || shape === 'compound' || shape === 'parallel';
}

function pointAt({x, y}: ElkPoint): Point {
  return [rounded(x), rounded(y)];
}

function moved(texts: readonly PlacedText[], x: number, y: number): PlacedText[] {
  return texts.map((text) => ({...text, x: rounded(text.x + x), y: rounded(text.y + y)}));
}

/** Rounds to half pixels. */
function rounded(value: number): number {
  return Math.round(value * 2) / 2;
}

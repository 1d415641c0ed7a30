/** Places every box and every arrow with elkjs. The same graph gets the same positions. */

import type {
  ElkEdgeSection,
  ElkExtendedEdge,
  ElkLabel,
  ElkNode,
  ElkPoint,
  ElkPort,
  ElkShape,
  LayoutOptions,
} from 'elkjs/lib/elk.bundled.js';
import type {AnyStateMachine} from 'xstate';

import {chartGraph} from './chart-graph.ts';
import {
  type Arrow,
  type Box,
  boxesIn,
  type Graph,
  isBeside,
  labelMargin,
  margin,
  padding,
} from './graph.ts';
import type {
  ChartPositions,
  NodeShape,
  PlacedEdge,
  PlacedNode,
  PlacedText,
  Rect,
} from './positions.ts';

/** The space between a parent's texts and its children. */
const below = 12;

const options: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  // With other strategies, initial states sink to the bottom.
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '12',
  'elk.layered.spacing.nodeNodeBetweenLayers': '20',
  'elk.layered.spacing.edgeNodeBetweenLayers': '10',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '9',
};

/**
 * Measured on all charts of Quorate: 20 % fewer crossings than with the defaults, but seconds for a chart of 100 states.
 * `compaction.postCompaction` would save a little room, but draws some lines through states, and fails for some charts.
 */
const careful: LayoutOptions = {
  'elk.layered.layering.strategy': 'COFFMAN_GRAHAM',
  'elk.layered.thoroughness': '50',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
};
/** A chart of 200 states takes one to three seconds. */
const quick: LayoutOptions = {
  'elk.layered.thoroughness': '3',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
};
const mostArrows = 80;

/** Any machine of XState 5. Loads the layout engine at the first call. */
export async function placeChart(machine: AnyStateMachine): Promise<ChartPositions> {
  return await placeGraph(chartGraph(machine));
}

export async function placeGraph(graph: Graph): Promise<ChartPositions> {
  const {default: Elk} = await import('elkjs/lib/elk.bundled.js');
  const elk = new Elk.default();
  const laid = await elk.layout(elkGraph(graph, new Map()));
  const missing = missingWidths(graph, laid);
  return positionsIn(graph, missing.size === 0 ? laid : await elk.layout(elkGraph(graph, missing)));
}

/** By the id of a parent that is too narrow for its texts: the layout engine overlooks the least size of some. */
function missingWidths({boxes}: Graph, laid: ElkNode): ReadonlyMap<string, number> {
  const widths = new Map(nodesIn(laid).map(({id, width = 0}) => [id, width]));
  const missing = boxesIn(boxes).map(
    ({id, width}) => [id, width - (widths.get(id) ?? width)] as const,
  );
  return new Map(missing.filter(([, width]) => width > 0));
}

/** `more`: additional widths, by the ids of parents. */
function elkGraph(
  {title, boxes, arrows, direction = 'DOWN'}: Graph,
  more: ReadonlyMap<string, number>,
): ElkNode {
  const ports = new Set(
    boxesIn(boxes)
      .flatMap(portsOf)
      .map(({id}) => id),
  );
  const top = title.height > 0 ? title.height + margin + below : margin;
  return {
    id: 'chart',
    layoutOptions: {
      ...options,
      ...(arrows.length > mostArrows ? quick : careful),
      'elk.direction': direction,
      'elk.padding': `[top=${top},left=${margin},bottom=${margin},right=${margin}]`,
      ...atLeast(title.width + 2 * margin, 0),
    },
    children: boxes.map((box) => elkNode(box, more)),
    edges: arrows.map((arrow, index) => elkEdge(arrow, `e${index}`, ports)),
  };
}

function atLeast(width: number, height: number): LayoutOptions {
  return {
    'elk.nodeSize.constraints': 'MINIMUM_SIZE',
    'elk.nodeSize.minimum': `(${width}, ${height})`,
  };
}

function elkNode(box: Box, more: ReadonlyMap<string, number>): ElkNode {
  const {id, width, height, block, children} = box;
  if (children.length > 0) {
    const top = block.height + padding.y + below;
    const layoutOptions = {
      'elk.padding': `[top=${top},left=16,bottom=16,right=${16 + (more.get(id) ?? 0)}]`,
      ...atLeast(width, height),
    };
    return {id, layoutOptions, children: children.map((child) => elkNode(child, more))};
  }
  return {
    id,
    width,
    height,
    ports: portsOf(box),
    labels: isBeside(box.shape) ? [elkLabel(id, block.width, block.height)] : [],
    layoutOptions: {
      'elk.portConstraints': portsOf(box).length > 0 ? 'FIXED_POS' : 'FREE',
      'elk.nodeLabels.placement': 'OUTSIDE H_RIGHT V_CENTER',
    },
  };
}

/** Fixed ports. All arrows to a final state meet in one point, as do the arrows to a choice, and the arrows from it. */
function portsOf({id, shape, width, height}: Box): ElkPort[] {
  const at = (place: string, y: number, side: string): ElkPort => ({
    id: `${id}${place}`,
    x: width / 2,
    y,
    layoutOptions: {'elk.port.side': side},
  });
  if (shape === 'choice') return [at('top', 0, 'NORTH'), at('bottom', height, 'SOUTH')];
  return shape === 'final' ? [at('top', 0, 'NORTH')] : [];
}

function elkEdge(
  {source, target, block}: Arrow,
  id: string,
  ports: ReadonlySet<string>,
): ElkExtendedEdge {
  const [from, to] = [`${source}bottom`, `${target}top`];
  const label = {
    ...elkLabel(id, block.width + 2 * labelMargin.x, block.height + 2 * labelMargin.y),
    layoutOptions: {'elk.edgeLabels.inline': 'true', 'elk.edgeLabels.placement': 'CENTER'},
  };
  return {
    id,
    sources: [ports.has(from) ? from : source],
    targets: [ports.has(to) ? to : target],
    labels: block.height > 0 ? [label] : [],
  };
}

function elkLabel(owner: string, width: number, height: number): ElkLabel {
  return {id: `${owner}label`, text: 'label', width, height};
}

// Converts the output of the layout engine to positions.

// Lines with vertical and horizontal segments.

type Point = readonly [x: number, y: number];

/** Shorter segments are bends that are removed. */
const least = 7;

/**
 * The line with exactly vertical and horizontal segments, and without points inside a segment: the layout engine is off by
 * a fraction of a pixel where a line crosses the border of a state.
 */
function aligned(points: readonly Point[]): readonly Point[] {
  const line: Point[] = [];
  for (const [x, y] of points) {
    const [beforeX, beforeY] = line.at(-1) ?? [Infinity, Infinity];
    const isVertical = Math.abs(x - beforeX) <= 1;
    const isHorizontal = !isVertical && Math.abs(y - beforeY) <= 1;
    line.push([isVertical ? beforeX : x, isHorizontal ? beforeY : y]);
  }
  return line.filter((point, index) => !isBetween(point, line[index - 1], line[index + 1]));
}

function isBetween([x, y]: Point, before: Point | undefined, after: Point | undefined): boolean {
  if (!before || !after) return false;
  return (x === before[0] && x === after[0]) || (y === before[1] && y === after[1]);
}

interface Ends {
  readonly start: boolean;
  readonly end: boolean;
}

/**
 * The line without small steps to the side: one of the segments beside a step moves onto the other. A segment at an end
 * moves only if `mayMove` allows it.
 */
function straightened(points: readonly Point[], mayMove: Ends): readonly Point[] {
  for (let index = 0; index + 3 < points.length; index += 1) {
    const step = stepAt(points, index);
    const isFree = {
      start: index > 0 || mayMove.start,
      end: index + 4 < points.length || mayMove.end,
    };
    if (!step || !(isFree.start || isFree.end)) continue;
    const {first, last, axis} = step;
    const to = isFree.start ? last[axis] : first[axis];
    const ends = [onto(first, axis, to), onto(last, axis, to)];
    return straightened([...points.slice(0, index), ...ends, ...points.slice(index + 4)], mayMove);
  }
  return points;
}

interface Step {
  readonly first: Point;
  readonly last: Point;
  /** The axis across the line. */
  readonly axis: 0 | 1;
}

/** Two segments in one direction with a short one across between them. */
function stepAt(points: readonly Point[], index: number): Step | undefined {
  const [a, b, c, d] = points.slice(index, index + 4);
  if (!a || !b || !c || !d) return undefined;
  const [axis, along] = a[0] === b[0] ? ([0, 1] as const) : ([1, 0] as const);
  const isShort = b[along] === c[along] && Math.abs(b[axis] - c[axis]) < least;
  const isSame = Math.sign(b[along] - a[along]) === Math.sign(d[along] - c[along]);
  return isShort && isSame && c[axis] === d[axis] ? {first: a, last: d, axis} : undefined;
}

function onto([x, y]: Point, axis: 0 | 1, value: number): Point {
  return axis === 0 ? [value, y] : [x, value];
}

/** The x of the vertical segment that passes through the middle of a box. Undefined if there is none. */
function verticalIn(
  points: readonly Point[],
  box: {readonly x: number; readonly y: number; readonly width: number; readonly height: number},
): number | undefined {
  const middle = box.y + box.height / 2;
  const part = points.slice(1).find(([x, y], index) => {
    const [beforeX, beforeY] = points[index] ?? [x, y];
    const isOnBorder = beforeX === x && x >= box.x && x <= box.x + box.width;
    return isOnBorder && Math.min(y, beforeY) <= middle && middle <= Math.max(y, beforeY);
  });
  return part?.[0];
}

/** The line box of a title is higher than its letters. */
const titleTop = margin - 4;

function positionsIn(graph: Graph, laid: ElkNode): ChartPositions {
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

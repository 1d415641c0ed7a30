/** Places every box and every arrow with elkjs. The same graph gets the same positions. */

import type {
  ElkExtendedEdge,
  ElkLabel,
  ElkNode,
  ElkPort,
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
import {positionsIn} from './placed.ts';
import type {ChartPositions} from './positions.ts';

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
  return positionsIn(graph, await new Elk.default().layout(elkGraph(graph)));
}

function elkGraph({title, boxes, arrows, direction = 'DOWN'}: Graph): ElkNode {
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
    children: boxes.map(elkNode),
    edges: arrows.map((arrow, index) => elkEdge(arrow, `e${index}`, ports)),
  };
}

function atLeast(width: number, height: number): LayoutOptions {
  return {
    'elk.nodeSize.constraints': 'MINIMUM_SIZE',
    'elk.nodeSize.minimum': `(${width}, ${height})`,
  };
}

function elkNode(box: Box): ElkNode {
  const {id, width, height, block, children} = box;
  if (children.length > 0) {
    const top = block.height + padding.y + below;
    const layoutOptions = {
      'elk.padding': `[top=${top},left=16,bottom=16,right=16]`,
      ...atLeast(width, height),
    };
    return {id, layoutOptions, children: children.map(elkNode)};
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

/** Boxes with sizes and the arrows between them, before layout, each with its state or transitions. */

import type {NodeShape, PlacedEdge, PlacedText, Tone} from './positions.ts';

/** Lines of text. Coordinates are relative to the block. */
export interface Block {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PlacedText[];
}

export interface Box {
  /** Letters and digits only, unlike the name of a state. */
  readonly id: string;
  readonly state: string;
  readonly shape: NodeShape;
  readonly tone: Tone;
  /** The minimum size. */
  readonly width: number;
  readonly height: number;
  /** Inside the box. For a choice and a history: on the right of it. */
  readonly block: Block;
  readonly children: readonly Box[];
}

export interface Arrow {
  /** Ids of boxes. */
  readonly source: string;
  readonly target: string;
  readonly edge: Omit<PlacedEdge, 'points' | 'joints' | 'texts'>;
  readonly block: Block;
}

export interface Graph {
  readonly machine: string;
  readonly title: Block;
  /** The main direction of the arrows. Absent: `DOWN`. */
  readonly direction?: 'DOWN' | 'RIGHT';
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** The space between a chart and its edge. */
export const margin = 20;
/** The space around the label of an arrow. */
export const labelMargin = {x: 4, y: 2};
/** The space around the texts in a box. */
export const padding = {x: 14, y: 9};

export const emptyBlock: Block = {width: 0, height: 0, texts: []};

/** The size of a box, with room for the mark of a state that waits for a person. */
export function boxSize(
  {width, height}: Block,
  tone: Tone = 'plain',
): Pick<Box, 'width' | 'height'> {
  const mark = tone === 'person' ? 20 : 0;
  return {width: Math.max(64, width + 2 * padding.x + mark), height: height + 2 * padding.y};
}

/** A box and all boxes within it. */
export function boxesIn(boxes: readonly Box[]): Box[] {
  return boxes.flatMap((box) => [box, ...boxesIn(box.children)]);
}

/** True if the texts of a shape are on its right. */
export function isBeside(shape: NodeShape): shape is 'choice' | 'history' | 'deepHistory' {
  return shape === 'choice' || shape === 'history' || shape === 'deepHistory';
}

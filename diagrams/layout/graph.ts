/** Boxes with their sizes and the arrows between them, before they have places; and what each of them stands for. */

import type {NodeShape, PlacedEdge, PlacedText, Tone} from './positions.ts';

/** Words one below the other. Coordinates are relative to the block. */
export interface Block {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PlacedText[];
}

export interface Box {
  /** Letters and digits. The name of a state may be anything. */
  readonly id: string;
  readonly state: string;
  readonly shape: NodeShape;
  readonly tone: Tone;
  /** At least. */
  readonly width: number;
  readonly height: number;
  /** Inside of the box; at the right of a choice and of a history. */
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
  /** Where most arrows lead. Absent: `DOWN`. */
  readonly direction?: 'DOWN' | 'RIGHT';
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** Between a chart and its edge. */
export const margin = 20;
/** Around the words of an arrow. */
export const labelMargin = {x: 4, y: 2};
/** Around the words in a box. */
export const padding = {x: 14, y: 9};

export const emptyBlock: Block = {width: 0, height: 0, texts: []};

/** With room for the mark of a state that waits for a person. */
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

/** Whether the words of a shape are at its right. */
export function isBeside(shape: NodeShape): shape is 'choice' | 'history' | 'deepHistory' {
  return shape === 'choice' || shape === 'history' || shape === 'deepHistory';
}

/** Boxes with sizes and the arrows between them, before layout, each with its state or transitions. */

import type {NodeShape, PlacedEdge, PlacedText, TextKind, Tone} from './positions.ts';
import {fonts, textWidth} from './text.ts';

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

export interface Word {
  readonly kind: TextKind;
  readonly text: string;
}

/** The space between the frame of an actor or a tag and its text. */
export const framePadding = 8;
/** The width of the mark before an actor's name. */
export const iconWidth = 16;
const gap = 4;

/** Left-aligned lines. */
export function stacked(lines: readonly (readonly Word[])[]): Block {
  let y = 0;
  const texts = lines.flatMap((words, index) => {
    if (index > 0 && isFrame(words[0])) y += gap;
    const height = Math.max(...words.map(({kind}) => fonts[kind].height));
    const placed = inLine(words, y, height);
    y += height;
    return placed;
  });
  return {width: Math.max(0, ...texts.map(({x, width}) => x + width)), height: y, texts};
}

function inLine(words: readonly Word[], top: number, lineHeight: number): PlacedText[] {
  let x = 0;
  return words.map(({kind, text}) => {
    const {height} = fonts[kind];
    const width = wordWidth({kind, text});
    const placed = {kind, text, x, y: top + (lineHeight - height) / 2, width, height};
    x += width + (kind === 'event' ? 3 : 2 * gap);
    return placed;
  });
}

function wordWidth(word: Word): number {
  const icon = word.kind === 'actor' ? iconWidth : 0;
  return textWidth(word.text, word.kind) + icon + (isFrame(word) ? 2 * framePadding : 0);
}

function isFrame(word: Word | undefined): boolean {
  return word?.kind === 'actor' || word?.kind === 'tag';
}

/** Centred lines. */
export function centred(lines: readonly (readonly Word[])[]): Block {
  const blocks = lines.map((words) => stacked([words]));
  const width = Math.max(0, ...blocks.map((block) => block.width));
  let y = 0;
  const texts = blocks.flatMap((block) => {
    const top = y;
    y += block.height;
    const left = (width - block.width) / 2;
    return block.texts.map((text) => ({...text, x: text.x + left, y: text.y + top}));
  });
  return {width, height: y, texts};
}

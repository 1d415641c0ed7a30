/** Texts as blocks of lines. */

import type {Block} from './graph.ts';
import type {PlacedText, TextKind} from './positions.ts';
import {fonts, textWidth} from './text.ts';

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

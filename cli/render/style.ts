/** Colours for one stream: each paints a text, or leaves it unchanged. */

import {styleText} from 'node:util';

import {wantsColour, type Environment, type Output} from '../terminal.ts';

export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

const plain: Paint = (text) => text;

export const plainStyle: Style = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
};

/** Colours are chosen for each stream, below: `styleText` checks only those of the process. */
const paint =
  (format: keyof Style): Paint =>
  (text) =>
    text === '' ? '' : styleText(format, text, {validateStream: false});

const colourStyle: Style = {
  bold: paint('bold'),
  dim: paint('dim'),
  red: paint('red'),
  green: paint('green'),
  yellow: paint('yellow'),
  cyan: paint('cyan'),
};

export function styleFor(output: Output, env: Environment): Style {
  return wantsColour(output, env) ? colourStyle : plainStyle;
}

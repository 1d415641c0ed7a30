/** Colours for one stream: each paints a text, or leaves it unchanged. */

import {styleText} from 'node:util';

import type {Reader} from '../language.ts';
import {type Output, type Terminal, wantsColour} from '../terminal.ts';
import type {CallView} from './view/run-view.ts';

export type Paint = (text: string) => string;

/** Its language is that of the texts. */
export interface Style extends Reader {
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
  (format: Exclude<keyof Style, 'language'>): Paint =>
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

export function styleFor(
  output: Output,
  {env, language = 'en'}: Pick<Terminal, 'env' | 'language'>,
): Style {
  return {...(wantsColour(output, env) ? colourStyle : plainStyle), language};
}

// The terminal or stream that lines are rendered for.

/** Where lines are shown. */
export interface PageView {
  readonly style: Style;
  /** Columns; unlimited in a pipe. */
  readonly width: number;
}

/** Lines, or how they are laid out for a number of columns. */
export type Lines = readonly string[] | ((width: number) => readonly string[]);

export function laidOut(lines: Lines, width: number): readonly string[] {
  return typeof lines === 'function' ? lines(width) : lines;
}

export interface Screen extends PageView {
  readonly level: Level;
  /** On a terminal, where lines appear as events happen. */
  readonly isLive: boolean;
  /** The label of an interaction's lines; empty for none. Absent: its place in its run; the root has none. */
  readonly nameOf?: (interaction: string) => string;
  /** The call that the shown outcome ends. */
  readonly ended?: CallView | undefined;
}

/** `quiet`: only errors and the gate; `warnings`: those too; `verbose`: also thoughts and every reason. */
export type Level = 'quiet' | 'warnings' | 'normal' | 'verbose';

export interface ScreenSize {
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/** A titled block; empty without lines. */
export function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), ...lines.map((line) => `  ${line}`)];
}

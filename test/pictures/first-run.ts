/** The first run of README: its command line, and what a terminal with colours shows. */

import {stripVTControlCharacters} from 'node:util';

import {widthOfText} from '../../cli/render/text.ts';
import type {Launcher} from '../support/launch.ts';

const request = 'Create a file notes.txt with the content "Hello"';

/** As a person types it. */
export const commandLine = `quorate '${request}'`;

const [first, last] = ['▸ gathering', 'Created notes.txt.'];

/**
 * The rows from the first phase to the answer, with the codes of their colours. The rows before say that no model is
 * configured, and the rows after name the run.
 */
export async function firstRun({run}: Launcher): Promise<readonly string[]> {
  const {stdout, stderr} = await run([request], {env: {FORCE_COLOR: '1'}});
  const rows = `${stderr}${stdout}`.split('\n');
  const from = rows.findIndex((row) => row.includes(first));
  const to = rows.indexOf(last);
  if (from < 0 || to < from) throw new Error(`the first run is another one:\n${stderr}${stdout}`);
  return rows.slice(from, to + 1);
}

/** A terminal in which a person has typed the command line. */
export function pictureOf(rows: readonly string[], scheme: Scheme): string {
  return terminalPicture([`$ ${commandLine}`, ...rows], 80, scheme);
}

const colours = {
  light: {
    paper: '#ffffff',
    bar: '#eaeef2',
    text: '#1f2328',
    faint: '#656d76',
    red: '#cf222e',
    green: '#1a7f37',
    yellow: '#9a6700',
    cyan: '#1b7c83',
  },
  dark: {
    paper: '#0d1117',
    bar: '#21262d',
    text: '#e6edf3',
    faint: '#8d96a0',
    red: '#ff7b72',
    green: '#3fb950',
    yellow: '#d29922',
    cyan: '#39c5cf',
  },
} as const;

export type Scheme = keyof typeof colours;

export const schemes: readonly Scheme[] = ['light', 'dark'];

/** Classes by the code that begins them. */
const styles: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'faint',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
};

/** The classes that a code ends. */
const ends: Readonly<Record<string, readonly string[]>> = {
  0: Object.values(styles),
  22: ['bold', 'faint'],
  39: ['red', 'green', 'yellow', 'cyan'],
};

const [columnWidth, rowHeight, margin, bar] = [7.9, 19, 18, 34];

export function terminalPicture(rows: readonly string[], columns: number, scheme: Scheme): string {
  const width = Math.ceil(columns * columnWidth + 2 * margin);
  const height = bar + rows.length * rowHeight + 2 * margin;
  const {paper, bar: barColour, text, ...inks} = colours[scheme];
  const rules = Object.entries(inks).map(([name, ink]) => `.${name}{fill:${ink}}`);
  const names = new Set<string>();
  const lines = rows.map((row, index) => {
    const y = bar + margin + (index + 0.75) * rowHeight;
    const length = widthOfText(stripVTControlCharacters(row)) * columnWidth;
    // The glyphs of another font keep their columns.
    const fitted = `textLength="${Math.round(length)}" lengthAdjust="spacingAndGlyphs"`;
    return length === 0
      ? ''
      : `<text x="${margin}" y="${y}" ${fitted}>${spansOf(row, names)}</text>`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${text};white-space:pre}.bold{font-weight:bold}${rules.join('')}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${paper}" stroke="${barColour}"/>`,
    `<path d="M0 ${bar}V8a8 8 0 0 1 8-8H${width - 8}a8 8 0 0 1 8 8V${bar}Z" fill="${barColour}"/>`,
    ...[20, 40, 60].map((x) => `<circle cx="${x}" cy="17" r="6" class="faint" opacity=".5"/>`),
    ...lines,
    '</svg>',
  ].join('\n')}\n`;
}

/** `names`: the styles that the row before left open, and then those that this one leaves open. */
function spansOf(row: string, names: Set<string>): string {
  const [before = '', ...parts] = row.split('\u001B[');
  const start = spanOf(before, [...names]);
  const spans = parts.map((part) => {
    const [, codes = '', text = ''] = /^([\d;]*)m(.*)$/s.exec(part) ?? [];
    for (const code of codes.split(';')) {
      const name = styles[code];
      if (name !== undefined) names.add(name);
      for (const ended of ends[code] ?? []) names.delete(ended);
    }
    return spanOf(text, [...names]);
  });
  return start + spans.join('');
}

function spanOf(text: string, names: readonly string[]): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (text === '' || names.length === 0) return escaped;
  return `<tspan class="${names.join(' ')}">${escaped}</tspan>`;
}

/** The first run of README: its command line, and what a terminal with colours shows. */

import type {Launcher} from '../support/launch.ts';
import {type Scheme, terminalPicture} from './terminal-picture.ts';

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

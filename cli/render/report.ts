/** Prints a report as its reader asked for it: as lines, or as JSON with the same content. */

import type {OutputFormat} from '../line/command.ts';
import {pageWidthOf, type Terminal, write} from '../terminal.ts';
import {type Style, styleFor} from './style.ts';
import {jsonText} from './text.ts';

export interface Report {
  readonly data: unknown;
  readonly lines: (view: {readonly style: Style; readonly width: number}) => readonly string[];
}

export async function printReport(
  {data, lines}: Report,
  {output}: {readonly output: OutputFormat},
  {stdout, env, language}: Pick<Terminal, 'stdout' | 'env' | 'language'>,
): Promise<void> {
  const view = {style: styleFor(stdout, {env, language}), width: pageWidthOf(stdout)};
  const text = output === 'text' ? lines(view).join('\n') : jsonText(data, output);
  await write(stdout, `${text}\n`);
}

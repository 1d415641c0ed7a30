/** Prints a report as its reader asked for it: as lines, or as JSON with the same content. */

import type {OutputFormat} from '../line/command.ts';
import {type Output, pageWidthOf, type Terminal, write} from '../terminal.ts';
import {type PageView, styleFor} from './style.ts';
import {safeJson} from './text.ts';

export interface Report {
  readonly data: unknown;
  /** As JSON Lines, one a line. Absent: the data on one line. */
  readonly rows?: readonly unknown[];
  readonly lines: (view: PageView) => readonly string[];
}

export async function printReport(
  {data, rows = [data], lines}: Report,
  {output}: {readonly output: OutputFormat},
  {stdout, env, language}: Pick<Terminal, 'stdout' | 'env' | 'language'>,
): Promise<void> {
  const texts = {
    text: () => lines(reportView(stdout, {env, language})),
    json: () => [safeJson(data, 2)],
    jsonl: () => rows.map((row) => safeJson(row)),
  };
  await write(
    stdout,
    texts[output]()
      .map((line) => `${line}\n`)
      .join(''),
  );
}

export function reportView(
  output: Output,
  {env, language}: Pick<Terminal, 'env' | 'language'>,
): PageView {
  return {style: styleFor(output, {env, language}), width: pageWidthOf(output)};
}

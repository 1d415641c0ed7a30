/** Completion by Tab: commands, their operands, and files after an `@`. */

import {readdirSync} from 'node:fs';
import {dirname, resolve} from 'node:path';

import type {Completion} from '../../terminal/line-editor.ts';
import type {Operand} from '../command.ts';
import {commandTable, specOf} from '../parse.ts';

/** The words that can be completed at the moment. */
export interface Completing {
  /** Places of all interactions, of the ones at a gate, of the ones that ask for a reply; and numbers of resumable runs. */
  readonly places: () => readonly string[];
  readonly gates: () => readonly string[];
  readonly asks: () => readonly string[];
  readonly runs: () => readonly string[];
  /** Absolute. */
  readonly workspace: string;
}

/** The candidates for the last word, and the word. */
export function complete(line: string, there: Completing): Completion {
  const part = /\S*$/.exec(line)?.[0] ?? '';
  return [candidates(line, part, there).filter((word) => word.startsWith(part)), part];
}

function candidates(line: string, part: string, there: Completing): readonly string[] {
  if (part.startsWith('@')) return filesFor(part.slice(1), there.workspace);
  const [, before = ''] = /^(.*?)\S*$/s.exec(line) ?? [];
  if (part.startsWith('/')) return Object.keys(commandTable).map((name) => `/${name} `);
  const [, name = ''] = /(?:^|\s)\/([a-z-]+)\s+$/i.exec(before) ?? [];
  return wordsFor(specOf(name.toLowerCase())?.operand, there);
}

function wordsFor(operand: Operand | undefined, there: Completing): readonly string[] {
  if (operand === undefined) return [];
  if (typeof operand !== 'string') return operand;
  if (operand === 'command') return Object.keys(commandTable);
  if (operand === 'run') return there.runs();
  if (operand === 'ask') return there.asks();
  return operand === 'gate' ? there.gates() : there.places();
}

function filesFor(path: string, workspace: string): string[] {
  const folder = path.endsWith('/') ? path : dirname(path);
  const prefix = folder === '.' ? '' : `${folder.replace(/\/$/, '')}/`;
  try {
    return readdirSync(resolve(workspace, folder), {withFileTypes: true})
      .filter(({name}) => !name.startsWith('.') && !/[\s\p{Cc}]/u.test(name))
      .map((entry) => `@${prefix}${entry.name}${entry.isDirectory() ? '/' : ' '}`);
  } catch {
    return [];
  }
}

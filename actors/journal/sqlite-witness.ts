/**
 * What the database can't say of itself: that its end is missing, after a write-ahead log that was lost or left behind.
 * A small file for each open interaction knows what has begun that must not happen twice: one line each, as JSON.
 */

import {appendFileSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {begunIn, changed, missing} from './chain.ts';
import type {Begun, Entry, Salvaged} from './journal.ts';

export interface Witness {
  /** To be called when the entries are durable. What can't be written is one witness less. */
  readonly testify: (interaction: string, begun: readonly Begun[]) => void;
  /** All that was testified. To be asked before the entries are read: they may grow meanwhile. */
  readonly recall: (interaction: string) => readonly Begun[];
  /** When the interaction has ended. */
  readonly forget: (interaction: string) => void;
}

/** `journal` is the path of the database. */
export function createWitness(journal: string): Witness {
  const folder = join(dirname(journal), 'heads');
  const fileOf = (interaction: string) => join(folder, interaction);
  return {
    testify: (interaction, begun) => {
      if (begun.length === 0) return;
      // A line that a power cut has torn ends where the next begins.
      const lines = begun.map((each) => `\n${JSON.stringify(each)}`).join('');
      try {
        mkdirSync(folder, {recursive: true, mode: 0o700});
        appendFileSync(fileOf(interaction), lines, {mode: 0o600, flush: true});
      } catch {}
    },
    recall: (interaction) => readIfThere(fileOf(interaction)).split('\n').flatMap(parseLine),
    forget: (interaction) => {
      try {
        rmSync(fileOf(interaction), {force: true});
      } catch {}
    },
  };
}

/** Damage where the entries don't hold what was testified: they end too early, or are others. */
export function compare(
  interaction: string,
  entries: readonly Entry[],
  testified: readonly Begun[],
): Salvaged {
  const known = begunIn(entries);
  const gone = [...begunIn(testified).values()].filter(({key}) => !known.has(key));
  const [first] = gone;
  const last = gone.at(-1);
  if (!first || !last) return {entries, damage: undefined};
  if (first.seq < entries.length)
    return {entries: entries.slice(0, first.seq), damage: changed(interaction, first.seq)};
  const next = last.seq + 1;
  if (entries.length === 0) return {entries, damage: missing(interaction, 0, next)};
  const damage = missing(interaction, entries.length, next, goOn);
  return {entries, damage, lost: gone};
}

const goOn =
  'quorate resume goes on from what is left, and repeats nothing that had begun behind it unless a person says so';

function parseLine(line: string): Begun[] {
  try {
    const begun: Begun = JSON.parse(line);
    return [begun];
  } catch {
    return [];
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * What the database can't say of itself: that its end is missing, after a write-ahead log that was lost or left behind.
 * A small file for each open interaction knows how far it had come when something began that must not happen twice.
 */

import {mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {changed, type Head, missing} from './chain.ts';
import type {Entry, Salvaged} from './journal.ts';

const LINE = /^(\d+) ([0-9a-f]{64})\n$/;

export interface Witness {
  /** To be called when the entries up to the head are durable. What can't be written is one witness less. */
  readonly testify: (interaction: string, head: Head) => void;
  /** The head testified last. To be asked before the entries are read: they may grow meanwhile. */
  readonly recall: (interaction: string) => Head | undefined;
  /** When the interaction has ended. */
  readonly forget: (interaction: string) => void;
}

/** `journal` is the path of the database. */
export function createWitness(journal: string): Witness {
  const folder = join(dirname(journal), 'heads');
  const fileOf = (interaction: string) => join(folder, interaction);
  return {
    testify: (interaction, {seq, hash}) => {
      const draft = `${fileOf(interaction)}.new`;
      try {
        mkdirSync(folder, {recursive: true, mode: 0o700});
        writeFileSync(draft, `${seq} ${hash}\n`, {mode: 0o600, flush: true});
        renameSync(draft, fileOf(interaction));
      } catch {}
    },
    recall: (interaction) => {
      const [, seq, hash] = LINE.exec(readIfThere(fileOf(interaction))) ?? [];
      return seq === undefined || hash === undefined ? undefined : {seq: Number(seq), hash};
    },
    forget: (interaction) => {
      try {
        rmSync(fileOf(interaction), {force: true});
      } catch {}
    },
  };
}

/** Damage where the entries end too early, or are others than those that were testified. */
export function compare(
  interaction: string,
  entries: readonly Entry[],
  head: Head | undefined,
): Salvaged {
  const last = head && entries[head.seq - 1];
  if (!head || last?.hash === head.hash) return {entries, damage: undefined};
  if (last) return {entries: entries.slice(0, last.seq), damage: changed(interaction, last.seq)};
  return {entries, damage: missing(interaction, entries.length, head.seq)};
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Facts that the database can't state about itself: that its end is missing, after a write-ahead log was lost or left behind.
 * A small file for each interaction lists the effects that have begun and must not happen twice, and whether the interaction
 * has ended: one line each, as JSON. The file of an ended one is kept until the database no longer needs its log.
 */

import {appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {begunIn, changed, endMissing, isInteractionId, missing} from './chain.ts';
import type {Begun, Entry, Salvaged} from './journal.ts';

export interface Testimony {
  readonly begun: readonly Begun[];
  readonly hasEnded: boolean;
}

export interface Witness {
  /**
   * To be called when the entries are durable. A line that can't be written is one witness less. The line of the end does not
   * wait for the disk: without it, the file still lists all that has begun.
   */
  readonly testify: (interaction: string, testimony: Testimony) => void;
  /** To be asked before the entries are read: they may grow meanwhile. */
  readonly recall: (interaction: string) => Testimony;
  /** When the file of the database holds the end of the interaction. */
  readonly forget: (interaction: string) => void;
  /** All interactions that it has a file of. */
  readonly interactions: () => readonly string[];
}

const END = JSON.stringify({type: 'closed'});

/** `journal` is the path of the database. */
export function createWitness(journal: string): Witness {
  const folder = join(dirname(journal), 'heads');
  const fileOf = (interaction: string) => join(folder, interaction);
  return {
    testify: (interaction, {begun, hasEnded}) => {
      const lines = [...begun.map((each) => JSON.stringify(each)), ...(hasEnded ? [END] : [])];
      if (lines.length === 0) return;
      // A line that a power cut has torn ends where the next begins.
      const text = lines.map((line) => `\n${line}`).join('');
      try {
        mkdirSync(folder, {recursive: true, mode: 0o700});
        appendFileSync(fileOf(interaction), text, {mode: 0o600, flush: begun.length > 0});
      } catch {}
    },
    recall: (interaction) => {
      const lines = readIfThere(fileOf(interaction)).split('\n');
      return {begun: lines.flatMap(parseLine), hasEnded: lines.includes(END)};
    },
    forget: (interaction) => {
      try {
        rmSync(fileOf(interaction), {force: true});
      } catch {}
    },
    interactions: () => {
      try {
        return readdirSync(folder).filter(isInteractionId);
      } catch {
        return [];
      }
    },
  };
}

/** Damage where the entries don't hold what was testified: they end too early, or are others. */
export function compare(
  interaction: string,
  entries: readonly Entry[],
  {begun, hasEnded}: Testimony,
): Salvaged {
  const known = begunIn(entries);
  const gone = [...begunIn(begun).values()].filter(({key}) => !known.has(key));
  const [first] = gone;
  if (first && first.seq < entries.length)
    return {entries: entries.slice(0, first.seq), damage: changed(interaction, first.seq)};
  if (hasEnded && entries.at(-1)?.type !== 'closed')
    return {entries, damage: endMissing(interaction, entries.length)};
  const last = gone.at(-1);
  if (!last) return {entries, damage: undefined};
  const next = last.seq + 1;
  if (entries.length === 0) return {entries, damage: missing(interaction, 0, next)};
  const damage = missing(interaction, entries.length, next, goOn);
  return {entries, damage, lost: gone};
}

const goOn =
  'quorate resume goes on from what is left, and repeats nothing that had begun behind it unless a person says so';

function parseLine(line: string): Begun[] {
  if (line === END) return [];
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

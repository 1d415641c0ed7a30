/**
 * Detects that the end of a database is missing, after its write-ahead log was lost or left behind. A small file for each
 * interaction lists the effects that have begun and must not happen twice, and the end of the interaction: one line each, as
 * JSON. The file of an ended interaction is kept until the database no longer needs its log.
 */

import {appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {begunIn, changed, endMissing, isInteractionId, missing} from './chain.ts';
import type {Begun, Entry, Salvaged} from './journal.ts';
import {IN_MEMORY} from './sqlite-store.ts';

export interface Testimony {
  readonly begun: readonly Begun[];
  readonly hasEnded: boolean;
}

export interface Witness {
  /**
   * Call this when the entries are durable. A line that can't be written is left out. The line of the end does not wait for
   * the disk: without it, the file still lists every effect that has begun.
   */
  readonly testify: (interaction: string, testimony: Testimony) => void;
  /** Call this before the entries are read: they may grow meanwhile. */
  readonly recall: (interaction: string) => Testimony;
  /** Call this when the main file of the database holds the end of the interaction, or when that is erased. */
  readonly forget: (interaction: string) => void;
  /** All interactions that have a file. */
  readonly interactions: () => readonly string[];
}

/** A journal in memory can't lose its end. */
const noWitness: Witness = {
  testify: () => {},
  recall: () => ({begun: [], hasEnded: false}),
  forget: () => {},
  interactions: () => [],
};

const END = JSON.stringify({type: 'closed'});

/** `journal` is the path of the database. */
export function createWitness(journal: string): Witness {
  if (journal === IN_MEMORY) return noWitness;
  const folder = join(dirname(journal), 'heads');
  const fileOf = (interaction: string) => join(folder, interaction);
  return {
    testify: (interaction, {begun, hasEnded}) => {
      const lines = [...begun.map((each) => JSON.stringify(each)), ...(hasEnded ? [END] : [])];
      if (lines.length === 0) return;
      // Each line begins with a line feed, so that a line that a power cut has torn does not damage the next.
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

/** Adds damage when the entries lack effects, or the end, that the witness lists: they end too early, or differ. */
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
    return {entries, damage: endMissing(interaction, entries.length), isEndMissing: true};
  const last = gone.at(-1);
  if (!last) return {entries, damage: undefined};
  const next = last.seq + 1;
  if (entries.length === 0)
    return {entries, damage: missing(interaction, 0, next), isEndMissing: true};
  const damage = missing(interaction, entries.length, next, resumeAdvice);
  return {entries, damage, isEndMissing: true, lost: gone};
}

const resumeAdvice =
  'quorate resume continues from the remaining entries, and repeats no effect that had begun after them unless a person agrees';

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

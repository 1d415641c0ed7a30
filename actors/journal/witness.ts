/**
 * Detects that the end of a journal is missing: after the write-ahead log of a database was lost or left behind, or after its
 * server was replaced by a copy that lacked the last transactions. A small file for each interaction lists the effects that have
 * begun and must not happen twice, and the end of the interaction: one line each, as JSON. The file of an ended interaction is
 * kept until the journal can no longer lose its end.
 */

import {appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';

import {
  begunIn,
  changed,
  endMissing,
  isInteractionId,
  missing,
  requireInteractionId,
  requireSound,
} from './chain.ts';
import type {
  Addition,
  Awaitable,
  Begun,
  Entry,
  EntryBody,
  Journal,
  Log,
  Salvaged,
  Testimony,
  Witness,
} from './journal.ts';

const END = JSON.stringify({type: 'closed'});

/** Creates the folder when it is needed. */
export function createWitness(folder: string): Witness {
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
    interactions: (restMs = 0) => {
      const until = Date.now() - restMs;
      return namesIn(folder).filter(
        (name) => isInteractionId(name) && (restMs === 0 || timeOf(fileOf(name)) < until),
      );
    },
  };
}

/**
 * The log with a witness of what it appends, compared with what it reads. `onEnded`: called after a transaction, with the number of
 * interactions that it has ended.
 */
export function witnessed(log: Log, witness: Witness, onEnded: (count: number) => void): Log {
  const {lineFor} = log;
  const lines = new Map<Log, Log>();
  const lineOf = (line: Log): Log => {
    const known = lines.get(line) ?? witnessed(line, witness, onEnded);
    lines.set(line, known);
    return known;
  };
  const salvage: Log['salvage'] = (interaction) => {
    requireInteractionId(interaction);
    const testified = witness.recall(interaction);
    return then(log.salvage(interaction), (found) =>
      found.damage ? found : {...found, ...compare(interaction, found.entries, testified)},
    );
  };
  return {
    ...log,
    append: (batch) => {
      const written = batch.map(testimonyIn);
      const testify = (places: readonly number[]): void => {
        for (const [at, {interaction, begun, hasEnded}] of written.entries()) {
          witness.testify(interaction, {begun: placed(begun, places[at] ?? 0), hasEnded});
        }
        onEnded(written.filter(({hasEnded}) => hasEnded).length);
      };
      return then(log.append(batch), () => then(placesOf(written, log), testify));
    },
    read: (interaction) => then(salvage(interaction), requireSound),
    salvage,
    ...(lineFor ? {lineFor: (interaction) => lineOf(lineFor(interaction))} : {}),
  };
}

/** Does the next step at once, unless it has to wait. */
function then<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? afterwards(value, next) : next(value);
}

async function afterwards<T, U>(value: Promise<T>, next: (value: T) => Awaitable<U>): Promise<U> {
  return await next(await value);
}

interface Written extends Testimony, Pick<Addition, 'interaction' | 'seq'> {
  readonly count: number;
}

/** The positions in `begun` count from the first body. */
function testimonyIn({interaction, bodies, seq}: Addition): Written {
  const begun = bodies.flatMap((body, at) =>
    body.type === 'requested' ? [toBegun(body, at)] : [],
  );
  const hasEnded = bodies.some(({type}) => type === 'closed');
  const place = seq === undefined ? {} : {seq};
  return {interaction, count: bodies.length, begun, hasEnded, ...place};
}

/** The positions of additions that are durable, where effects have begun. Without one of its own, an addition is at the end. */
function placesOf(written: readonly Written[], log: Log): Awaitable<readonly number[]> {
  const known = written.flatMap(({begun, seq}) => (begun.length === 0 ? 0 : (seq ?? [])));
  if (known.length === written.length) return known;
  const places = written.map(async ({interaction, seq}, at) => {
    const rest = written.slice(at).filter((each) => each.interaction === interaction);
    const length = rest.reduce((sum, {count}) => sum + count, 0);
    return seq ?? (await log.lengthOf(interaction)) - length;
  });
  return Promise.all(places);
}

function placed(begun: readonly Begun[], first: number): readonly Begun[] {
  return begun.map((each) => ({...each, seq: first + each.seq}));
}

function toBegun(body: Extract<EntryBody, {type: 'requested'}>, seq: number): Begun {
  const {type, key, request, isTakenBack} = body;
  return {type, seq, key, request, ...(isTakenBack ? {isTakenBack} : {})};
}

/** A server that is replaced by a copy of itself loses seconds, or minutes. */
const DAY_MS = 86_400_000;
/** Of an interaction that the journal does not have: it was erased on another machine, or another journal has it. */
const UNKNOWN_MS = 30 * DAY_MS;
/** Endings from one removal of files to the next. */
const ENDINGS = 256;

/** A journal that several machines share, with the witness of this one. */
export function witnessedBy(journal: Journal, witness: Witness): Journal {
  let endings = 0;
  const onEnded = (count: number): void => {
    if (Math.ceil(endings / ENDINGS) < Math.ceil((endings + count) / ENDINGS))
      sweep(journal, witness).catch(() => {});
    endings += count;
  };
  return {
    ...journal,
    log: witnessed(journal.log, witness, onEnded),
    erase: async (interaction) => {
      await journal.erase(interaction);
      witness.forget(interaction);
    },
  };
}

/** Removes the files of interactions that ended a day ago. Rejects as `list`, and leaves the others for the next time. */
async function sweep({log}: Journal, witness: Witness): Promise<void> {
  const unknown = new Set(witness.interactions(UNKNOWN_MS));
  // One by one: they wait for the same connections as appends.
  await Array.fromAsync(witness.interactions(DAY_MS), async (id) => {
    const [row] = await log.list({id});
    if (row ? row.status !== undefined : unknown.has(id)) witness.forget(id);
  });
}

/** Adds damage when the entries lack effects, or the end, that the witness lists: they end too early, or differ. */
function compare(
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

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Of its last line, epoch ms. */
function timeOf(file: string): number {
  return statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? Infinity;
}

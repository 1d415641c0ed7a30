/** Takes back what a run wrote, file by file, where nothing else has touched the file since. */

import {statSync} from 'node:fs';

import {AppError} from '../machines/domain/app-error.ts';
import {isJsonObject, type Json} from '../machines/domain/json.ts';
import {heldBy, restoreFile, type Restoring} from '../tools/index.ts';
import {begunIn} from './journal/chain.ts';
import type {Backup, Entry, Journal} from './journal/journal.ts';
import {openedIn} from './run-input.ts';
import {endChildren} from './takeover.ts';
import type {WorkspaceLocks} from './workspace-locks.ts';

/** What became of one file, or would become of it. */
export interface Undone {
  /** Relative to the workspace. */
  readonly path: string;
  /** `asBefore`: it already was as it was before the run. `left`: it stays as it is. */
  readonly outcome: 'restored' | 'removed' | 'asBefore' | 'left';
  /** Why it is left, or goes back only a part of the way. */
  readonly why?: string;
}

export interface UndoReport {
  readonly interaction: string;
  readonly workspace: string;
  /** The file that was written last comes first. */
  readonly files: readonly Undone[];
  /** Commands and other calls that were run once: what they changed is not known, and stays. */
  readonly commands: number;
  /** The run can still be resumed. */
  readonly isOpen: boolean;
}

export interface UndoDeps {
  readonly journal: Journal;
  readonly locks: WorkspaceLocks;
}

export interface UndoOptions {
  /** Changes nothing: tells what would be done. */
  readonly dryRun?: boolean;
}

/** How long another run that is changing the folder is waited for. */
const patienceMs = 10_000;

/**
 * Rejects with AppError `not_found` for a run that there is not, `busy` while it, or another one in its folder, is at
 * work, `usage` when the folder is gone.
 */
export async function undoRun(
  id: string,
  {journal, locks}: UndoDeps,
  {dryRun = false}: UndoOptions = {},
): Promise<UndoReport> {
  const {entries} = await journal.log.salvage(id);
  const workspace = workspaceOf(id, entries);
  const owned = await journal.owners.own(id);
  try {
    if (!dryRun) await endChildren(id, journal.children);
    await lock(id, workspace, locks);
    const backups = (await journal.backups?.list(id)) ?? [];
    const foldersSince = entries[0]?.at ?? Date.now();
    const steps = chainsOf(backups).map((chain) => stepFor({workspace, foldersSince}, chain));
    const files = dryRun ? steps.map(({undone}) => undone) : await Promise.all(steps.map(take));
    const isOpen = entries.at(-1)?.type !== 'closed';
    return {interaction: id, workspace, files, commands: commandsIn(entries), isOpen};
  } finally {
    locks.unlock(id);
    await owned.release();
  }
}

function workspaceOf(id: string, entries: readonly Entry[]): string {
  const opened = openedIn(entries);
  if (!opened) throw new AppError('not_found', `there is no run ${id}; see: quorate sessions`);
  const {workspace} = opened;
  if (statSync(workspace, {throwIfNoEntry: false})?.isDirectory()) return workspace;
  throw new AppError('usage', `the folder of run ${id} is gone: ${workspace}`);
}

async function lock(id: string, workspace: string, locks: WorkspaceLocks): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  const kept = await locks.lock(id, workspace, {signal, onBusy: () => {}});
  if (kept.locked) return;
  throw new AppError('busy', `another run is changing ${workspace}: ${kept.why}`);
}

/** The writes to each file, oldest first; the file that was written last comes first. */
function chainsOf(backups: readonly Backup[]): (readonly Backup[])[] {
  const chains = new Map<string, Backup[]>();
  for (const backup of backups) {
    const chain = chains.get(backup.path) ?? [];
    chains.delete(backup.path);
    chains.set(backup.path, [...chain, backup]);
  }
  return [...chains.values()].toReversed();
}

interface Step {
  readonly undone: Undone;
  /** Absent: there is nothing to do. */
  readonly restoring?: Restoring;
}

async function take({undone, restoring}: Step): Promise<Undone> {
  const done = restoring && (await restoreFile(restoring));
  return !done || done.ok ? undone : left(undone.path, done.denial.message);
}

function left(path: string, why: string): Undone {
  return {path, outcome: 'left', why};
}

function stepFor(
  place: Pick<Restoring, 'workspace' | 'foldersSince'>,
  chain: readonly Backup[],
): Step {
  const {workspace} = place;
  const path = chain[0]?.path ?? '';
  const held = heldBy(workspace, path);
  if (!held.ok) return {undone: left(path, held.denial.message)};
  const {value: expected} = held;
  if (expected === hashBefore(chain[0])) return {undone: {path, outcome: 'asBefore'}};
  const way = wayBack(chain, expected);
  if (!way) return {undone: left(path, 'something else has changed it since')};
  const {before} = way.to;
  const why = way.isWhole ? {} : {why: 'something else changed it between two writes of the run'};
  const order = {...place, path, expected};
  if (!before) return {undone: {path, outcome: 'removed', ...why}, restoring: order};
  const content = contentOf(before, chain);
  if (typeof content === 'string') return {undone: left(path, whyMissing[content])};
  const to = {content, mode: before.mode};
  return {undone: {path, outcome: 'restored', ...why}, restoring: {...order, to}};
}

type Held = NonNullable<Backup['before']>;

const whyMissing = {
  large: 'what it held was too large to be kept',
  secret: 'what it held was not kept: there was a secret in it',
  old: 'what it held is kept no longer: newer runs needed the room',
} as const;

function hashBefore(backup: Backup | undefined): string {
  return backup?.before?.hash ?? 'absent';
}

function hashAfter({after = 'absent'}: Backup): string {
  return after;
}

/**
 * From what the file holds now back along the run's own writes. A write that another one starts before has not happened:
 * the run failed in it. Undefined when the run left no such content.
 */
function wayBack(
  chain: readonly Backup[],
  held: string,
): {readonly to: Backup; readonly isWhole: boolean} | undefined {
  let at = chain.findLastIndex((backup) => hashAfter(backup) === held);
  for (;;) {
    const to = chain[at];
    if (!to) return undefined;
    const earlier = chain[at - 1];
    if (!earlier) return {to, isWhole: true};
    const base = hashBefore(to);
    if (hashAfter(earlier) !== base && hashBefore(earlier) !== base) return {to, isWhole: false};
    at -= 1;
  }
}

/** Equal contents may have been kept by another write. */
function contentOf(before: Held, chain: readonly Backup[]): Held['content'] {
  const equal = chain.find(
    (backup) => backup.before?.hash === before.hash && typeof backup.before.content !== 'string',
  );
  return equal?.before?.content ?? before.content;
}

/** Codes of calls that were cut short; any other failure without an exit code has changed nothing. */
const cutShort: ReadonlySet<Json | undefined> = new Set(['timeout', 'signal', 'internal']);

/** Calls that are never repeated unasked, but for those that wrote files, or did nothing. */
function commandsIn(entries: readonly Entry[]): number {
  const outcomes = new Map(
    entries.flatMap((entry) => (entry.type === 'settled' ? [[entry.key, entry.outcome]] : [])),
  );
  return [...begunIn(entries).keys()].filter((key) => mayHaveActed(outcomes.get(key))).length;
}

function mayHaveActed(outcome: Json | undefined): boolean {
  if (!isJsonObject(outcome) || outcome['exitCode'] !== undefined) return true;
  const {kind, code, written} = outcome;
  return kind === 'succeeded' ? written === undefined : kind !== 'refused' && cutShort.has(code);
}

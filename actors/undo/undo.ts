/** Undoes the writes of a run, file by file. A file that something else has changed since is left. */

import {statSync} from 'node:fs';
import {dirname} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type Json} from '../../machines/domain/json.ts';
import type {Snapshots} from '../../tools/index.ts';
import {begunIn, noSuchRun, requireOwnRun} from '../journal/chain.ts';
import type {Backup, Backups, Entry, Host, Journal} from '../journal/journal.ts';
import {openedIn, requireHere, workspaceIn} from '../run/run-input.ts';
import {endChildren} from '../run/takeover.ts';
import type {Redactor} from '../secrets/redact.ts';
import {backupsAfter, createKeeper} from './backups.ts';
import {
  beginUndoCheck,
  type UndoOptions,
  type UndoReport,
  type Undone,
  chainsOf,
  lostIn,
  stepsFor,
  takeAll,
  type UndoPlace,
} from './undo-steps.ts';

export interface UndoDeps {
  readonly journal: Journal;
  readonly host: Host;
  readonly redactor: Redactor;
  readonly snapshots: Snapshots;
}

/** How long the undo waits for another run that is changing the folder. */
const patienceMs = 10_000;

/**
 * Rejects with AppError `not_found` for an unknown run, `busy` while this run or another run in its folder is active, and
 * `usage` when the folder does not exist, or for a run that was recorded elsewhere, `elsewhere` for one of another host.
 */
export async function undoRun(
  id: string,
  deps: UndoDeps,
  {dryRun = false, after = -1, isWhole = false}: UndoOptions = {},
): Promise<UndoReport> {
  const {journal, host} = deps;
  const salvaged = await journal.log.salvage(id);
  const {entries} = salvaged;
  requireOwnRun(id, salvaged);
  requireHere(openedIn(entries), deps.host);
  const workspace = workspaceOf(id, entries);
  const owned = await journal.owners.own(id);
  try {
    if (!dryRun) await endChildren(id, host.children);
    await lock(id, workspace, host);
    const backups = backupsAfter(await backupsOf(id, deps, dryRun), entries, after);
    const since = entries[Math.max(0, after)]?.at ?? Date.now();
    const undone = await undoIn({workspace, foldersSince: since}, chainsOf(backups), {
      dryRun,
      isWhole,
    });
    if (!dryRun) await noteUndone(id, after, undone.files, journal);
    return {
      interaction: id,
      workspace,
      ...undone,
      ...commandsIn(entries, after),
      isOpen: entries.at(-1)?.type !== 'closed',
    };
  } finally {
    host.locks.unlock(id);
    await owned.release();
  }
}

/** Restores the files of a locked folder. */
async function undoIn(
  folder: Omit<UndoPlace, 'lost'>,
  chains: ReturnType<typeof chainsOf>,
  {dryRun, isWhole}: Required<Pick<UndoOptions, 'dryRun' | 'isWhole'>>,
): Promise<Pick<UndoReport, 'files' | 'setAside' | 'isRefused'>> {
  const {workspace, foldersSince} = folder;
  const place = {...folder, lost: lostIn(workspace, chains)};
  const isRefused = isWhole && (await takeBack(chains, place, true)).some(isLeft);
  const isDry = dryRun || isRefused;
  const check = isDry ? undefined : await beginUndoCheck(workspace, foldersSince);
  const files = await takeBack(chains, place, isDry);
  return {
    files: withoutFoldersOfMade(files, chains),
    setAside: (await check?.(files)) ?? [],
    ...(isRefused ? {isRefused} : {}),
  };
}

/** For statistics, of an undo of the whole run. The files are restored by now: a failure of this does not matter. */
async function noteUndone(
  id: string,
  after: number,
  files: readonly Undone[],
  {reactions}: Journal,
): Promise<void> {
  if (after >= 0 || !files.some(isReverted)) return;
  try {
    await reactions?.add(id, {kind: 'undone', at: Date.now()});
  } catch {}
}

function isReverted({outcome}: Undone): boolean {
  return outcome === 'restored' || outcome === 'removed';
}

function isLeft({outcome}: Undone): boolean {
  return outcome === 'left';
}

/** Omits folders that the run made if files below them are listed. */
function withoutFoldersOfMade(
  files: readonly Undone[],
  chains: ReturnType<typeof chainsOf>,
): readonly Undone[] {
  const made = new Set(
    chains.flatMap(([first]) =>
      first && !first.before && first.after === 'folder' ? first.path : [],
    ),
  );
  // A folder that is left needs a path that is left as well.
  const [above, aboveLeft] = [foldersOf(files), foldersOf(files.filter(isLeft))];
  return files.filter(
    (file) => !made.has(file.path) || !(isLeft(file) ? aboveLeft : above).has(file.path),
  );
}

/** All folders above the files. */
function foldersOf(files: readonly Undone[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const {path} of files) {
    let folder = dirname(path);
    while (folder !== '.' && folder !== '/' && !folders.has(folder)) {
      folders.add(folder);
      folder = dirname(folder);
    }
  }
  return folders;
}

/** Retries the files that were left, as long as a pass undoes at least one: a file that blocked others may be gone by then. */
async function takeBack(
  chains: ReturnType<typeof chainsOf>,
  place: UndoPlace,
  dryRun: boolean,
): Promise<readonly Undone[]> {
  const steps = await stepsFor(place, chains);
  if (dryRun) return steps.map(({undone}) => undone);
  const taken = await takeAll(steps);
  const left = chains.filter((_, at) => taken[at]?.outcome === 'left');
  if (left.length === 0 || left.length === chains.length) return taken;
  const later = new Map(
    (await takeBack(left, place, dryRun)).map((undone) => [undone.path, undone]),
  );
  return taken.map((undone) => later.get(undone.path) ?? undone);
}

/** The backups of the run, with the changes of a command whose process is gone. */
async function backupsOf(
  id: string,
  {journal, redactor, snapshots}: UndoDeps,
  isDry: boolean,
): Promise<readonly Backup[]> {
  const late: Backup[] = [];
  const collecting: Pick<Backups, 'keep'> = {
    keep: (_, more) => more.forEach((backup) => void late.push(backup)),
  };
  const keep = createKeeper(id, isDry ? collecting : journal.backups, redactor);
  await snapshots.settle(id, keep, isDry);
  return [...((await journal.backups?.list(id)) ?? []), ...late];
}

function workspaceOf(id: string, entries: readonly Entry[]): string {
  const workspace = workspaceIn(entries);
  if (workspace === undefined) throw noSuchRun(id);
  if (statSync(workspace, {throwIfNoEntry: false})?.isDirectory()) return workspace;
  throw new AppError('usage', `the folder of run ${id} does not exist: ${workspace}`);
}

async function lock(id: string, workspace: string, {locks}: Host): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  const kept = await locks.lock(id, workspace, {signal, onBusy: () => {}});
  if (kept.locked) return;
  throw new AppError('busy', `another run is changing ${workspace}: ${kept.why}`);
}

/** Codes of calls that were interrupted. Any other failure without an exit code has changed nothing. */
const cutShort: ReadonlySet<Json | undefined> = new Set(['timeout', 'signal', 'internal']);

/** Counts the calls begun after an entry that are never repeated automatically, except calls whose changes are all known. */
export function commandsIn(
  entries: readonly Entry[],
  after: number,
): Pick<UndoReport, 'commands' | 'unknown'> {
  const outcomes = new Map(
    entries.flatMap((entry) => (entry.type === 'settled' ? [[entry.key, entry.outcome]] : [])),
  );
  const begun = [...begunIn(entries).values()].filter(({seq}) => seq > after);
  const more = begun.map(({key}) => outcomes.get(key)).filter(mayHaveDoneMore);
  const unknown = more.filter(
    (outcome) => !isJsonObject(outcome) || outcome['written'] === undefined,
  );
  return {commands: more.length, unknown: unknown.length};
}

function mayHaveDoneMore(outcome: Json | undefined): boolean {
  if (!isJsonObject(outcome)) return true;
  const {kind, code, written, confinement, exitCode} = outcome;
  // An earlier version recorded `confined`.
  if (written !== undefined) return confinement === 'none' || outcome['confined'] === false;
  return (
    exitCode !== undefined || kind === 'succeeded' || (kind !== 'refused' && cutShort.has(code))
  );
}

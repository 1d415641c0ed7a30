/** The steps that undo the changes of a run: one for each file, link and folder. */

import {statSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

import {disarmRepositories, findRepositories} from '../../tools/containment/repositories.ts';
import {isGitPlace, kindOf, leftOutState} from '../../tools/run/snapshot/entry.ts';
import {createGitReader, type GitSeen, isRead} from '../../tools/run/snapshot/git-data.ts';
import {inGitOrder, restoreGit, whyLeft} from '../../tools/run/snapshot/git-pins.ts';
import {type Held, heldBy, restore, type Restoring} from '../../tools/write/restore.ts';
import type {Backup} from '../journal/journal.ts';
import {whyMissing} from './backups.ts';

/** The writes to each file, oldest first. The last written file comes first. */
export function chainsOf(backups: readonly Backup[]): (readonly Backup[])[] {
  const chains = new Map<string, Backup[]>();
  for (const backup of backups) {
    const chain = chains.get(backup.path) ?? [];
    chain.push(backup);
    chains.delete(backup.path);
    chains.set(backup.path, chain);
  }
  return [...chains.values()].filter((chain) => !isOwnOutput(chain)).toReversed();
}

/** True for build output that the run made: it stays. */
function isOwnOutput([first]: readonly Backup[]): boolean {
  return first !== undefined && !first.before && first.after === leftOutState;
}

/** Paths, relative to the workspace, of files whose content is as before the run. Reads the files. */
export async function pathsAsBefore(
  workspace: string,
  backups: readonly Backup[],
): Promise<ReadonlySet<string>> {
  const steps = await stepsFor({workspace, foldersSince: 0}, chainsOf(backups));
  const asBefore = steps.filter(({undone}) => undone.outcome === 'asBefore');
  return new Set(asBefore.map(({undone}) => undone.path));
}

interface Step {
  readonly undone: Undone;
  /** Absent: there is nothing to do. */
  readonly restoring?: Restoring;
  /** Of a place of git's data. */
  readonly git?: GitSeen;
}

/**
 * Removes new paths first, the deepest first; then restores folders, files and links; then sets the modes of folders; then
 * restores git's data.
 */
export async function takeAll(all: readonly Step[]): Promise<readonly Undone[]> {
  const steps = all.filter(({git}) => git === undefined);
  const byDepth = steps.toSorted((a, b) => (a.undone.path < b.undone.path ? -1 : 1));
  const folders = byDepth.filter(isFolder);
  const others = steps.filter((step) => !isRemoval(step) && !isFolder(step));
  const order = [...byDepth.toReversed().filter(isRemoval), ...folders, ...others];
  const taken = new Map<Step, Undone>();
  await inTurn(order.values(), async (step) => taken.set(step, await take(step)));
  await inTurn(folders.toReversed().values(), async (step) => {
    const why = await takeMode(step);
    if (why !== undefined && isModeOnly(step)) taken.set(step, left(step.undone.path, why));
  });
  const ofGit = all.flatMap(({git, restoring}, at) => (git && restoring ? [{at, restoring}] : []));
  await inTurn(inGitOrder(ofGit, ({restoring}) => restoring).values(), async ({at}) => {
    const step = all[at];
    if (step) taken.set(step, await takeGit(step));
  });
  return all.map((step) => taken.get(step) ?? step.undone);
}

async function takeGit({undone, restoring, git}: Step): Promise<Undone> {
  if (!restoring || !git || !isRead(git)) return undone;
  const why = await restoreGit(git, restoring);
  return why === undefined ? undone : left(undone.path, why);
}

async function inTurn<T>(steps: Iterator<T>, act: (step: T) => Promise<unknown>): Promise<void> {
  const step = steps.next();
  if (step.done === true) return;
  await act(step.value);
  return inTurn(steps, act);
}

function isRemoval({restoring}: Step): boolean {
  return restoring !== undefined && restoring.to === undefined;
}

function isFolder({restoring}: Step): boolean {
  return restoring?.to !== undefined && kindOf(restoring.to.mode) === 'folder';
}

/** Sets the mode of a folder, after its content was restored. Returns the reason if that fails. */
async function takeMode({restoring}: Step): Promise<string | undefined> {
  if (!restoring?.to) return undefined;
  const done = await restore({...restoring, expected: restoring.to.state});
  return done.ok ? undefined : done.denial.message;
}

function isModeOnly({restoring}: Step): boolean {
  return restoring !== undefined && restoring.expected === restoring.to?.state;
}

async function take(step: Step): Promise<Undone> {
  const {undone, restoring} = step;
  const isLater = isFolder(step) && isModeOnly(step);
  const done = isLater ? undefined : restoring && (await restore(restoring));
  return !done || done.ok ? undone : left(undone.path, done.denial.message);
}

function left(path: string, why: string): Undone {
  return {path, outcome: 'left', why};
}

export interface UndoPlace extends Pick<Restoring, 'workspace' | 'foldersSince'> {
  /** By state: the path that had it. Its content was not stored, and is no longer at the path. */
  readonly lost?: ReadonlyMap<string, string>;
}

/** Finds files whose only copy may have been moved to another path. */
export function lostIn(workspace: string, chains: readonly (readonly Backup[])[]) {
  const lost = new Map<string, string>();
  for (const [first] of chains) {
    if (!first?.before || typeof first.before.content !== 'string') continue;
    if (isGitPlace(first.path)) continue;
    const held = heldBy(workspace, first.path);
    const isThere = held.ok && held.value.state === first.before.hash;
    if (!isThere) lost.set(first.before.hash, first.path);
  }
  return lost;
}

/** Reads the files, and git's data if a chain is of it. */
export async function stepsFor(
  place: UndoPlace,
  chains: readonly (readonly Backup[])[],
): Promise<readonly Step[]> {
  const isOfGit = chains.some(([first]) => first !== undefined && isGitPlace(first.path));
  const git = isOfGit ? await createGitReader(place.workspace)() : 'none';
  return chains.map((chain) => stepFor(place, chain, git));
}

function stepFor(place: UndoPlace, backups: readonly Backup[], git: GitSeen): Step {
  const [first, ...others] = backups;
  if (!first) throw new Error('a chain of backups is empty');
  const {path, before} = first;
  if (isGitPlace(path)) return {...gitStep(place, path, backups, git), git};
  if (before?.content === 'unkept') return {undone: left(path, whyMissing.unkept)};
  const held = heldBy(place.workspace, path);
  if (!held.ok) return {undone: left(path, held.denial.message)};
  const arrived = before?.content === 'moved' ? others : backups;
  const chain = held.value.names > 1 ? backups.map(withoutArrival) : arrived;
  if (chain.length === 0) return {undone: left(path, whyMissing.moved)};
  return unlessOnly(place, stepOf(place, path, chain, held.value));
}

/** A file that was moved here may be the only copy, unless it has other names (hard links). */
function withoutArrival(backup: Backup): Backup {
  if (backup.before?.content !== 'moved') return backup;
  const {before: _, ...rest} = backup;
  return rest;
}

function gitStep(
  {workspace, foldersSince}: UndoPlace,
  path: string,
  chain: readonly Backup[],
  git: GitSeen,
): Step {
  if (git === 'none') return {undone: left(path, 'there is no repository')};
  if (!isRead(git)) return {undone: left(path, git.why)};
  const expected = git.states.get(path) ?? 'absent';
  if (expected === hashBefore(chain[0])) return {undone: {path, outcome: 'asBefore'}};
  const why = whyLeft(git, path);
  if (why !== undefined) return {undone: left(path, why)};
  return wayStep({workspace, foldersSince, path, expected}, chain, 1);
}

function unlessOnly({lost}: UndoPlace, step: Step): Step {
  const {undone, restoring} = step;
  const only = restoring && lost?.get(restoring.expected);
  if (only === undefined || only === undone.path) return step;
  const why = `it may be the only copy of ${only}, which was not kept`;
  return {undone: left(undone.path, why)};
}

function stepOf(
  {workspace, foldersSince}: UndoPlace,
  path: string,
  chain: readonly Backup[],
  {state: expected, mode, names}: Held,
): Step {
  const order = {workspace, foldersSince, path, expected};
  if (expected === hashBefore(chain[0])) return modeStep(order, chain[0]?.before, mode);
  return wayStep(order, chain, names);
}

function wayStep(order: Omit<Restoring, 'to'>, chain: readonly Backup[], names: number): Step {
  const {path, expected} = order;
  const way = wayBack(chain, expected);
  if (!way) return {undone: left(path, 'something else has changed it since')};
  const {before} = way.to;
  const why = way.isWhole ? {} : {why: 'something else changed it between two writes of the run'};
  if (!before) return {undone: {path, outcome: 'removed', ...why}, restoring: order};
  const content = contentOf(before, chain);
  if (typeof content === 'string') return {undone: left(path, whyMissing[content])};
  const to = {state: before.hash, content, mode: before.mode};
  const shared = names > 1 ? {why: 'it had other names (hard links), which stay as they are'} : {};
  return {undone: {path, outcome: 'restored', ...shared, ...why}, restoring: {...order, to}};
}

/** The content is as before. The earlier permissions are known for sure only if a command has changed the path. */
function modeStep(order: Omit<Restoring, 'to'>, before: Kept | undefined, mode: number): Step {
  const {path} = order;
  const isChanged = before !== undefined && before.mode > 0o7777 && before.mode !== mode;
  if (!isChanged || kindOf(mode) === 'link') return {undone: {path, outcome: 'asBefore'}};
  const to = {state: before.hash, content: new Uint8Array(), mode: before.mode};
  return {undone: {path, outcome: 'restored'}, restoring: {...order, to}};
}

type Kept = NonNullable<Backup['before']>;

function hashBefore(backup: Backup | undefined): string {
  return backup?.before?.hash ?? 'absent';
}

function hashAfter({after = 'absent'}: Backup): string {
  return after;
}

/**
 * Follows the run's writes backwards from the current content of the file. If a write starts from the same content as the
 * write before it, that earlier write never happened: the run failed in it. Undefined if no write left the current content.
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

/** The content to restore. Another write may have kept an equal content. */
function contentOf(before: Kept, chain: readonly Backup[]): Kept['content'] {
  const equal = chain.find(
    (backup) => backup.before?.hash === before.hash && typeof backup.before.content !== 'string',
  );
  return equal?.before?.content ?? before.content;
}

// The report of an undo, and the check after it.

/** The outcome for one file; of a dry run, the expected outcome. */
export interface Undone {
  /** Relative to the workspace. */
  readonly path: string;
  /** `asBefore`: it already was as before the run. `left`: it stays as it is. */
  readonly outcome: 'restored' | 'removed' | 'asBefore' | 'left';
  /** Why the file is left, or only partly undone. */
  readonly why?: string;
}

export interface UndoReport {
  readonly interaction: string;
  readonly workspace: string;
  /** The last written file comes first. */
  readonly files: readonly Undone[];
  /** One line for each repository that was renamed, because it would run programs. */
  readonly setAside: readonly string[];
  /** The number of commands and other calls that may have changed more than these files. Those changes are unknown and stay. */
  readonly commands: number;
  /** The subset of these calls whose changes to files of the workspace are not known either. */
  readonly unknown: number;
  /** A file would be left, and with `isWhole` nothing was undone. */
  readonly isRefused?: true;
  /** The run can still be resumed. */
  readonly isOpen: boolean;
}

export interface UndoOptions {
  /** Changes nothing: reports what would be done. */
  readonly dryRun?: boolean;
  /** Only changes that were begun after this entry. */
  readonly after?: number;
  /** Undoes nothing if any file would be left. */
  readonly isWhole?: boolean;
}

/**
 * Renames repositories that never existed, which restored files may form together with files that were left. Resolves with one line
 * of text for each, without a line break. Never rejects.
 */
type UndoCheck = (files: readonly Undone[]) => Promise<readonly string[]>;

/** Call it before the undo. `began`: the start of the run, epoch ms; older files are the user's own. Never rejects. */
export async function beginUndoCheck(workspace: string, began: number): Promise<UndoCheck> {
  const since = Date.now();
  const before = await findRepositories(workspace);
  return async (files) => {
    const back = new Set(files.filter(({outcome}) => outcome !== 'left').map(({path}) => path));
    const isOwn = (path: string): boolean =>
      back.has(relative(workspace, path)) || isOlder(path, began);
    return disarmRepositories(await findRepositories(workspace), {
      workspace,
      before,
      since,
      mayStay: (danger, mark) => isOwn(danger.path) && partsOf(mark).every(isOwn),
    });
  };
}

/** Without these paths the folder is not a repository. */
function partsOf(mark: string): string[] {
  return [mark, ...['objects', 'refs'].map((name) => join(dirname(mark), name))];
}

/** Compares the birth time of a folder: its other times change with its content. An absent path counts as older. */
function isOlder(path: string, time: number): boolean {
  const stats = statSync(path, {throwIfNoEntry: false});
  return stats === undefined || (stats.isDirectory() ? stats.birthtimeMs : stats.ctimeMs) < time;
}

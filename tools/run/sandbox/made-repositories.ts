/**
 * Repositories that a command has made, or changed where nothing guarded them. git obeys whatever looks like one: as soon as
 * a prompt or an editor asks it for the state of a folder, it runs what that folder's settings name. They stay where
 * these name nothing that runs.
 */

import type {Dirent} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';

import {isBelow, namesIn, realPathOf, statsOf, textOf} from './guarded.ts';
import {isHarmless} from './harmless-config.ts';
import {entriesBelow, pathOf} from './nested.ts';

const maxFolders = 20_000;
const maxConfigBytes = 65_536;

export interface Made {
  /** Absolute: without it git and hg take the folder for none. */
  readonly marks: readonly string[];
  /** There are more folders than were looked through. */
  readonly isPart: boolean;
}

/** Of those that were made or changed since then, epoch ms, the ones that may run something. Never rejects. */
export async function repositoriesSince(workspace: string, since: number): Promise<Made> {
  const {found, isPart} = await entriesBelow([workspace], maxFolders, mayMark);
  const marks = found.map(pathOf).flatMap((path) => marksOf(path, workspace, since));
  return {marks: [...new Set(marks)], isPart};
}

function mayMark({name}: Dirent): boolean {
  return name === '.git' || name === '.hg' || name === 'HEAD';
}

function marksOf(path: string, workspace: string, since: number): readonly string[] {
  const name = basename(path);
  if (name === 'HEAD') return marksIn(dirname(path), since);
  // Those of the workspace itself are guarded while the command runs.
  if (dirname(path) === workspace) return [];
  if (name === '.hg') return isNewHg(path, since) ? [path] : [];
  if (statsOf(path)?.isDirectory() === true) return marksIn(path, since);
  return leadsToOne(path, workspace, since) ? [path] : [];
}

function leadsToOne(path: string, workspace: string, since: number): boolean {
  const target = targetOf(path);
  if (target === undefined || !isBelow(workspace, target)) return isSince(path, since);
  return isObeyed(target, [path, ...obeyedIn(target)], since);
}

/** What a link or a file `.git` leads to. */
function targetOf(path: string): string | undefined {
  if (statsOf(path)?.isSymbolicLink() === true) return realPathOf(path);
  const told = /^gitdir: (?<path>.+?)\r?\n?$/.exec(textOf(path))?.groups?.['path'];
  return told === undefined ? undefined : realPathOf(resolve(dirname(path), told));
}

function marksIn(folder: string, since: number): readonly string[] {
  const has = (name: string): boolean => statsOf(join(folder, name)) !== undefined;
  const isOne = has('HEAD') && ((has('objects') && has('refs')) || has('commondir'));
  return isOne && isObeyed(folder, obeyedIn(folder), since) ? [join(folder, 'HEAD')] : [];
}

/** Of a repository's folder: where all that it obeys lies, and what tells that something was put there. */
function obeyedIn(folder: string): readonly string[] {
  const hooks = join(folder, 'hooks');
  const own = ['HEAD', 'config', 'commondir', 'hooks'].map((name) => join(folder, name));
  return [folder, ...own, ...namesIn(hooks).map((name) => join(hooks, name))];
}

function isObeyed(folder: string, places: readonly string[], since: number): boolean {
  return places.some((path) => isSince(path, since)) && mayRun(folder);
}

/** The time of a change of what a file is can't be set by anybody. */
function isSince(path: string, since: number): boolean {
  return (statsOf(path)?.ctimeMs ?? 0) >= since;
}

function mayRun(folder: string): boolean {
  if (statsOf(join(folder, 'commondir'))) return true;
  const hooks = join(folder, 'hooks');
  if (statsOf(hooks)?.isSymbolicLink() === true) return true;
  if (namesIn(hooks).some((name) => !name.endsWith('.sample'))) return true;
  const config = join(folder, 'config');
  const stats = statsOf(config);
  if (!stats) return false;
  return !stats.isFile() || stats.size > maxConfigBytes || !isHarmless(textOf(config));
}

function isNewHg(path: string, since: number): boolean {
  const places = ['hgrc', 'sharedpath'].map((name) => join(path, name));
  return (
    places.some((place) => statsOf(place)) && [path, ...places].some((one) => isSince(one, since))
  );
}

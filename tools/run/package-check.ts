/** Checks package files after a command: added settings that run by themselves are reverted, as write_file may not write them either. */

import {readFileSync, statSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

import {attempt} from '../containment/denial.ts';
import {foldersBetween, statsOf} from '../containment/guarded.ts';
import {openable} from '../containment/own-state.ts';
import {newPackageHooks, packageHooks} from '../containment/package-files.ts';
import {nameAside, setAside} from '../containment/set-aside.ts';
import {writeInside} from '../write/write.ts';

const maxFiles = 500;
const maxBytes = 1024 * 1024;

interface PackageText {
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

/** By absolute path. */
export type PackageTexts = ReadonlyMap<string, PackageText>;

/** Never throws. */
export function readPackages(paths: readonly string[]): PackageTexts {
  const read = paths.slice(0, maxFiles).flatMap((path) => {
    const text = readPackage(path);
    return text ? [[path, text] as const] : [];
  });
  return new Map(read);
}

/** Follows links, as package managers do. */
function readPackage(path: string): PackageText | undefined {
  const read = attempt(path, () => {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    return {text: readFileSync(openable(path), 'utf8'), mode: stats.mode & 0o777};
  });
  return read.ok ? read.value : undefined;
}

/** Settings that files had before commands of this process: a switch of branches may restore them. */
const seen = new Map<string, Set<string>>();

export function rememberHooks(packages: PackageTexts): void {
  for (const [path, {text}] of packages) {
    const known = seen.get(path) ?? new Set<string>();
    for (const hook of packageHooks(path, text)) known.add(hook.join('\n'));
    if (known.size > 0) seen.set(path, known);
  }
}

export interface PackageChange {
  readonly workspace: string;
  readonly before: PackageTexts;
  /** Absolute paths of the package files that exist now. */
  readonly paths: readonly string[];
  /** Epoch ms. */
  readonly since: number;
  /** A person has approved the setting by its name. */
  readonly isApproved: (name: string) => boolean;
}

/** Returns a line for each file, without a line end. Never rejects. */
export async function takeBackPackages(change: PackageChange): Promise<string[]> {
  const now = readPackages(change.paths);
  const lines = await Promise.all(
    [...now].map(async ([path, {text}]) => {
      const names = addedTo(path, text, change);
      return names.length === 0 ? [] : await takeBack(path, names, change);
    }),
  );
  return lines.flat();
}

function addedTo(path: string, text: string, change: PackageChange): readonly string[] {
  const {workspace, before, since, isApproved} = change;
  const old = before.get(path);
  if (old?.text === text || (!old && isOthers(path, workspace, since))) return [];
  return newPackageHooks(path, old?.text, text)
    .filter((hook) => seen.get(path)?.has(hook.join('\n')) !== true)
    .map(([name]) => name)
    .filter((name) => !isApproved(name));
}

/** Clocks of file systems may lag by this many ms. */
const lagMs = 50;

/** It existed before, beyond the files that were read; or it came with a nested repository that is not in use yet. */
function isOthers(path: string, workspace: string, since: number): boolean {
  const isOld = (statsOf(path)?.ctimeMs ?? 0) < since - lagMs;
  return isOld || foldersBetween(workspace, path).some((at) => statsOf(join(at, '.git')));
}

async function takeBack(
  path: string,
  names: readonly string[],
  {workspace, before}: PackageChange,
): Promise<string[]> {
  const shown = names.slice(0, 5).join(', ');
  const why = `names code that package managers and builds run by themselves (${shown}): only a person may allow that`;
  const isFree = nameAside(path) !== undefined;
  const lines = setAside(workspace, path, why);
  const old = before.get(path);
  if (!old || !isFree || statsOf(path) || !statsOf(dirname(path))) return lines;
  const order = {workspace, path: relative(workspace, path), content: old.text, mode: old.mode};
  const written = await writeInside({...order, basedOn: 'absent', createDirs: false});
  return written.ok ? lines.map((line) => `${line}, and the file is as before`) : lines;
}

/**
 * The state of a workspace before a command, on disk while the command runs: a process that takes over a run whose process is
 * gone uses it to find the command's changes. One file per run, beside the packs of all runs.
 */

import {lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {z} from 'zod';

import {isAbandoned, isTemporary, temporaryName} from '../../write/leftovers.ts';
import {markerFile} from './baselines.ts';
import type {Entry, Manifest} from './entry.ts';

/** Older markers are not taken over any more. */
const staleMs = 7 * 24 * 3_600_000;

const entry: z.ZodType<Entry> = z.object({
  kind: z.enum(['file', 'link', 'folder', 'git']),
  mode: z.number(),
  size: z.number(),
  mtimeMs: z.number(),
  ctimeMs: z.number(),
  ino: z.number(),
  state: z.string(),
  missing: z.enum(['large', 'secret', 'unkept', 'moved']).exactOptional(),
  bornMs: z.number().exactOptional(),
  target: z.string().exactOptional(),
  blob: z.string().exactOptional(),
  kept: z.object({offset: z.number(), length: z.number()}).exactOptional(),
  isYoung: z.literal(true).exactOptional(),
});

const manifest = z.object({
  leftOut: z.array(z.string()),
  entries: z.array(z.tuple([z.string(), entry])),
});

/** Names of files beside it. */
const marker = z.object({
  workspace: z.string(),
  pack: z.string(),
  manifest: z.string(),
  /** When the command began, epoch ms. */
  beganMs: z.number(),
  /** Git's data. Absent: it was not recorded. */
  git: z.array(z.tuple([z.string(), entry])).exactOptional(),
});

export type Marker = z.infer<typeof marker>;

/** Written completely or not at all. Returns the name of its file. Throws the operating system's error. */
export function writeManifest(folder: string, {entries, leftOut}: Manifest): string {
  const name = temporaryName();
  const text = JSON.stringify({leftOut: [...leftOut], entries: [...entries]});
  writeFileSync(join(folder, name), text, {mode: 0o600, flag: 'wx'});
  return name;
}

/** Written completely or not at all. Throws the operating system's error. */
export function writeMarker(folder: string, run: string, content: Marker): void {
  const temporary = join(folder, temporaryName());
  writeFileSync(temporary, JSON.stringify(content), {mode: 0o600, flag: 'wx'});
  renameSync(temporary, markerFile(folder, run));
}

export interface Marked {
  readonly workspace: string;
  /** The path of its file. */
  readonly pack: string;
  readonly before: Manifest;
  readonly git: ReadonlyMap<string, Entry> | undefined;
  readonly beganMs: number;
}

/** Undefined when there is no valid one. */
export function readMarker(folder: string, run: string): Marked | undefined {
  try {
    const {workspace, pack, manifest: name, beganMs, git} = markerOf(folder, run);
    const {leftOut, entries} = manifest.parse(readJson(join(folder, name)));
    const before = {entries: new Map(entries), leftOut: new Set(leftOut)};
    const recorded = git && new Map(git);
    return {workspace, pack: join(folder, pack), before, git: recorded, beganMs};
  } catch {
    return undefined;
  }
}

/** Throws for an invalid marker. */
function markerOf(folder: string, run: string): Marker {
  return marker.parse(readJson(markerFile(folder, run)));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Removes packs of processes that are gone, except those of a run that may still be taken over. */
export function sweep(folder: string): void {
  const names = readdirSync(folder);
  const runs = names.flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? []);
  const needed = new Set(runs.flatMap((run) => filesOf(folder, run)));
  for (const name of names) {
    const isOld = Date.now() - mtimeOf(join(folder, name)) > staleMs;
    const isLeft = isTemporary(name) && isAbandoned(name) && !needed.has(name);
    if (isOld || isLeft) rmSync(join(folder, name), {force: true});
  }
}

function filesOf(folder: string, run: string): readonly string[] {
  try {
    const {pack, manifest: entries} = markerOf(folder, run);
    return [pack, entries];
  } catch {
    return [];
  }
}

function mtimeOf(path: string): number {
  return lstatSync(path, {throwIfNoEntry: false})?.mtimeMs ?? Date.now();
}

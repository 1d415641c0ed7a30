/**
 * What a workspace held before a command, on the disk while the command runs: whoever takes over a run whose process is
 * gone finds there what the command has changed. One file a run, beside the packs of all runs.
 */

import {lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {z} from 'zod';

import {isAbandoned, isTemporary, temporaryName} from '../../write/leftovers.ts';
import type {Entry, Manifest} from './entry.ts';
import {markerFile} from './marker-file.ts';

/** What nobody has taken up by then, nobody will. */
const staleMs = 7 * 24 * 3_600_000;

const entry: z.ZodType<Entry> = z.object({
  kind: z.enum(['file', 'link', 'folder']),
  mode: z.number(),
  size: z.number(),
  mtimeMs: z.number(),
  ctimeMs: z.number(),
  ino: z.number(),
  state: z.string(),
  missing: z.enum(['large', 'secret', 'unkept', 'moved']).exactOptional(),
  bornMs: z.number().exactOptional(),
  target: z.string().exactOptional(),
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
});

export type Marker = z.infer<typeof marker>;

/** Whole or not at all. Returns the name of its file. Throws the operating system's error. */
export function writeManifest(folder: string, {entries, leftOut}: Manifest): string {
  const name = temporaryName();
  const text = JSON.stringify({leftOut: [...leftOut], entries: [...entries]});
  writeFileSync(join(folder, name), text, {mode: 0o600, flag: 'wx'});
  return name;
}

/** Whole or not at all. Throws the operating system's error. */
export function writeMarker(folder: string, run: string, told: Marker): void {
  const temporary = join(folder, temporaryName());
  writeFileSync(temporary, JSON.stringify(told), {mode: 0o600, flag: 'wx'});
  renameSync(temporary, markerFile(folder, run));
}

export interface Marked {
  readonly workspace: string;
  /** The path of its file. */
  readonly pack: string;
  readonly before: Manifest;
  readonly beganMs: number;
}

/** Undefined when there is none, or none that makes sense. */
export function readMarker(folder: string, run: string): Marked | undefined {
  try {
    const {workspace, pack, manifest: name, beganMs} = markerOf(folder, run);
    const {leftOut, entries} = manifest.parse(readJson(join(folder, name)));
    const before = {entries: new Map(entries), leftOut: new Set(leftOut)};
    return {workspace, pack: join(folder, pack), before, beganMs};
  } catch {
    return undefined;
  }
}

/** Throws. */
function markerOf(folder: string, run: string): Marker {
  return marker.parse(readJson(markerFile(folder, run)));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Packs of processes that are gone go, but for those that a run needs which may be taken over. */
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

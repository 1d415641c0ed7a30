/** Backs up the contents that a run's writes replace, within limits. Contents with a known secret are not backed up. */

import {join} from 'node:path';

import {once} from '../../machines/domain/once.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {claimState} from '../../tools/containment/own-state.ts';
import {isGitPlace, type Missing} from '../../tools/run/snapshot/entry.ts';
import {createSnapshots, type Snapshots} from '../../tools/run/snapshot/snapshots.ts';
import type {OnReplace, Replacement} from '../../tools/tool.ts';
import type {Backup, Backups, Journal} from '../journal/journal.ts';
import type {Redactor} from '../secrets/redact.ts';
import {createNetChanges, type NetChanges} from './net-changes.ts';

/** The most that is backed up for one run in one process, in bytes. */
const maxRunBytes = 200 * 1024 * 1024;

/** Why a run's undo can't restore the earlier content of a file. */
export const whyMissing = {
  large: 'its earlier content was not kept: it was too large or unreadable',
  secret: 'its earlier content was not kept: it contained a secret',
  old: 'its earlier content was discarded: newer runs needed the space',
  unkept: 'the run removed it, and its content was not kept',
  moved: 'it was moved here from a folder of which no content is kept',
} as const;

/** Records the changes of one run in its workspace, by any tool. */
export interface RunChanges {
  /** Backs up the content that a write of this effect replaces. The write waits for the returned promise. */
  readonly onReplaceBy: (effect: string) => OnReplace;
  /** Adds to the outcome of an effect how far its files differ from their texts before the run. Rejects with AppError `io`. */
  readonly complete: NetChanges['complete'];
  /** Files that an effect of this process has changed and whose earlier content is not kept: each path with the reason. */
  readonly unkeptBy: (effect: string) => readonly string[];
  /** Records files that a tool without backups has written. */
  readonly note: (paths: readonly string[]) => void;
  /** All changed paths, also those of earlier processes: as noted, or relative to the workspace. Rejects with AppError `io`. */
  readonly list: () => Promise<readonly string[]>;
}

export function createRunChanges(
  run: string,
  backups: Backups | undefined,
  redactor: Pick<Redactor, 'holdsSecret'>,
): RunChanges {
  const unkept = new Map<string, string[]>();
  const keep = createKeeper(run, backups, redactor, (effect, text) => {
    unkept.set(effect, [...(unkept.get(effect) ?? []), text]);
  });
  const paths = new Set<string>();
  const note: RunChanges['note'] = (more) => {
    for (const path of more) if (!isGitPlace(path)) paths.add(path);
  };
  const net = createNetChanges(run);
  const earlier = once(async () => {
    const kept = (await backups?.list(run)) ?? [];
    note(kept.map(({path}) => path));
    for (const backup of kept) net.begin(backup.effect ?? '', [backup]);
  });
  return {
    note,
    onReplaceBy: (effect) => async (replacements) => {
      await earlier();
      net.begin(effect, replacements);
      note(replacements.map(({path}) => path));
      await keep(replacements, effect);
    },
    complete: net.complete,
    unkeptBy: (effect) => unkept.get(effect) ?? [],
    list: async () => {
      await earlier();
      return [...paths];
    },
  };
}

/**
 * Keeps nothing if the journal has no backups. `effect`: the key of the effect that makes the change, if it is known. Rejects
 * with AppError `io` when a backup fails. `onUnkept`: called for each file whose earlier content is not kept.
 */
export function createKeeper(
  run: string,
  backups: Pick<Backups, 'keep'> | undefined,
  redactor: Pick<Redactor, 'holdsSecret'>,
  onUnkept: (effect: string, text: string) => void = () => {},
): (replacements: readonly Replacement[], effect?: string) => Promise<void> {
  let keptBytes = 0;
  const contentOf = (content: Buffer | Missing): Uint8Array | Missing => {
    if (typeof content === 'string') return content;
    if (keptBytes + content.length > maxRunBytes) return 'large';
    if (redactor.holdsSecret(content)) return 'secret';
    keptBytes += content.length;
    return content;
  };
  const backupOf = ({path, before, after}: Replacement, effect: string | undefined): Backup => ({
    path,
    ...(effect === undefined ? {} : {effect}),
    ...(before
      ? {before: {hash: before.state, mode: before.mode, content: contentOf(before.content)}}
      : {}),
    ...(after === undefined ? {} : {after}),
  });
  return async (replacements, effect) => {
    const kept = replacements.map((each) => backupOf(each, effect));
    await backups?.keep(run, kept);
    for (const {path, before} of kept) {
      const content = before?.content;
      if (typeof content === 'string') onUnkept(effect ?? '', `${path}: ${whyMissing[content]}`);
    }
  };
}

export interface SnapshotPlaces {
  readonly cacheFolder?: string | undefined;
  readonly lockFolder?: string | undefined;
}

/** Snapshots exclude the folders that Quorate itself writes to. Without backups in the journal, nothing can be undone. */
export function snapshotsFor(
  {backups}: Journal,
  redactor: Pick<Redactor, 'holdsSecret'>,
  {cacheFolder, lockFolder}: SnapshotPlaces,
): Snapshots {
  claimState([cacheFolder ?? [], lockFolder ?? []].flat());
  const snapshots = createSnapshots({
    folder: cacheFolder === undefined ? undefined : join(cacheFolder, 'snapshots'),
    holdsSecret: (content) => redactor.holdsSecret(content),
  });
  if (backups) return snapshots;
  return {
    ...snapshots,
    gapOf: async () => await Promise.resolve('the journal keeps no backups'),
    unkeptIn: async () => await Promise.resolve([]),
    isRestorable: async () => await Promise.resolve(false),
  };
}

/** Discards data that a run needs while it works; the baseline only if it can't be resumed. Never rejects. */
export function restAfter(
  {baselines, rest}: Pick<Snapshots, 'baselines' | 'rest'>,
  run: string,
): (result: Pick<RunResult, 'status'>) => Promise<void> {
  return async ({status}) => {
    if (status === 'completed' || status === 'failed' || status === 'cancelled') {
      baselines.forget(run);
    }
    await rest(run);
  };
}

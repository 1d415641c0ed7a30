/** Backs up the contents that a run's writes replace, within limits. Contents with a known secret are not backed up. */

import {AppError} from '../../machines/domain/app-error.ts';
import {once} from '../../machines/domain/once.ts';
import type {Change, NetChange} from '../../machines/domain/patch.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import {isGitPlace, type Missing} from '../../tools/run/snapshot/entry.ts';
import {createSnapshots, type Snapshots} from '../../tools/run/snapshot/snapshots.ts';
import type {OnReplace, Replacement} from '../../tools/tool.ts';
import type {Backup, Backups, Entry, Host, Journal} from '../journal/journal.ts';
import type {Redactor} from '../secrets/redact.ts';

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

/** Without backups in the journal, nothing can be undone. */
export function snapshotsFor(
  {journal, host}: {readonly journal: Journal; readonly host: Host},
  redactor: Pick<Redactor, 'holdsSecret'>,
): Snapshots {
  const snapshots = createSnapshots({
    folder: host.snapshotFolder,
    holdsSecret: (content) => redactor.holdsSecret(content),
  });
  if (journal.backups) return snapshots;
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

// Net changes: the difference between the text of a file before a run, or one of its interactions, first changed it and its text
// now. The numbers of single changes do not add up to it: a later change may touch the lines of an earlier one, or others.

/** Longer texts are not compared, and no more is kept in all, in bytes. */
const maxTextBytes = 1024 * 1024;
const maxKeptBytes = 64 * 1024 * 1024;

/** The text before the first change; `absent`: there was no file; `unknown`: it is not text, or was not kept. */
type First = {readonly text: string} | 'absent' | 'unknown';

interface Begun {
  readonly first: First;
  /** The effect that made the first change. */
  readonly effect: string;
}

interface NetChanges {
  /** Call it for each change before it is made, in order. */
  readonly begin: (effect: string, replacements: readonly Replaced[]) => void;
  /** The outcome of the effect, with the net change of each file that was changed before. */
  readonly complete: (
    effect: string,
    workspace: string,
    outcome: ToolOutcome,
  ) => Promise<ToolOutcome>;
}

type Replaced = Pick<Replacement, 'path'> & {
  readonly before?: {readonly mode: number; readonly content: Uint8Array | string} | undefined;
};

export function createNetChanges(run: string): NetChanges {
  /** By interaction, then by path. */
  const begun = new Map<string, Map<string, Begun>>();
  let keptBytes = 0;
  const firstOf = ({before}: Replaced): First => {
    if (!before) return 'absent';
    const {content, mode} = before;
    const isFile = (mode & 0o170000) === 0 || (mode & 0o170000) === 0o100000;
    if (!isFile || typeof content === 'string' || content.length > maxTextBytes) return 'unknown';
    if (content.includes(0) || keptBytes + content.length > maxKeptBytes) return 'unknown';
    keptBytes += content.length;
    return {text: Buffer.from(content).toString('utf8')};
  };
  const begin: NetChanges['begin'] = (effect, replacements) => {
    const scopes = scopesOf(effect, run).map((scope) => placesIn(begun, scope));
    for (const replaced of replacements) {
      const open = scopes.filter((places) => !places.has(replaced.path));
      const first = open.length > 0 ? firstOf(replaced) : 'unknown';
      for (const places of open) places.set(replaced.path, {first, effect});
    }
  };
  const netOf = async (effect: string, workspace: string, path: string): Promise<Change['net']> => {
    const firsts = scopesOf(effect, run).map((scope) => begun.get(scope)?.get(path));
    if (firsts.every((each) => each === undefined || each.effect === effect)) return undefined;
    const now = await textNow(workspace, path);
    const nets = await Promise.all(
      firsts.map(async (each) => await between(path, each?.first, now)),
    );
    const known = nets.flatMap((net) => net ?? []);
    if (known.length < nets.length) return undefined;
    return known.map((net, depth) =>
      depth === 0 ? net : {added: net.added, removed: net.removed},
    );
  };
  return {
    begin,
    complete: async (effect, workspace, outcome) => {
      if (!('changes' in outcome) || !outcome.changes) return outcome;
      const changes = await Promise.all(
        outcome.changes.map(async (change) => {
          const net = await netOf(effect, workspace, change.path);
          return net ? {...change, net} : change;
        }),
      );
      return {...outcome, changes};
    },
  };
}

/** The interactions that contain an effect, the root first: their ids are paths. */
function scopesOf(effect: string, run: string): readonly string[] {
  const parts = interactionIn(effect, run).split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

function placesIn<Value>(all: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = all.get(key);
  if (known) return known;
  const made = new Map<string, Value>();
  all.set(key, made);
  return made;
}

async function textNow(workspace: string, path: string): Promise<First> {
  const {readInside} = await import('../../tools/read/read.ts');
  const file = readInside(workspace, path, {maxBytes: maxTextBytes});
  if (!file.ok) return file.denial.code === 'not_found' ? 'absent' : 'unknown';
  const {bytes} = file.value;
  return bytes.includes(0) ? 'unknown' : {text: bytes.toString('utf8')};
}

/** Undefined when one of the texts is unknown. */
async function between(
  path: string,
  first: First | undefined,
  now: First,
): Promise<NetChange | undefined> {
  if (first === undefined || first === 'unknown' || now === 'unknown') return undefined;
  const {changesOfTexts} = await import('../../tools/write/change.ts');
  const [change] = await changesOfTexts(path, textIn(first), textIn(now));
  const {added = 0, removed = 0, diff} = change ?? {};
  return {added, removed, ...(diff === undefined ? {} : {diff})};
}

function textIn(first: Exclude<First, 'unknown'>): string | undefined {
  return first === 'absent' ? undefined : first.text;
}

// The file changes of a run on both sides of an entry.

/** As {@link tryBackupsAfter}. Throws AppError `usage` instead of undefined. */
export function backupsAfter(
  backups: readonly Backup[],
  entries: readonly Entry[],
  seq: number,
): readonly Backup[] {
  if (seq < 0) return backups;
  const later = tryBackupsAfter(backups, entries, seq);
  if (later) return later;
  throw new AppError(
    'usage',
    'the run was recorded by an earlier version, which did not note when each file was changed',
  );
}

/**
 * The backups of changes that were begun after an entry; undefined for a run of an earlier version whose record does not show on
 * which side of the entry a change lies.
 */
export function tryBackupsAfter(
  backups: readonly Backup[],
  entries: readonly Entry[],
  seq: number,
): readonly Backup[] | undefined {
  const begun = new Map(
    entries.flatMap((entry) => (entry.type === 'requested' ? [[entry.key, entry.seq]] : [])),
  );
  const all = [...begun.values()].toSorted((a, b) => a - b);
  const [first = Infinity, last = -Infinity] = [all[0], all.at(-1)];
  if (seq < first) return backups;
  if (seq >= last) return [];
  const later: Backup[] = [];
  let at: number | undefined;
  for (const backup of backups) {
    // A change that a dead process left unrecorded follows the call that it was making.
    at = (backup.effect === undefined ? undefined : begun.get(backup.effect)) ?? at;
    if (at === undefined) return undefined;
    if (at > seq) later.push(backup);
  }
  return later;
}

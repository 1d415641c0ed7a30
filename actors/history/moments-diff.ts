/** The changes in a run between two of its entries: states, contexts, decisions, files. */

import type {Json, JsonObject} from '../../machines/domain/json.ts';
import {type MemberDifference, membersBetween, patchBetween} from '../../machines/trace/patch.ts';
import type {Backup, Entry} from '../journal/journal.ts';
import {tryBackupsAfter} from '../undo/backups.ts';
import type {ActorState, Moment} from './record.ts';

/** Absent `from`: it began to exist. Absent `to`: it ended, or was removed. */
interface Changed {
  readonly from?: Json;
  readonly to?: Json;
}

export interface StateChange extends Changed {
  /** Of the actor. */
  readonly path: string;
  readonly machine: string;
}

export interface ContextChange extends Changed {
  /** Of the actor. */
  readonly path: string;
  /** The member of its context, such as `plan.tasks.0.description`. */
  readonly member: string;
}

/** A changed path of the workspace: SHA-256 of its content, or another mark of its state; absent: there is nothing. */
export interface FileChange {
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
}

export interface MomentsDiff {
  /** Numbers of the entries. */
  readonly from: number;
  readonly to: number;
  readonly states: readonly StateChange[];
  /** Of actors that are there at both. */
  readonly contexts: readonly ContextChange[];
  /** The notes and received messages between them, in order. */
  readonly decisions: readonly {readonly entry: number; readonly what: JsonObject}[];
  /** Absent: a run of an earlier version, whose record does not show when files were changed. */
  readonly files?: readonly FileChange[];
}

/** `entries`, `backups`: of the whole run. */
export function diffMoments(
  from: Moment,
  to: Moment,
  {entries, backups}: {readonly entries: readonly Entry[]; readonly backups: readonly Backup[]},
): MomentsDiff {
  const between = entries.filter(({seq}) => seq > from.entry && seq <= to.entry);
  const files = filesBetween(from.entry, to.entry, entries, backups);
  return {
    from: from.entry,
    to: to.entry,
    states: statesBetween(from.actors, to.actors),
    contexts: contextsBetween(from.actors, to.actors),
    decisions: between.flatMap((entry) => {
      if (entry.type === 'noted') return [{entry: entry.seq, what: entry.note}];
      return entry.type === 'received' ? [{entry: entry.seq, what: entry.event}] : [];
    }),
    ...(files ? {files} : {}),
  };
}

type Actors = readonly ActorState[];

function statesBetween(from: Actors, to: Actors): StateChange[] {
  const before = byPath(from);
  const after = byPath(to);
  const began = to.filter(({path}) => !before.has(path));
  const [ended, stayed] = [
    from.filter(({path}) => !after.has(path)),
    from.filter(({path}) => after.has(path)),
  ];
  return [
    ...stayed.flatMap(({path, machine, state}) => {
      const now = after.get(path)?.state ?? null;
      return patchBetween(state, now).length === 0 ? [] : [{path, machine, from: state, to: now}];
    }),
    ...began.map(({path, machine, state}) => ({path, machine, to: state})),
    ...ended.map(({path, machine, state}) => ({path, machine, from: state})),
  ];
}

function contextsBetween(from: Actors, to: Actors): ContextChange[] {
  const after = byPath(to);
  return from.flatMap(({path, context}) => {
    const now = after.get(path);
    if (!now) return [];
    return membersBetween(context, now.context).map((member) => contextChange(path, member));
  });
}

function contextChange(
  path: string,
  {path: member, before: from, after: to}: MemberDifference,
): ContextChange {
  return {
    path,
    member: member.join('.'),
    ...(from === undefined ? {} : {from}),
    ...(to === undefined ? {} : {to}),
  };
}

function byPath(actors: Actors): ReadonlyMap<string, ActorState> {
  return new Map(actors.map((actor) => [actor.path, actor]));
}

function filesBetween(
  from: number,
  to: number,
  entries: readonly Entry[],
  backups: readonly Backup[],
): FileChange[] | undefined {
  const later = tryBackupsAfter(backups, entries, from);
  const latest = tryBackupsAfter(backups, entries, to);
  if (!later || !latest) return undefined;
  const beyond = new Set(latest);
  const files = new Map<string, FileChange>();
  for (const backup of later.filter((each) => !beyond.has(each))) {
    const {path, before, after} = backup;
    const known = files.get(path);
    const first = known ? known.from : before?.hash;
    files.set(path, {
      path,
      ...(first === undefined ? {} : {from: first}),
      ...(after === undefined ? {} : {to: after}),
    });
  }
  return [...files.values()].filter((file) => file.from !== file.to);
}

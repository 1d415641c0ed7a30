/** A recorded run as its readers see it: a replay of its entries, in which nothing is performed. */

import type {AnyActorRef, AnyMachineSnapshot, Snapshot} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {ports} from '../../machines/port-natures.ts';
import type {Asked} from '../../machines/ports.ts';
import {hideOpaque} from '../../machines/prompts/transcript.ts';
import {parentOf, pathOf} from '../../machines/tree/path.ts';
import {treeMachine} from '../../machines/tree/tree.ts';
import {ActorTree, type ActorTreeOptions} from '../engine/actor-tree.ts';
import {applyEntry, replay} from '../engine/replay.ts';
import {isSliceOver, nextTurn} from '../engine/slices.ts';
import type {Entry} from '../journal/journal.ts';
import {isMoving, moveIn} from '../run/run-input.ts';

type Hooks = Partial<Pick<ActorTreeOptions, 'onReport' | 'onDeliver' | 'inspect'>>;

/** The actors of a run before its first entry. `entries`: the first ones, or all: they name the folder in which it works. */
export function recordedTree(entries: readonly Entry[], hooks: Hooks = {}): ActorTree {
  const move = moveIn(entries);
  return new ActorTree({logic: treeMachine, ports, move, onReport: () => {}, ...hooks});
}

/** A machine actor. */
export interface ActorState {
  /** Its ids from the root, joined by `/`. */
  readonly path: string;
  /** The name of its machine. */
  readonly machine: string;
  /** The value of its state: a name, or an object for nested and parallel states. */
  readonly state: Json;
  readonly context: JsonObject;
}

export interface Moment {
  /** The number of the entry after which the run is shown. */
  readonly entry: number;
  /** Epoch ms. */
  readonly at: number;
  /** The machines that are running, each after its parent. */
  readonly actors: readonly ActorState[];
  /** Keys of the effects that have no outcome. */
  readonly open: readonly string[];
}

/** The run after the last of these entries: a beginning of its journal. Rejects with AppError `divergence`. */
export async function momentAfter(entries: readonly Entry[]): Promise<Moment> {
  const tree = recordedTree(entries);
  await replay({tree}, entries);
  return momentIn(tree, entries.at(-1));
}

/**
 * The run after each entry that is wanted, from one replay; a run that was moved is replayed once for each of its folders. Rejects
 * with AppError `divergence`.
 */
export async function* momentsOf(
  entries: readonly Entry[],
  isWanted: (seq: number) => boolean = () => true,
): AsyncGenerator<Moment> {
  const moves = entries.filter((entry) => entry.type === 'received' && isMoving(entry.event));
  for (const [index, from] of [0, ...moves.map(({seq}) => seq)].entries()) {
    const past = entries.slice(0, moves[index]?.seq);
    if (past.slice(from).some(({seq}) => isWanted(seq)))
      yield* momentsFrom(past, (seq) => seq >= from && isWanted(seq));
  }
}

async function* momentsFrom(
  entries: readonly Entry[],
  isWanted: (seq: number) => boolean,
): AsyncGenerator<Moment> {
  const tree = recordedTree(entries);
  for (const entry of entries) {
    // oxlint-disable-next-line no-await-in-loop -- one entry after the other
    if (isSliceOver()) await nextTurn();
    applyEntry({tree}, entry);
    if (isWanted(entry.seq)) yield momentIn(tree, entry);
  }
}

function momentIn({root, effects}: ActorTree, last: Entry | undefined): Moment {
  return {
    entry: last?.seq ?? -1,
    at: last?.at ?? 0,
    actors: root ? actorsUnder(root) : [],
    open: effects.open.map(({key}) => key),
  };
}

function actorsUnder(actor: AnyActorRef): ActorState[] {
  const snapshot: AnyMachineSnapshot = actor.getSnapshot();
  const {children = {}, value, context, machine} = snapshot;
  const below = Object.values<AnyActorRef | undefined>(children).flatMap((child) =>
    child && parentOf(child) === actor ? actorsUnder(child) : [],
  );
  if (value === undefined || !isJsonObject(context)) return below;
  const shown = hideOpaque(context);
  return [{path: pathOf(actor), machine: machine.id, state: value, context: shown}, ...below];
}

/** A report of the charts. */
export interface PlacedReport {
  readonly report: Report;
  /** The path of the reporting actor below the root. */
  readonly actor: string;
  /** The `seq` of the entry that caused it. */
  readonly entry: number;
}

/** A request of the charts to a port, by the key of its effect. */
export interface PlacedRequest {
  readonly asked: Asked;
  /** The `seq` of the entry that caused it. */
  readonly entry: number;
}

export interface ReplayedRun {
  readonly reports: readonly PlacedReport[];
  readonly requests: ReadonlyMap<string, PlacedRequest>;
  /** For each `run.resumed`, by its `seq`: the keys of the calls that its process found in flight and that cost money. */
  readonly inFlight: ReadonlyMap<number, readonly string[]>;
  /** The final snapshot of the root; undefined while it is active. */
  readonly end: Snapshot<unknown> | undefined;
}

export interface RecordedRun {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** Absent: the entries were not replayed. */
  readonly replayed?: ReplayedRun;
  /** Why the replay failed. */
  readonly divergence?: AppError;
}

/** Replays the entries. Nothing is performed. Rejects only for bugs; a run that can't be replayed has a `divergence`. */
export async function readRecordedRun(id: string, entries: readonly Entry[]): Promise<RecordedRun> {
  try {
    return {id, entries, replayed: await replayed(entries)};
  } catch (error) {
    if (error instanceof AppError && error.code === 'divergence')
      return {id, entries, divergence: error};
    throw error;
  }
}

async function replayed(entries: readonly Entry[]): Promise<ReplayedRun> {
  const reports: PlacedReport[] = [];
  const requests = new Map<string, PlacedRequest>();
  const inFlight = new Map<number, readonly string[]>();
  let entry = 0;
  const collect = (): void => {
    for (const effect of tree.effects.open) {
      if (!requests.has(effect.key)) requests.set(effect.key, {asked: effect, entry});
    }
  };
  const tree: ActorTree = recordedTree(entries, {
    onReport: ({report, actor}) => void reports.push({report, actor, entry}),
    onDeliver: (incoming, _, seq) => {
      collect();
      entry = seq;
      if (incoming.kind !== 'received' || incoming.event['type'] !== 'run.resumed') return;
      const spending = tree.effects.open.filter(({port}) => port === 'callModel');
      inFlight.set(
        entry,
        spending.map(({key}) => key),
      );
    },
  });
  await replay({tree}, entries);
  collect();
  return {reports, requests, inFlight, end: tree.end};
}

/** A recorded run as its readers see it: its entries, and what a replay of them makes the charts report and request. */

import type {Snapshot} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {ports} from '../../machines/port-natures.ts';
import type {Asked} from '../../machines/ports.ts';
import {treeMachine} from '../../machines/tree/tree.ts';
import {ActorTree} from '../engine/actor-tree.ts';
import {replay} from '../engine/replay.ts';
import type {Entry} from '../journal/journal.ts';
import {moveIn} from '../run/run-input.ts';

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
  const delivered = entries.filter(isDelivered);
  let next = 0;
  let entry = 0;
  const collect = (): void => {
    for (const effect of tree.effects.open) {
      if (!requests.has(effect.key)) requests.set(effect.key, {asked: effect, entry});
    }
  };
  const tree: ActorTree = new ActorTree({
    logic: treeMachine,
    ports,
    move: moveIn(entries),
    onReport: ({report, actor}) => void reports.push({report, actor, entry}),
    onDeliver: (incoming) => {
      collect();
      const current = delivered[next];
      next += 1;
      entry = current?.seq ?? entry;
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

function isDelivered(entry: Entry): boolean {
  if (entry.type === 'requested') return entry.isLost === true;
  return entry.type !== 'noted' && entry.type !== 'closed';
}

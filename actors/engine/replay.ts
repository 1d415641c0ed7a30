/** State = replay(journal): the same charts and the same entries in the same order lead to the same states. */

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {Entry, EntryBody} from '../journal/journal.ts';
import type {ActorTree} from './actor-tree.ts';
import {isOpen} from './effect.ts';
import type {Incoming} from './incoming.ts';
import {isSliceOver, nextTurn} from './slices.ts';

export interface Replayed {
  readonly tree: ActorTree;
  /** Called with each note of the journal. */
  readonly recall?: (note: JsonObject) => void;
  /** Called with the running time of the tree at an entry, ms. */
  readonly restore?: (ranMs: number) => void;
}

/**
 * Delivers entries to charts that are not live, in time slices. Rejects with AppError `divergence`, which names the entry and
 * the effects that the charts wait for.
 */
export async function replay(target: Replayed, entries: readonly Entry[]): Promise<void> {
  await replayFrom(target, entries, 0);
}

async function replayFrom(
  target: Replayed,
  entries: readonly Entry[],
  from: number,
): Promise<void> {
  let next = from;
  for (; next < entries.length && !isSliceOver(); next += 1) {
    const entry = entries[next];
    if (entry) applyEntry(target, entry);
  }
  if (next >= entries.length) return;
  await nextTurn();
  await replayFrom(target, entries, next);
}

/** Delivers one entry to charts that are not live. Throws as {@link replay} rejects. */
export function applyEntry({tree, recall, restore}: Replayed, entry: Entry): void {
  const misfit = misfitOf(tree, entry);
  if (misfit !== undefined) throw divergence(tree, entry, misfit);
  if (entry.digest !== undefined && entry.digest !== tree.trail.fold()) {
    throw divergence(tree, entry, 'the charts are in another state than when it was written');
  }
  if (entry.ran !== undefined) restore?.(entry.ran);
  if (entry.type === 'noted') recall?.(entry.note);
  else if (entry.type === 'requested') markRequested(tree, entry, entry);
  else if (entry.type !== 'closed') tree.deliver(toIncoming(tree, entry), entry.at, entry.seq);
}

/** Why the entry of an effect does not fit these charts; undefined when it does. */
function misfitOf({effects}: ActorTree, entry: Entry): string | undefined {
  if (entry.type !== 'settled' && entry.type !== 'requested') return undefined;
  if (entry.type === 'requested' && entry.isLost === true) return undefined;
  const {key, request} = entry;
  const effect = effects.get(key);
  if (!effect) return `the charts did not request ${key}`;
  // The answer of a person is a received message, which is signed: an outcome in its place would be an answer of nobody.
  if (entry.type === 'settled' && effect.nature.settledBy === 'person')
    return `only a message of a person answers ${key}`;
  return effect.digest === request ? undefined : `the request of ${key} differs`;
}

/** Records that an effect was about to be performed. */
export function markRequested(
  tree: ActorTree,
  {key, request, isTakenBack, isLost}: Extract<EntryBody, {type: 'requested'}>,
  {at, seq}: Pick<Entry, 'at' | 'seq'>,
): void {
  if (isLost === true) {
    tree.deliver({kind: 'lost', key, request}, at, seq);
    return;
  }
  const effect = tree.effects.get(key);
  if (effect && isOpen(effect)) effect.stage = isTakenBack === true ? 'wanted' : 'requested';
}

type Delivered = Exclude<Entry, {type: 'noted' | 'requested' | 'closed'}>;

function toIncoming(tree: ActorTree, entry: Delivered): Incoming {
  if (entry.type === 'opened') return {kind: 'opened', input: entry.input, version: entry.version};
  if (entry.type === 'received') return {kind: 'received', event: entry.event};
  if (entry.type === 'fired') return {kind: 'fired', timer: entry.timer};
  const effect = tree.effects.get(entry.key);
  if (!effect || !isJsonObject(entry.outcome))
    throw divergence(tree, entry, 'its outcome is not an object');
  return {kind: 'settled', effect, outcome: entry.outcome, ms: entry.ms};
}

function divergence(tree: ActorTree, entry: Entry, what: string): AppError {
  const wanted = tree.effects.open.map(({key}) => key).join(', ');
  return new AppError(
    'divergence',
    `entry ${entry.seq} (${entry.type}) can't be replayed: ${what}. The charts wait for: ${wanted === '' ? 'nothing' : wanted}.`,
  );
}

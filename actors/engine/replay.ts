/** State = replay(journal): the same charts, the same entries in the same order, the same states. */

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import type {Entry} from '../journal/journal.ts';
import type {Engine} from './engine.ts';
import type {Incoming} from './incoming.ts';

/**
 * Delivers the entries after `opened` to an engine that was started in replay.
 * Throws AppError `divergence` naming the entry and what the charts wanted instead.
 */
export function replay(engine: Engine, entries: readonly Entry[]): void {
  for (const entry of entries) {
    if (entry.digest !== undefined && entry.digest !== engine.trail.digest()) {
      throw divergence(engine, entry, 'the charts stand elsewhere than when it was written');
    }
    apply(engine, entry);
  }
}

function apply(engine: Engine, entry: Entry): void {
  if (entry.type === 'requested') {
    const effect = engine.effects.get(entry.key);
    if (!effect || effect.digest !== entry.request)
      throw divergence(engine, entry, `no such request: ${entry.key}`);
    effect.isRecorded = true;
    return;
  }
  const incoming = toIncoming(engine, entry);
  if (incoming) engine.deliver(incoming, entry.at);
}

function toIncoming(engine: Engine, entry: Entry): Incoming | undefined {
  if (entry.type === 'received') return {kind: 'received', event: entry.event};
  if (entry.type === 'fired') return {kind: 'fired', timer: entry.timer};
  if (entry.type !== 'settled') return undefined;
  const effect = engine.effects.get(entry.key);
  if (!effect) throw divergence(engine, entry, `nobody asked for ${entry.key}`);
  if (effect.digest !== entry.request)
    throw divergence(engine, entry, `${entry.key} was asked otherwise`);
  if (!isJsonObject(entry.outcome)) throw divergence(engine, entry, 'its outcome is no object');
  return {kind: 'settled', effect, outcome: entry.outcome, ms: entry.ms};
}

function divergence(engine: Engine, entry: Entry, what: string): AppError {
  const wanted = engine.effects.keys.join(', ');
  return new AppError(
    'divergence',
    `entry ${entry.seq} (${entry.type}) can't be replayed: ${what}. The charts wait for: ${wanted === '' ? 'nothing' : wanted}. ` +
      'Was the run made by another version of Quorate?',
  );
}

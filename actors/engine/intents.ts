/** Write-ahead intents: questions, and effects that must not be repeated, begin only after their intent is durable. */

import type {EntryBody} from '../journal/journal.ts';
import {type Effect, hasBegunBefore} from './effect.ts';

type Requested = EntryBody & {readonly type: 'requested'};

export class Intents {
  #due: Effect[] = [];
  /** Their intents are durable, or being written; none of them has begun. */
  #given: Effect[] = [];

  /** True while intents wait to be made durable. */
  get isOwed(): boolean {
    return this.#due.length > 0;
  }

  add(effect: Effect): void {
    this.#due.push(effect);
  }

  /** Takes the entries to be made durable. A question has none: its note is the intent. */
  give(): Requested[] {
    this.#given = this.#due.splice(0);
    return this.#given.flatMap((effect) => requestOf(effect));
  }

  /** Takes the entries that revoke intents, of effects that will not begin in this process. */
  takeBack(): Requested[] {
    return this.#given.splice(0).flatMap((effect) => requestOf(effect, {isTakenBack: true}));
  }

  /** An effect did not begin: it is at its earlier stage again, and {@link takeBack} revokes the intent of this process. */
  revert(effect: Effect, stage: Effect['stage']): void {
    effect.stage = stage;
    if (!hasBegunBefore(effect) && effect.repeatability !== 'repeatable') this.#given.push(effect);
  }

  /** Takes the effects to begin now: their intents are durable. */
  keep(): Effect[] {
    return this.#given.splice(0);
  }
}

function requestOf(
  {nature, key, digest, request}: Effect,
  how: {readonly isTakenBack?: true} = {},
): Requested[] {
  if (nature.settledBy !== 'performer') return [];
  return [{type: 'requested', key, request: digest, ...nature.audited?.(request), ...how}];
}

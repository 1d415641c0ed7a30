/** Effects that begin only when it is durable that they will: what must not be repeated, and what a person is asked. */

import type {EntryBody} from '../journal/journal.ts';
import type {Effect} from './effect.ts';

type Requested = EntryBody & {readonly type: 'requested'};

export class Promises {
  #due: Effect[] = [];
  /** It is durable, or on its way, that they will be performed; nothing of them has begun. */
  #given: Effect[] = [];

  /** Whether something waits to be made durable. */
  get isOwed(): boolean {
    return this.#due.length > 0;
  }

  add(effect: Effect): void {
    this.#due.push(effect);
  }

  /** What is to be made durable, once. */
  give(): Requested[] {
    this.#given = this.#due.splice(0);
    return this.#given.flatMap((effect) => requestOf(effect));
  }

  /** What is durable, and will not begin in this process. */
  takeBack(): Requested[] {
    return this.#given.splice(0).flatMap((effect) => requestOf(effect, {isTakenBack: true}));
  }

  /** One that was to begin, and does not. */
  giveBack(effect: Effect): void {
    if (effect.repeatability !== 'repeatable') this.#given.push(effect);
  }

  /** Those to begin now: all that was given is durable. */
  keep(): Effect[] {
    return this.#given.splice(0);
  }
}

function requestOf(
  {nature, key, digest}: Effect,
  how: {readonly isTakenBack?: true} = {},
): Requested[] {
  if (nature.settledBy !== 'performer') return [];
  return [{type: 'requested', key, request: digest, ...how}];
}

/**
 * The additions of one tree that wait for others: losing them costs nothing, so they become durable together with the next one
 * that matters. They do not wait longer than a moment, so that readers of the journal can follow the run.
 */

import type {Addition} from '../../journal/journal.ts';

const longestMs = 250;

export class Unwritten {
  readonly #onDue: () => void;
  #additions: Addition[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  /** `onDue`: called when the additions have waited long enough. */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  /** The additions to write now, with this one: all of them, or none while they may wait. */
  take(isUrgent: boolean, addition?: Addition): readonly Addition[] {
    if (addition) this.#additions.push(addition);
    if (isUrgent || this.#isDue) {
      this.clear();
      return this.#additions.splice(0);
    }
    if (addition) this.#wait();
    return [];
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => {
      this.#isDue = true;
      this.#onDue();
    }, longestMs);
  }
}

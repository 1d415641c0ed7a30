/** How long a run has been at work. Waiting for a person does not count, nor does the time between two processes. */

export class RunningTime {
  #ranMs = 0;
  #lastAt: number;
  #isBusy = false;

  constructor(openedAt: number) {
    this.#lastAt = openedAt;
  }

  get ranMs(): number {
    return this.#ranMs;
  }

  /** Moves on to an entry's time. What lies between counts if the run was busy. */
  advance(at: number): void {
    if (this.#isBusy) this.#ranMs += Math.max(0, at - this.#lastAt);
    this.#lastAt = at;
  }

  /** The time between two processes. */
  skip(at: number): void {
    this.#lastAt = at;
  }

  busy(isBusy: boolean): void {
    this.#isBusy = isBusy;
  }
}

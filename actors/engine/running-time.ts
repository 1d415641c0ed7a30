/**
 * How long a tree has been at work, by a clock that only counts up. Waiting for a person does not count, nor does the
 * time between two processes: entries carry the sum, and a replay goes on from it.
 */

export class RunningTime {
  #ranMs = 0;
  #busySince: number | undefined;

  get ranMs(): number {
    return this.#ranMs + (this.#busySince === undefined ? 0 : performance.now() - this.#busySince);
  }

  /** The sum at an entry of an earlier process. */
  restore(ranMs: number): void {
    this.#ranMs = ranMs;
  }

  /** What passes from now on counts, or does not. */
  busy(isBusy: boolean): void {
    if (isBusy === (this.#busySince !== undefined)) return;
    if (isBusy) {
      this.#busySince = performance.now();
      return;
    }
    this.#ranMs = this.ranMs;
    this.#busySince = undefined;
  }
}

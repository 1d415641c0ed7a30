/**
 * The time for which a tree has been at work, measured by a monotonic clock. Waiting for a person does not count, nor does the
 * time between two processes: entries carry the sum, and a replay continues from it.
 */

export class RunningTime {
  #ranMs = 0;
  #busySince: number | undefined;

  get ranMs(): number {
    return this.#ranMs + (this.#busySince === undefined ? 0 : performance.now() - this.#busySince);
  }

  /** Sets the sum that an entry of an earlier process recorded. */
  restore(ranMs: number): void {
    this.#ranMs = ranMs;
  }

  /** Starts or stops counting. */
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

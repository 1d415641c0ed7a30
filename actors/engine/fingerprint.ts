/** A rolling digest of the steps of a run's charts, which a replay must reproduce. */

import {quickDigest} from '../../machines/domain/digest.ts';

export class Trail {
  #digest = '';
  #fresh = '';

  /** Adds a step: an effect requested or withdrawn, a timer set or cleared, a state reached. */
  note(step: string): void {
    this.#fresh += `${step}\n`;
  }

  /** The digest of all steps so far. It may be read at any time. */
  get digest(): string {
    return this.#fresh === '' ? this.#digest : quickDigest(this.#fresh, this.#digest);
  }

  /** The digest of all steps so far, for an entry: later digests build on it, so a replay folds at the same entries. */
  fold(): string {
    this.#digest = this.digest;
    this.#fresh = '';
    return this.#digest;
  }
}

/** A rolling digest of the steps of a run's charts, which a replay must reproduce. */

import {quickDigest} from '../../machines/domain/digest.ts';

export class Trail {
  #digest = '';
  #fresh = '';

  /** Adds a step: an effect requested or withdrawn, a timer set or cleared, a state reached. */
  note(step: string): void {
    this.#fresh += `${step}\n`;
  }

  /** The digest of all steps so far. */
  digest(): string {
    if (this.#fresh !== '') this.#digest = quickDigest(this.#fresh, this.#digest);
    this.#fresh = '';
    return this.#digest;
  }
}

/** Decisions on their way into the journal. One that is noted is shown once it is durable, and so is all behind it. */

import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/facts/progress.ts';
import type {EntryBody} from '../journal/journal.ts';
import type {Told} from './charts.ts';

export class Notes {
  readonly #isNoted: (report: Report) => boolean;
  readonly #show: (told: Told) => void;
  #owed: JsonObject[] = [];
  #held: Told[] = [];
  /** In a replay: decided, and not met in the journal so far. */
  #unrecorded: Told[] = [];

  constructor(isNoted: (report: Report) => boolean, show: (told: Told) => void) {
    this.#isNoted = isNoted;
    this.#show = show;
  }

  /** Whether something waits to be made durable. */
  get isOwed(): boolean {
    return this.#owed.length > 0;
  }

  /** Shows a report: at once, or when what must be durable first is. */
  take(told: Told, isLive: boolean): void {
    const isNoted = this.#isNoted(told.report);
    if (!isLive) {
      if (isNoted) this.#unrecorded.push(told);
      return;
    }
    if (isNoted) this.#owed.push(noteOf(told));
    if (isNoted || this.#held.length > 0) this.#held.push(told);
    else this.#show(told);
  }

  /** A note of the journal's that concerns no chart. */
  add(note: JsonObject): void {
    this.#owed.push(note);
  }

  /** In a replay: the journal holds this one. */
  recall({type}: JsonObject): void {
    const index = this.#unrecorded.findIndex(({report}) => report.type === type);
    if (index >= 0) this.#unrecorded.splice(index, 1);
  }

  /** What a dead process decided and did not get into the journal is noted, and shown, now. */
  goLive(): void {
    for (const told of this.#unrecorded.splice(0)) this.take(told, true);
  }

  /** What is to be made durable, once. */
  bodies(): EntryBody[] {
    return this.#owed.splice(0).map((note) => ({type: 'noted', note}));
  }

  /** All that was handed out is durable. */
  release(): void {
    for (const told of this.#held.splice(0)) this.#show(told);
  }
}

function noteOf({report, actor}: Told): JsonObject {
  return asJson({...report, actor});
}

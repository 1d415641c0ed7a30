/** Reports that wait for the journal. A noted report is shown after its entry is durable; the reports behind it wait for it. */

import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/facts/progress.ts';
import type {EntryBody} from '../journal/journal.ts';
import type {ActorReport} from './actor-tree.ts';

type Noted = Extract<EntryBody, {readonly type: 'noted'}>;

export class Notes {
  readonly #isNoted: (report: Report) => boolean;
  readonly #show: (reported: ActorReport) => void;
  #owed: Noted[] = [];
  #held: ActorReport[] = [];
  /** In a replay: noted reports without an entry so far. */
  #unrecorded: ActorReport[] = [];

  constructor(isNoted: (report: Report) => boolean, show: (reported: ActorReport) => void) {
    this.#isNoted = isNoted;
    this.#show = show;
  }

  /** True while notes wait to be made durable. */
  get isOwed(): boolean {
    return this.#owed.length > 0;
  }

  /** Shows a report: at once, or after every note that must be durable first. */
  take(reported: ActorReport, isLive: boolean): void {
    const isNoted = this.#isNoted(reported.report);
    if (!isLive) {
      if (isNoted) this.#unrecorded.push(reported);
      return;
    }
    if (isNoted) this.#owed.push({type: 'noted', note: noteOf(reported)});
    this.#hold(reported, isNoted);
  }

  /** As {@link take}, for a report of the program that runs the charts. */
  takeOwn(reported: ActorReport): void {
    const isNoted = this.#isNoted(reported.report);
    if (isNoted) this.add(noteOf(reported));
    this.#hold(reported, isNoted);
  }

  /** Adds a note that no chart has reported. */
  add(note: JsonObject): void {
    this.#owed.push({type: 'noted', note, by: 'host'});
  }

  #hold(reported: ActorReport, isNoted: boolean): void {
    if (isNoted || this.#held.length > 0) this.#held.push(reported);
    else this.#show(reported);
  }

  /** In a replay: the journal holds this note. */
  recall({type}: JsonObject): void {
    const index = this.#unrecorded.findIndex(({report}) => report.type === type);
    if (index >= 0) this.#unrecorded.splice(index, 1);
  }

  /** Notes and shows the decisions of a dead process that did not reach the journal. */
  goLive(): void {
    for (const reported of this.#unrecorded.splice(0)) this.take(reported, true);
  }

  /** Takes the entries to be made durable. */
  bodies(): EntryBody[] {
    return this.#owed.splice(0);
  }

  /** Shows the reports that waited: everything that `bodies` returned is durable. */
  release(): void {
    for (const reported of this.#held.splice(0)) this.#show(reported);
  }
}

function noteOf({report, actor}: ActorReport): JsonObject {
  return asJson({...report, actor});
}

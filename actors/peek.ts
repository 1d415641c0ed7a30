/** Where an open run stands, told by a replay of its journal: nothing is performed, nothing is written. */

import {AppError} from '../machines/domain/app-error.ts';
import {asJson} from '../machines/domain/json.ts';
import type {Report} from '../machines/domain/progress.ts';
import {interactionMachine} from '../machines/tree/interaction.ts';
import {type OpenGate, toGate} from './engine/effect.ts';
import {Engine} from './engine/engine.ts';
import {replay} from './engine/replay.ts';
import type {Entry} from './journal/journal.ts';
import {createMemoryJournal} from './journal/memory.ts';

export interface Peeked {
  /** What the charts reported on the way, in order. */
  readonly reports: readonly Report[];
  /** Questions that wait for a person. */
  readonly gates: readonly OpenGate[];
  /** Paths of the effects, a person's decision aside, that a resumed run would perform (again). */
  readonly pending: readonly string[];
}

function nothing(): void {}

/** Throws AppError `not_found` without an opening, `divergence` when the charts are others than those that wrote it. */
export function peekRun(id: string, [opened, ...entries]: readonly Entry[]): Peeked {
  if (opened?.type !== 'opened') throw new AppError('not_found', `the run ${id} was never opened`);
  const reports: Report[] = [];
  const engine = new Engine({
    id,
    logic: interactionMachine,
    input: asJson(opened.input),
    log: createMemoryJournal().log,
    host: {
      now: () => opened.at,
      admit: () => undefined,
      perform: () => Promise.reject(new Error('a replay performs nothing')),
      observe: nothing,
      onBusy: nothing,
      onReport: (report) => reports.push(report),
      onGate: nothing,
      onDone: () => ({}),
      onStopped: nothing,
    },
  });
  engine.start(opened.at, 'replay');
  replay(engine, entries);
  const gates = engine.effects.gates.flatMap(toGate);
  const waiting = new Set(gates.map(({gate}) => gate));
  return {reports, gates, pending: engine.effects.open.filter((key) => !waiting.has(key))};
}

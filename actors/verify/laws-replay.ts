/** Law 9: the replay reaches the same states and results, and no outcome counts twice. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import {isNoted} from '../../machines/facts/progress.ts';
import {Ledger} from '../run/ledger.ts';
import {toResult} from '../run/run-result.ts';
import type {Findings, Law} from './law.ts';
import {type RecordIndex, textOf} from './record-index.ts';

export const equalReplay: Law = (record, findings) => {
  for (const [key, [, second]] of record.outcomes) {
    if (second) findings.violated(9, second.seq, `${key} has a second outcome`);
  }
  const {replayed, divergence, otherVersion} = record;
  if (!replayed) {
    if (otherVersion !== undefined)
      findings.unchecked(
        9,
        `version ${otherVersion} of the charts wrote the run; it is not replayed`,
      );
    else if (divergence) findings.violated(9, entryIn(divergence.message), divergence.message);
    else findings.unchecked(9, 'the run was not replayed');
    return;
  }
  checkNotes(record, findings);
  checkResult(record, findings);
};

/** The entry that the message of a divergence names. */
function entryIn(message: string): number {
  return Number(/entry (\d+)/.exec(message)?.[1] ?? 0);
}

/** Notes that the program makes, also in records of earlier versions, which do not mark them. */
const hostNotes: ReadonlySet<unknown> = new Set([
  'human.requested',
  'interview.asked',
  'run.suspended',
]);

/** A process that dies can leave the last notes unwritten; the next one writes them. */
function checkNotes({notes, replayed, entries, closed}: RecordIndex, {unproven}: Findings): void {
  const recorded = notes.filter(({note, entry}) => {
    const noted = entries[entry];
    const isOfHost = noted?.type === 'noted' && noted.by === 'host';
    return !isOfHost && !hostNotes.has(note['type']);
  });
  const made = (replayed?.reports ?? []).filter(({report}) => isNoted(report));
  recorded.forEach(({note, entry}, index) => {
    const own = made[index];
    const again = own && canonicalJson(asJson({...own.report, actor: own.actor}));
    if (again !== canonicalJson(note))
      unproven(9, entry, `the note ${textOf(note['type'])} is not what the charts report`);
  });
  const missing = made[recorded.length];
  if (closed && missing)
    unproven(9, closed.seq, `the note ${missing.report.type} of entry ${missing.entry} is missing`);
}

function checkResult({id, closed, replayed, opened}: RecordIndex, {unproven}: Findings): void {
  if (!closed || !replayed || !opened) return;
  if (!replayed.end) {
    const isUnreplayed = textOf(closed.result['summary']).includes('could not be replayed');
    if (!isUnreplayed)
      unproven(9, closed.seq, 'the run is closed, and its charts are still at work');
    return;
  }
  const ledger = new Ledger(opened.limits, () => undefined);
  const again = asJson(toResult(replayed.end, {id, form: opened.form, ledger}));
  if (canonicalJson(comparable(again)) !== canonicalJson(comparable(closed.result)))
    unproven(9, closed.seq, 'the result is not the one that the charts reach');
}

/** The usage is booked by the program, and effects in doubt are added by it. */
const ofProgram: ReadonlySet<string> = new Set(['usage', 'inDoubt']);

function comparable(result: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(result).filter(([name]) => !ofProgram.has(name)));
}

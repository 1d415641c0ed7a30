/**
 * Law 10: an effect that must not be repeated is performed at most once without a decision of a person. Every such effect that began
 * has an outcome, or is in doubt.
 */

import type {Entry} from '../../actors/journal/journal.ts';
import {isGranting} from '../../actors/verify/laws-calls.ts';
import {
  type Findings,
  type Law,
  outcomeIn,
  type PlacedNote,
  type RecordIndex,
  textOf,
} from '../../actors/verify/record-index.ts';

type Requested = Extract<Entry, {readonly type: 'requested'}>;

/** A call that was begun, and is not known to have ended. */
interface Begun {
  readonly key: string;
  readonly entry: number;
  /** Absent in entries of earlier versions. */
  readonly callHash?: string | undefined;
}

export const effectsOnce: Law = (record, findings) => {
  const open = new Map<string, Begun>();
  /** By the hash of the call. */
  const doubted = new Map<string, Begun>();
  for (const entry of record.entries) {
    if (entry.type === 'requested') begin(record, entry, {open, doubted}, findings);
    else if (entry.type === 'settled') {
      checkIntent(record, entry, open, findings);
      settle(outcomeIn(entry)['kind'], open.get(entry.key), {open, doubted});
    }
  }
  checkEnd(record, open, findings);
};

interface Calls {
  readonly open: Map<string, Begun>;
  readonly doubted: Map<string, Begun>;
}

function settle(kind: unknown, begun: Begun | undefined, {open, doubted}: Calls): void {
  if (!begun) return;
  open.delete(begun.key);
  if (kind === 'inDoubt' && begun.callHash !== undefined) doubted.set(begun.callHash, begun);
}

function begin(
  record: RecordIndex,
  entry: Requested,
  {open, doubted}: Calls,
  {violated}: Findings,
): void {
  const {key, seq, callHash: hash = '', isTakenBack, isLost} = entry;
  if (isTakenBack === true) {
    open.delete(key);
    return;
  }
  const before = open.get(key) ?? doubted.get(hash);
  open.set(key, {key, entry: seq, callHash: entry.callHash});
  if (isLost === true || !isOnce(record, entry)) return;
  doubted.delete(hash);
  if (before && !isRepeatAllowed(record, before.entry, entry))
    violated(10, seq, `${key} was begun again; entry ${before.entry} began it, and nobody decided`);
}

/** The path of the call. */
function callIn({key}: Pick<Requested, 'key'>): string {
  return key.slice(0, key.lastIndexOf('/'));
}

/** A person decided on the call, or on another call like it, between both entries. */
function isRepeatAllowed(record: RecordIndex, from: number, to: Requested): boolean {
  return decisionsBetween(record, from, to).some(
    (decision) => decision.note['by'] === 'person' && isGranting(record, decision),
  );
}

/** Decisions on the call, between both entries. */
function decisionsBetween(
  {personDecisions}: RecordIndex,
  from: number,
  {seq, key}: Requested,
): readonly PlacedNote[] {
  const path = callIn({key});
  return personDecisions.filter(
    ({entry, actor}) => entry > from && entry < seq && `i/${actor}`.startsWith(`${path}/`),
  );
}

/** An outcome without an earlier entry of its beginning: the effect was not durable before it began. */
function checkIntent(
  record: RecordIndex,
  {key, seq, outcome}: Extract<Entry, {readonly type: 'settled'}>,
  open: ReadonlyMap<string, Begun>,
  {violated}: Findings,
): void {
  const asked = record.replayed?.requests.get(key)?.asked;
  if (asked?.port !== 'runTool' || asked.request.repeatability === 'repeatable') return;
  if (open.has(key) || record.outcomes.get(key)?.[0]?.seq !== seq) return;
  violated(
    10,
    seq,
    `${key} has an outcome (${JSON.stringify(outcome).slice(0, 40)}) and no beginning`,
  );
}

function checkEnd(
  {closed}: RecordIndex,
  open: ReadonlyMap<string, Begun>,
  {violated}: Findings,
): void {
  if (!closed || Array.isArray(closed.result['inDoubt'])) return;
  for (const {key, entry} of open.values())
    violated(10, entry, `${key} was begun, and the result does not say that it is in doubt`);
}

/** An effect of which nothing is known counts as one that must not be repeated. */
function isOnce({replayed, tools}: RecordIndex, {key, tool}: Requested): boolean {
  const asked = replayed?.requests.get(key)?.asked;
  if (asked?.port === 'runTool') return asked.request.repeatability === 'once';
  return tools.get(textOf(tool))?.repeatability !== 'checkable';
}

/**
 * Verifies a run: the chain of its entries, its end, a replay, the statements that are always true, and its signatures. Nothing is
 * performed or written.
 */

import {type NamedPoint, namedPoints} from '../history/points.ts';
import {readRecordedRun} from '../history/record.ts';
import {noSuchRun} from '../journal/chain.ts';
import type {Entry, Log} from '../journal/journal.ts';
import {
  checkSignature,
  needsSignature,
  parsePublicKey,
  type PublicKey,
  type SignatureState,
} from '../journal/signing-key.ts';
import {versionsIn} from '../run/run-input.ts';
import {chartsVersion} from '../version.ts';
import {
  type Check,
  isBroken,
  type Verifiable,
  type Verification,
  type VerifyOptions,
} from './exported-run.ts';
import {readLaws, recordLaws} from './laws.ts';
import type {LawReading, Violation} from './record-index.ts';

/** Throws AppError `usage` for an invalid key. */
export function requiredKeys({key}: VerifyOptions): ExpectedKeys {
  return {keys: [key ?? []].flat().map(parsePublicKey), isRequired: key !== undefined};
}

/** A run in a journal. Rejects with AppError `not_found` for an unknown one, and as `salvage` does. */
export async function verifyInteraction(
  id: string,
  {salvage}: Pick<Log, 'salvage'>,
  expected: ExpectedKeys,
): Promise<Verification> {
  const salvaged = await salvage(id);
  if (salvaged.entries.length === 0 && !salvaged.damage) throw noSuchRun(id);
  return await verifyRun({id, ...salvaged}, expected);
}

/** Rejects only for bugs. */
export async function verifyRun(run: Verifiable, expected: ExpectedKeys): Promise<Verification> {
  const checks = [
    ...checkChain(run),
    checkEnd(run),
    ...(await checkReplayed(run)),
    ...checkSignatures(run, expected),
  ];
  const holds = checks.every(({state}) => state !== 'fails');
  return {
    id: run.id,
    entries: run.entries.length,
    holds,
    isProven: holds && !checks.some(isDoubt),
    checks,
  };
}

/** Not only something that no record shows. */
function isDoubt({check, state, finding}: Check): boolean {
  if (state !== 'unchecked') return false;
  return check === 'replay' || finding === 'otherVersion' || finding === 'keyMissing';
}

// Checks that the entries of a run are chained, and that none is missing at the end.

function checkChain(run: Verifiable): readonly Check[] {
  const check = 'chain';
  const {entries, damage} = run;
  const [opened] = entries;
  const origin = opened?.type === 'opened' ? opened.origin : undefined;
  const {message: detail = ''} = damage ?? {};
  return [
    isBroken(run)
      ? {check, state: 'fails', finding: 'broken', entry: entries.length, detail}
      : {check, state: 'holds', finding: 'chained'},
    ...(origin ? [{check, state: 'unchecked', finding: 'copied', origin} as const] : []),
  ];
}

function checkEnd(run: Verifiable): Check {
  const {entries, damage, imported = false} = run;
  const check = 'end';
  if (isBroken(run)) return {check, state: 'unchecked', finding: 'notReached'};
  const entry = entries.length;
  if (damage) return {check, state: 'fails', finding: 'endMissing', entry, detail: damage.message};
  const closed = entries.findIndex(isEnd);
  if (closed === entries.length - 1)
    return {check, state: 'holds', finding: 'ended', entry: closed};
  if (closed !== -1) return {check, state: 'fails', finding: 'afterEnd', entry: closed + 1};
  if (imported) return {check, state: 'fails', finding: 'notEnded', entry};
  return {check, state: 'holds', finding: 'open'};
}

function isEnd({type}: Entry): boolean {
  return type === 'closed';
}

// Replays a run, and reads the statements that are always true in its record.

/** The statement that a replay checks. */
const replayLaw = 9;
/** The others, as verify.md numbers them. */
const votedLaws = [1, 2, 3];

async function checkReplayed(run: Verifiable): Promise<readonly Check[]> {
  if (isBroken(run) || run.entries[0]?.type !== 'opened') {
    return [
      {check: 'replay', state: 'unchecked', finding: 'notReached'},
      {check: 'laws', state: 'unchecked', finding: 'notReached'},
    ];
  }
  const recorded = await readRecordedRun(run.id, run.entries);
  const reading = readLaws(recorded, recordLaws);
  const isOurs = versionsIn(run.entries).every((version) => version === chartsVersion());
  const points = recorded.replayed ? namedPoints(run.entries, recorded.replayed.reports) : [];
  return [...replayChecks(reading, isOurs, points), ...lawChecks(reading, isOurs)];
}

function replayChecks(
  {violations, unchecked}: LawReading,
  isOurs: boolean,
  points: readonly NamedPoint[],
): readonly Check[] {
  const check = 'replay';
  const broken = violations.filter(({law}) => law === replayLaw);
  const unread = unchecked.find(({law}) => law === replayLaw);
  if (!isOurs && unread) {
    return [{check, state: 'unchecked', finding: 'otherVersion', detail: unread.because}];
  }
  if (unread) return [{check, state: 'unchecked', finding: 'notReached', detail: unread.because}];
  if (broken.length === 0) return [{check, state: 'holds', finding: 'replayed', points}];
  return broken.map((violation) => brokenCheck(check, violation, isOurs));
}

function lawChecks({violations, unchecked}: LawReading, isOurs: boolean): readonly Check[] {
  const check = 'laws';
  const broken = violations.filter(({law}) => law !== replayLaw);
  const unread = unchecked.filter(({law}) => law !== replayLaw);
  const others = new Set([...broken, ...unread].map(({law}) => law));
  const held = votedLaws.filter((law) => !others.has(law));
  return [
    ...(held.length > 0 ? [{check, state: 'holds', finding: 'lawsHold', laws: held} as const] : []),
    ...broken.map((violation) => brokenCheck(check, violation, isOurs)),
    ...unread.map(({law, because: detail, isContradicted}): Check => ({
      check,
      state: 'unchecked',
      finding: isContradicted ? 'otherVersion' : 'lawUnread',
      laws: [law],
      detail,
    })),
  ];
}

/** Charts of another version may report something else, or in another form: that is not a fault of the record. */
function brokenCheck(
  check: 'replay' | 'laws',
  {law, entry, message: detail}: Violation,
  isOurs: boolean,
): Check {
  const shown = {check, ...(check === 'laws' ? {laws: [law]} : {}), entry, detail};
  if (!isOurs) return {...shown, state: 'unchecked', finding: 'otherVersion'};
  return {...shown, state: 'fails', finding: check === 'replay' ? 'diverged' : 'lawBroken'};
}

// Checks the signatures of a run. A signature covers its entry and, by the hash of the entry before it, all earlier ones. The end and
// each decision of a person need one of their own.

export interface ExpectedKeys {
  readonly keys: readonly PublicKey[];
  /** A run without any signature fails; `ofThisVersion`: only if these charts recorded it, as their journals sign. */
  readonly isRequired: boolean | 'ofThisVersion';
}

const signaturesCheck = 'signatures';

function checkSignatures(
  {id, entries}: Verifiable,
  {keys, isRequired}: ExpectedKeys,
): readonly Check[] {
  const read = readSignatures(id, entries, keys);
  const bad = read.flatMap((each) => faultIn(each, keys.length > 0));
  if (bad.length > 0) return bad;
  const last = read.findLast(({state}) => state === 'valid');
  const isSigned = last !== undefined || mustBeSigned(entries, isRequired);
  if (!isSigned) return [{check: signaturesCheck, state: 'unchecked', finding: 'unsigned'}];
  // By itself: a later signature shows that the chain was not changed since, not that a person decided.
  const missing = read.filter(({entry, state}) => state === 'unsigned' && needsSignature(entry));
  if (missing.length > 0) {
    return missing.map(({entry: {seq: entry}}) => ({
      check: signaturesCheck,
      state: 'fails',
      finding: 'signatureMissing',
      entry,
    }));
  }
  if (!last) return [{check: signaturesCheck, state: 'unchecked', finding: 'unsigned'}];
  const {entry, key = ''} = last;
  return [{check: signaturesCheck, state: 'holds', finding: 'signed', entry: entry.seq, key}];
}

function mustBeSigned(entries: readonly Entry[], isRequired: ExpectedKeys['isRequired']): boolean {
  if (isRequired !== 'ofThisVersion') return isRequired;
  return versionsIn(entries).every((version) => version === chartsVersion());
}

interface ReadSignature {
  readonly entry: Entry;
  readonly state: SignatureState;
  /** The id of the key that it names. */
  readonly key?: string | undefined;
}

function readSignatures(
  interaction: string,
  entries: readonly Entry[],
  keys: readonly PublicKey[],
): readonly ReadSignature[] {
  const byId = new Map(keys.map(({id, key}) => [id, key]));
  return entries.map((entry, index) => {
    const previous = entries[index - 1]?.hash ?? interaction;
    const state = checkSignature(entry, {interaction, previous}, byId);
    return {entry, state, key: entry.signature?.signatures[0].keyid};
  });
}

function faultIn({entry: {seq: entry}, state, key = ''}: ReadSignature, hasKeys: boolean): Check[] {
  if (state === 'invalid')
    return [{check: signaturesCheck, state: 'fails', finding: 'forged', entry, key}];
  if (state !== 'otherKey') return [];
  if (hasKeys) return [{check: signaturesCheck, state: 'fails', finding: 'otherKey', entry, key}];
  return [{check: signaturesCheck, state: 'unchecked', finding: 'keyMissing', entry, key}];
}

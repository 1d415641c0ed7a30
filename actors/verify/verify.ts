/**
 * Verifies a run: the chain of its entries, its end, a replay, the statements that are always true, and its signatures. Nothing is
 * performed or written.
 */

import type {Log} from '../journal/journal.ts';
import {parsePublicKey} from '../journal/signing/signing-key.ts';
import {noSuchRun} from '../sessions/run-errors.ts';
import {checkChain, checkEnd} from './checks/check-chain.ts';
import {checkReplayed} from './checks/check-replayed.ts';
import {checkSignatures, type ExpectedKeys} from './checks/check-signatures.ts';
import type {Check, Verifiable, Verification, VerifyOptions} from './checks/check.ts';

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

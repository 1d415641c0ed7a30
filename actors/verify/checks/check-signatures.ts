/**
 * Checks the signatures of a run. A signature covers its entry and, by the hash of the entry before it, all earlier ones. The end and
 * each decision of a person need one of their own.
 */

import type {Entry} from '../../journal/journal.ts';
import {
  checkSignature,
  needsSignature,
  type PublicKey,
  type SignatureState,
} from '../../journal/signing/signing-key.ts';
import {versionsIn} from '../../run/run-input.ts';
import {chartsVersion} from '../../version.ts';
import type {Check, Verifiable} from './check.ts';

export interface ExpectedKeys {
  readonly keys: readonly PublicKey[];
  /** A run without any signature fails; `ofThisVersion`: only if these charts recorded it, as their journals sign. */
  readonly isRequired: boolean | 'ofThisVersion';
}

const check = 'signatures';

export function checkSignatures(
  {id, entries}: Verifiable,
  {keys, isRequired}: ExpectedKeys,
): readonly Check[] {
  const read = readSignatures(id, entries, keys);
  const bad = read.flatMap((each) => faultIn(each, keys.length > 0));
  if (bad.length > 0) return bad;
  const last = read.findLast(({state}) => state === 'valid');
  const isSigned = last !== undefined || mustBeSigned(entries, isRequired);
  if (!isSigned) return [{check, state: 'unchecked', finding: 'unsigned'}];
  // By itself: a later signature shows that the chain was not changed since, not that a person decided.
  const missing = read.filter(({entry, state}) => state === 'unsigned' && needsSignature(entry));
  if (missing.length > 0) {
    return missing.map(({entry: {seq: entry}}) => ({
      check,
      state: 'fails',
      finding: 'signatureMissing',
      entry,
    }));
  }
  if (!last) return [{check, state: 'unchecked', finding: 'unsigned'}];
  const {entry, key = ''} = last;
  return [{check, state: 'holds', finding: 'signed', entry: entry.seq, key}];
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
  if (state === 'invalid') return [{check, state: 'fails', finding: 'forged', entry, key}];
  if (state !== 'otherKey') return [];
  if (hasKeys) return [{check, state: 'fails', finding: 'otherKey', entry, key}];
  return [{check, state: 'unchecked', finding: 'keyMissing', entry, key}];
}

/** Checks the signatures of a run. A signature covers its entry and, by the hash of the entry before it, all earlier ones. */

import type {Entry} from '../../journal/journal.ts';
import {
  checkSignature,
  needsSignature,
  type SignatureState,
} from '../../journal/signing/signature.ts';
import type {PublicKey} from '../../journal/signing/signing-key.ts';
import type {Check, Verifiable} from './check.ts';

/** `isRequired`: a run without any signature fails. */
export interface ExpectedKeys {
  readonly keys: readonly PublicKey[];
  readonly isRequired: boolean;
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
  const uncovered = entries.filter(
    (entry) => entry.seq > (last?.entry.seq ?? -1) && needsSignature(entry),
  );
  if (!last && !isRequired) return [{check, state: 'unchecked', finding: 'unsigned'}];
  if (uncovered.length > 0) {
    return uncovered.map(({seq}) => ({
      check,
      state: 'fails',
      finding: 'signatureMissing',
      entry: seq,
    }));
  }
  if (!last) return [{check, state: 'unchecked', finding: 'unsigned'}];
  const {entry, key = ''} = last;
  return [{check, state: 'holds', finding: 'signed', entry: entry.seq, key}];
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

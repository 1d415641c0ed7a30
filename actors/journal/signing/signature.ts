/**
 * Signatures of entries: DSSE envelopes (github.com/secure-systems-lab/dsse, protocol 1), each with one Ed25519 signature. What is
 * signed names the entry, its place and the hash of the entry before it, and so covers the chain up to the entry.
 */

import type {KeyObject} from 'node:crypto';

import {isJsonObject} from '../../../machines/domain/json.ts';
import type {Entry, EntryBody} from '../journal.ts';
import {nodeCrypto} from '../node-crypto.ts';

export const payloadType = 'application/vnd.quorate.entry+json';

/** As JSON: its members are those of the specification. */
export type Envelope = {
  readonly payloadType: typeof payloadType;
  /** Base64 of the JSON of a {@link Statement}. */
  readonly payload: string;
  /** `keyid`: the first 16 hex digits of the SHA-256 of the public key (SPKI, DER). `sig`: base64. */
  readonly signatures: readonly [{readonly keyid: string; readonly sig: string}];
};

/**
 * Signs the JSON of a statement. Called inside a transaction; must not throw. Returns undefined when there is no key: then the
 * entry is kept without a signature.
 */
export type Sign = (payload: string) => Envelope | undefined;

/** The place of an entry in its chain. */
export interface ChainPlace {
  readonly interaction: string;
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  /** The hash of the entry before it; before the first, the id of the interaction. */
  readonly previous: string;
}

/** True for the end of a run, and for decisions of a person. */
export function needsSignature(body: EntryBody): boolean {
  if (body.type === 'closed') return true;
  if (body.type !== 'received' || !isJsonObject(body.event)) return false;
  const {type, confirms} = body.event;
  return type === 'human.decided' || (type === 'person.replied' && confirms === true);
}

/** The text of a body with its signature as the last member. */
export function withSignature(body: string, place: ChainPlace, sign: Sign): string {
  const envelope = sign(statementOf(body, place));
  return envelope ? `${body.slice(0, -1)},"signature":${JSON.stringify(envelope)}}` : body;
}

/** `body`: its text without a signature. */
function statementOf(body: string, {interaction, seq, at, previous}: ChainPlace): string {
  const digest = nodeCrypto().hash('sha256', body);
  return JSON.stringify({interaction, seq, at, previous, body: digest});
}

/** The bytes that are signed: the "pre-authentication encoding" of DSSE. */
export function encoded(payload: string): Buffer {
  const length = Buffer.byteLength(payload);
  return Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${length} ${payload}`);
}

/** `unsigned`: it has no signature. `otherKey`: it is signed with none of the keys. */
export type SignatureState = 'valid' | 'invalid' | 'otherKey' | 'unsigned';

/** `keys`: by their ids. `previous`: as in {@link ChainPlace}. */
export function checkSignature(
  entry: Entry,
  {interaction, previous}: Pick<ChainPlace, 'interaction' | 'previous'>,
  keys: ReadonlyMap<string, KeyObject>,
): SignatureState {
  const {seq, at, hash: _, signature, ...body} = entry;
  if (signature === undefined) return 'unsigned';
  const {keyid, sig} = signature.signatures[0];
  const statement = statementOf(JSON.stringify(body), {interaction, seq, at, previous});
  if (signature.payload !== Buffer.from(statement).toString('base64')) return 'invalid';
  const key = keys.get(keyid);
  if (!key) return 'otherKey';
  const isValid = nodeCrypto().verify(null, encoded(statement), key, Buffer.from(sig, 'base64'));
  return isValid ? 'valid' : 'invalid';
}

/** True for an envelope in the form of this version: any program that can write to the store can append something else. */
export function isEnvelope(value: unknown): boolean {
  if (!isJsonObject(value) || value['payloadType'] !== payloadType) return false;
  const {payload, signatures} = value;
  if (typeof payload !== 'string' || !Array.isArray(signatures) || signatures.length !== 1)
    return false;
  const signature: unknown = signatures[0];
  return (
    isJsonObject(signature) &&
    typeof signature['keyid'] === 'string' &&
    typeof signature['sig'] === 'string'
  );
}

/** The key of an installation, with which it signs entries: Ed25519, made at first use. */

import type {KeyObject} from 'node:crypto';
import {linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import type {Entry, EntryBody} from './journal.ts';
import {nodeCrypto} from './node-crypto.ts';
import {translateError} from './sqlite-errors.ts';

const privateName = 'signing.key';
const publicName = 'signing.pub';

export interface PublicKey {
  /** The first 16 hex digits of the SHA-256 of its SPKI. */
  readonly id: string;
  /** SPKI, as PEM. */
  readonly pem: string;
  readonly key: KeyObject;
}

/**
 * Signs with the key in `folder`. The first signature makes folder and key if they are missing; two processes that do so at once
 * use the same key. Where no key can be read or made, nothing is signed.
 */
export function createSigner(folder: string): Sign {
  let signing: {readonly id: string; readonly key: KeyObject} | undefined;
  let hasTried = false;
  return (payload) => {
    if (!hasTried) signing = tryKey(folder);
    hasTried = true;
    if (!signing) return undefined;
    const sig = nodeCrypto().sign(null, encoded(payload), signing.key).toString('base64');
    return {
      payloadType,
      payload: Buffer.from(payload).toString('base64'),
      signatures: [{keyid: signing.id, sig}],
    };
  };
}

function tryKey(folder: string): {readonly id: string; readonly key: KeyObject} | undefined {
  try {
    const {id} = makePublicKey(folder);
    return {id, key: readPrivateKey(folder)};
  } catch {
    return undefined;
  }
}

/** The public key of an installation; undefined when it has none yet. Throws AppError `io` for a key that can't be read. */
export function readOwnKey(folder: string): PublicKey | undefined {
  try {
    return describeKey(nodeCrypto().createPublicKey(readPrivateKey(folder)));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw unusable(folder, error);
  }
}

/** As {@link readOwnKey}, but makes a missing key. Throws AppError `io` when that is not possible. */
export function makePublicKey(folder: string): PublicKey {
  const known = readOwnKey(folder);
  if (known) return known;
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700});
    const {privateKey} = nodeCrypto().generateKeyPairSync('ed25519');
    placeOnce(folder, privateKey.export({type: 'pkcs8', format: 'pem'}).toString());
    const made = describeKey(nodeCrypto().createPublicKey(readPrivateKey(folder)));
    replaceFile(join(folder, publicName), made.pem);
    return made;
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** A link is made whole or not at all, and never replaces a file: the first process wins. */
function placeOnce(folder: string, pem: string): void {
  const draft = join(folder, `${privateName}.${process.pid}-${nodeCrypto().randomUUID()}`);
  try {
    writeFileSync(draft, pem, {mode: 0o600, flag: 'wx', flush: true});
    linkSync(draft, join(folder, privateName));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, {force: true});
  }
}

function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}-${nodeCrypto().randomUUID()}`;
  writeFileSync(draft, text, {mode: 0o644});
  renameSync(draft, path);
}

function readPrivateKey(folder: string): KeyObject {
  const key = nodeCrypto().createPrivateKey(readFileSync(join(folder, privateName), 'utf8'));
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new TypeError(`it is a key of the type ${key.asymmetricKeyType}`);
}

function unusable(folder: string, error: unknown): unknown {
  const path = join(folder, privateName);
  if (error instanceof AppError) return error;
  if (error instanceof Error && 'syscall' in error) return translateError(path, error);
  return new AppError(
    'io',
    `${path}: not a private Ed25519 key in PEM; restore it, or move it away to begin with a new one`,
    {cause: error},
  );
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function describeKey(key: KeyObject): PublicKey {
  const der = key.export({type: 'spki', format: 'der'});
  const id = nodeCrypto().hash('sha256', der).slice(0, 16);
  return {id, key, pem: key.export({type: 'spki', format: 'pem'}).toString()};
}

/** `text`: PEM, or the base64 of the SPKI. Throws AppError `usage` for anything but a public Ed25519 key. */
export function parsePublicKey(text: string): PublicKey {
  const key = tryPublicKey(text.trim());
  if (key?.asymmetricKeyType === 'ed25519') return describeKey(key);
  throw new AppError(
    'usage',
    'the key is not a public Ed25519 key: give it as PEM, or as the base64 of its SPKI (quorate config --public-key prints one)',
  );
}

function tryPublicKey(text: string): KeyObject | undefined {
  const {createPublicKey} = nodeCrypto();
  try {
    if (text.includes('-----BEGIN'))
      return text.includes('PRIVATE') ? undefined : createPublicKey(text);
    return createPublicKey({key: Buffer.from(text, 'base64'), format: 'der', type: 'spki'});
  } catch {
    return undefined;
  }
}

// Signatures of entries: DSSE envelopes (github.com/secure-systems-lab/dsse, protocol 1), each with one Ed25519 signature. What is
// signed names the entry, its place and the hash of the entry before it, and so covers the chain up to the entry.

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
function encoded(payload: string): Buffer {
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

/** Parses the signed JSON of an envelope. Undefined unless one of the keys, by their IDs, has signed it. */
export function readSigned(envelope: unknown, keys: ReadonlyMap<string, KeyObject>): unknown {
  if (!isEnvelope(envelope)) return undefined;
  const {payload, signatures} = envelope;
  const [{keyid, sig}] = signatures;
  const statement = Buffer.from(payload, 'base64').toString('utf8');
  const key = keys.get(keyid);
  const isValid =
    key !== undefined &&
    nodeCrypto().verify(null, encoded(statement), key, Buffer.from(sig, 'base64'));
  return isValid ? JSON.parse(statement) : undefined;
}

/** True for an envelope in the form of this version: any program that can write to the store can append something else. */
export function isEnvelope(value: unknown): value is Envelope {
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

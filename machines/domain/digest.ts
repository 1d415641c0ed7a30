/** Digests: SHA-256 where an approval or the audit depends on it, a fast one where only accidental changes must be detected. */

import {sha256} from '@noble/hashes/sha2.js';
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js';

/** SHA-256 of a value's canonical JSON (keys sorted), as 64 hex digits. */
export function hashOf(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}

/** JSON with the keys of every object in sorted order and without undefined members. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => sortKeys(member));
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A 53-bit digest of a text, chained to a seed, in base 36. It detects divergence, not tampering.
 * The mixing is cyrb53 (public domain, bryc).
 */
export function quickDigest(text: string, seed = ''): string {
  const source = seed + text;
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (let i = 0; i < source.length; i += 1) {
    const unit = source.charCodeAt(i);
    h1 = Math.imul(h1 ^ unit, 2654435761);
    h2 = Math.imul(h2 ^ unit, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return (4294967296 * (2097151 & h2) + (h1 >>> 0)).toString(36);
}

import type Crypto from 'node:crypto';

/** Node's module, loaded on first use, so that a program that signs and hashes nothing starts sooner. */
export function nodeCrypto(): typeof Crypto {
  return process.getBuiltinModule('node:crypto');
}

// Bearer tokens: returned once, stored only as their hashes.

/** 256 random bits, in characters that need no quoting. */
export function createToken(): string {
  return nodeCrypto().randomBytes(32).toString('base64url');
}

/** SHA-256, hex. A token is random: it needs no salt. */
export function hashToken(token: string): string {
  return nodeCrypto().hash('sha256', token);
}

/** Takes the same time for all hashes. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.length === b.length && nodeCrypto().timingSafeEqual(a, b);
}

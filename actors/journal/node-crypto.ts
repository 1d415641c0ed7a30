import type Crypto from 'node:crypto';

/** Node's module, loaded on first use, so that a program that signs and hashes nothing starts sooner. */
export function nodeCrypto(): typeof Crypto {
  return process.getBuiltinModule('node:crypto');
}

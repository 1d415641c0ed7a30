import type Crypto from 'node:crypto';

/** Node's module, loaded when it is first asked for: a program that signs and hashes nothing begins sooner without it. */
export function nodeCrypto(): typeof Crypto {
  return process.getBuiltinModule('node:crypto');
}

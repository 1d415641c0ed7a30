/** Errors of libraries may quote what they were given: the launcher's own last look for secrets. */

import {secretsIn} from '../machines/places/secrets.ts';
import type {Environment} from './terminal.ts';

/** Values of variables that hold secrets, and what stands in an authorization header. */
export function redact(text: string, env: Environment): string {
  const bare = secretsIn(env).reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  return bare.replaceAll(/\b(bearer|x-api-key:?)\s+\S+/gi, '$1 [secret]');
}

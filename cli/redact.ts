/** Errors of libraries may quote their input: the launcher redacts secrets in them once more. */

import {secretsIn} from '../machines/places/secrets.ts';
import type {Environment} from './terminal.ts';

/** Replaces values of variables that hold secrets, and credentials of authorization headers. */
export function redact(text: string, env: Environment): string {
  const bare = secretsIn(env).reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  return bare.replaceAll(/\b(bearer|x-api-key:?)\s+\S+/gi, '$1 [secret]');
}

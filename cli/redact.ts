/** Errors of libraries may quote what they were given: the launcher's own last look for secrets. */

import type {Environment} from './terminal.ts';

const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;
const minSecretLength = 8;

/** Values of variables that hold secrets, and what stands in an authorization header. */
export function redact(text: string, env: Environment): string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= minSecretLength && secretName.test(name) ? [value] : [],
  );
  const bare = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  return bare.replaceAll(/\b(bearer|x-api-key:?)\s+\S+/gi, '$1 [secret]');
}

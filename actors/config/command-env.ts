/** The variables that commands get beside the usual ones, by their names in the configuration. Secrets are none of them. */

import {namesSecret, secretsIn} from '../../machines/places/secrets.ts';

export interface CommandEnv {
  readonly values: Readonly<Record<string, string>>;
  /** A sentence for each that was named and is not given on. */
  readonly warnings: readonly string[];
}

/** A variable that is not set is none; one that holds a secret, by its name or its value, stays with this process. */
export function commandEnv(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CommandEnv {
  const isSecret = (name: string): boolean =>
    namesSecret(name) || secretsIn({[name]: env[name]}).length > 0;
  const values = names.flatMap((name) => {
    const value = env[name];
    return value === undefined || isSecret(name) ? [] : [[name, value]];
  });
  return {
    values: Object.fromEntries(values),
    warnings: names
      .filter(isSecret)
      .map((name) => `commands.env names ${name}, which holds a secret: commands do not get it`),
  };
}

/** The additional environment variables of commands, as named in the configuration. Secrets are left out. */

import {namesSecret, secretsIn} from '../../machines/places/secrets.ts';

export interface CommandEnv {
  readonly values: Readonly<Record<string, string>>;
  /** One sentence for each configured variable that commands do not receive because it holds a secret. */
  readonly warnings: readonly string[];
}

/** Unset variables are skipped. A variable whose name or value indicates a secret is not passed to commands. */
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
      .map(
        (name) => `commands.env names ${name}, which holds a secret: it is not passed to commands`,
      ),
  };
}

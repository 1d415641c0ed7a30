/** `[commands]`, `[sandbox]` and `[secrets]`: the environment, the limits and the confinement of commands, and secrets. */

import {z} from 'zod';

import {defaultLimits} from '../../../tools/run/quota.ts';
import {parseDestination} from '../../../tools/run/sandbox/destination.ts';
import {trySecretPattern} from '../secret-pattern.ts';
import {fixedLimit} from './kinds.ts';
import {fixed, hidden} from './row.ts';
import {ordered, subset} from './stricter.ts';

const secretPattern = z
  .string()
  .min(1)
  .max(1_000)
  .refine(
    (pattern) => trySecretPattern(pattern) !== undefined,
    'is not a regular expression that matches some text',
  );

const noDestination = 'is not HOST:PORT, such as example.com:443 or *.example.com:443';

/** Hosts that a confined program may reach. */
export const destinations = z
  .array(z.string().refine((host) => parseDestination(host) !== undefined, noDestination))
  .max(100)
  .default([]);

export const commandsSection = z.strictObject({
  env: fixed(
    'additional environment variables for commands, by name, such as JAVA_HOME; variables that hold secrets are left out',
  )(
    z
      .array(z.string().regex(/^[A-Za-z_]\w{0,199}$/, 'is not a name of an environment variable'))
      .max(100)
      .default([]),
  ),
  max_memory_percent: fixedLimit(
    'the share of the machine’s memory for a command and its child processes, where systemd can limit it',
  )([1, 100, defaultLimits.max_memory_percent]),
  max_processes: fixedLimit('processes of a command at the same time, including their threads')([
    16,
    1_000_000,
    defaultLimits.max_processes,
  ]),
});

export const sandboxSection = z.strictObject({
  mode: fixed(
    'confinement of commands: where possible, always (otherwise they are refused), never',
    ordered('off', 'auto', 'required'),
  )(z.enum(['auto', 'required', 'off']).default('auto')),
  network: fixed(
    'destinations that commands in bubblewrap may reach through a proxy: example.com:443, *.example.com:443; a non-public address must be listed itself',
    subset,
  )(destinations),
});

export const secretsSection = z.strictObject({
  patterns: hidden('regular expressions; matching text is replaced before it is stored or shown')(
    z.array(secretPattern).max(1_000).default([]),
  ),
});

/** `[commands]`, `[sandbox]` and `[secrets]`: what reaches commands, what they may take, and what confines them. */

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

const noDestination = 'is no HOST:PORT, such as example.com:443 or *.example.com:443';

export const commandsSection = z.strictObject({
  env: fixed(
    'names of variables that commands get beside the usual ones, such as JAVA_HOME; those that hold secrets are left out',
  )(
    z
      .array(z.string().regex(/^[A-Za-z_]\w{0,199}$/, 'is not a name of an environment variable'))
      .max(100)
      .default([]),
  ),
  max_memory_percent: fixedLimit(
    'of the machine’s memory, what a command and all that it starts may take, where the kernel can bound that',
  )([1, 100, defaultLimits.max_memory_percent]),
  max_processes: fixedLimit('processes of a command at once, their threads included')([
    16,
    1_000_000,
    defaultLimits.max_processes,
  ]),
});

export const sandboxSection = z
  .strictObject({
    mode: fixed(
      'commands are confined: where that works, always (else refused), never',
      ordered('off', 'auto', 'required'),
    )(z.enum(['auto', 'required', 'off']).default('auto')),
    network: fixed(
      'what commands in bubblewrap may reach, through a proxy: example.com:443, *.example.com:443; an address that is not public only by itself',
      subset,
    )(
      z
        .array(z.string().refine((host) => parseDestination(host) !== undefined, noDestination))
        .max(100)
        .default([]),
    ),
    container: fixed('a container runtime that confines commands, in place of bubblewrap')(
      z.enum(['none', 'docker', 'podman']).default('none'),
    ),
    image: fixed('what its containers are made from: they see its programs, not this machine’s')(
      z
        .string()
        .max(4096)
        .regex(/^(?:[^\s-]\S*)?$/, 'is not a name of an image')
        .default(''),
    ),
  })
  .refine(({container, image}) => container === 'none' || image !== '', {
    path: ['image'],
    error: 'names no image: write one such as "node:24"',
  });

export const secretsSection = z.strictObject({
  patterns: hidden(
    'regular expressions; what they match is replaced wherever it would be stored or shown',
  )(z.array(secretPattern).max(1_000).default([])),
});

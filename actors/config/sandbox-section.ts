/** `[sandbox]`: whether commands are confined, by what, and what they may reach all the same. */

import {z} from 'zod';

import {parseDestination} from '../../tools/run/sandbox/destination.ts';

const noDestination = 'is no HOST:PORT, such as example.com:443 or *.example.com:443';

export const sandboxSection = z
  .strictObject({
    mode: z.enum(['auto', 'required', 'off']).default('auto'),
    /** What confined commands may reach. */
    network: z
      .array(z.string().refine((host) => parseDestination(host) !== undefined, noDestination))
      .max(100)
      .default([]),
    container: z.enum(['none', 'docker', 'podman']).default('none'),
    image: z
      .string()
      .max(4096)
      .regex(/^(?:[^\s-]\S*)?$/, 'is no name of an image')
      .default(''),
  })
  .refine(({container, image}) => container === 'none' || image !== '', {
    path: ['image'],
    error: 'names no image: write one such as "node:24"',
  })
  .prefault({});

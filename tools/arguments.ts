/** Arguments that several tools take. */

import {z} from 'zod';

export function pathArgument(what: string): z.ZodString {
  return z.string().min(1).regex(/\S/, 'is blank').describe(`${what}, relative to the workspace.`);
}

/** At least `min`, at most `max`, whole. */
export function countArgument(min: number, max: number, what: string): z.ZodInt {
  return z.int().min(min).max(max).describe(what);
}

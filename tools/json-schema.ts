/** What models are told of arguments. */

import {z} from 'zod';

const made = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/**
 * The JSON Schema of what a schema takes in. It is made when first asked for, and once: that takes longer than a call of
 * a tool. Throws for a schema that JSON Schema can't tell.
 */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const known = made.get(schema);
  if (known) return known;
  const {$schema: _, ...told} = z.toJSONSchema(schema, {io: 'input'});
  made.set(schema, told);
  return told;
}

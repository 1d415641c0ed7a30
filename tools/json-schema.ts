/** The JSON Schema of arguments, as models receive it. */

import {z} from 'zod';

const made = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/**
 * The JSON Schema of a schema's input. It is made on first use, and once: that takes longer than a call of
 * a tool. Throws for a schema that JSON Schema can't express.
 */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const known = made.get(schema);
  if (known) return known;
  const {$schema: _, ...jsonSchema} = z.toJSONSchema(schema, {io: 'input'});
  made.set(schema, jsonSchema);
  return jsonSchema;
}

/** A schema of arguments that models see as the given JSON Schema. */
export function withJsonSchema<Schema extends z.ZodType>(
  schema: Schema,
  jsonSchema: Readonly<Record<string, unknown>>,
): Schema {
  made.set(schema, jsonSchema);
  return schema;
}

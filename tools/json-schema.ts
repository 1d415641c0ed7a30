/** The JSON Schema of arguments, as models receive it: without a description of its own, which is the tool's. */

import {z} from 'zod';

const made = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/**
 * The JSON Schema of a schema's input. It is made on first use, and once: that takes longer than a call of
 * a tool. Throws for a schema that JSON Schema can't express.
 */
export function jsonSchemaOf(parameters: z.ZodType): Readonly<Record<string, unknown>> {
  // By the lazy schema itself: it makes another schema each time it is unwrapped.
  const known = made.get(parameters);
  if (known) return known;
  const schema = unwrapped(parameters);
  const jsonSchema = made.get(schema) ?? convert(schema);
  made.set(parameters, jsonSchema);
  return jsonSchema;
}

function convert(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const {
    $schema: _,
    description: _own,
    ...jsonSchema
  } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({jsonSchema: part}) => leaveOutNull(part),
  });
  return jsonSchema;
}

type Part = z.core.JSONSchema.BaseSchema;

/**
 * An optional member that may be `null` is offered without it: absent means the same, and small models and servers with grammars
 * handle plain types best.
 */
function leaveOutNull({properties = {}, required = []}: Part): void {
  for (const [name, member] of Object.entries(properties)) {
    if (typeof member === 'object' && !required.includes(name)) {
      properties[name] = withoutNull(member);
    }
  }
}

function withoutNull(member: Part): Part {
  const {anyOf = [], ...rest} = member;
  const types = anyOf.filter(({type}) => type !== 'null');
  if (types.length === anyOf.length) return member;
  const [type, ...more] = types;
  return more.length === 0 ? {...type, ...rest} : {...rest, anyOf: types};
}

/** The schema within `z.lazy`. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  const inner = schema instanceof z.ZodLazy ? schema.unwrap() : schema;
  return inner instanceof z.ZodType ? inner : schema;
}

/** A schema of arguments that models see as the given JSON Schema. */
export function withJsonSchema<Schema extends z.ZodType>(
  schema: Schema,
  jsonSchema: Readonly<Record<string, unknown>>,
): Schema {
  made.set(schema, jsonSchema);
  return schema;
}

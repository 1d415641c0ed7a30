/** Samples of values: given as they are, or made from a zod schema. */

import {z} from 'zod';

/** Values to try, or a schema of them. */
export type Samples<Value = unknown> = readonly Value[] | z.ZodType<Value>;

/** So many values are made from a schema: each adds moves to every state in which it may come. */
const maxMade = 6;
/** Schemas may contain themselves. */
const maxDepth = 4;

/**
 * The samples as a list. From a schema: values at its limits, each of which it accepts. Throws Error when none is found, as
 * for a refinement that no limit meets.
 */
export function samplesOf<Value>(samples: Samples<Value>, name: string): readonly Value[] {
  if (isList(samples)) return samples;
  const made = unique(valuesOf(jsonSchemaOf(samples, name), 0)).flatMap((value) => {
    const parsed = samples.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  if (made.length > 0) return made.slice(0, maxMade);
  throw new Error(`no sample of ${name} can be made from its schema: give some as a list`);
}

function isList<Value>(samples: Samples<Value>): samples is readonly Value[] {
  return Array.isArray(samples);
}

function jsonSchemaOf(schema: z.ZodType, name: string): JsonSchema {
  try {
    return jsonSchema.parse(z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any'}));
  } catch (error) {
    throw new Error(`the schema of ${name} cannot be read: give samples as a list`, {cause: error});
  }
}

const jsonSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  properties: z.looseObject({}).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  minItems: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  format: z.string().optional(),
  default: z.unknown().optional(),
});
type JsonSchema = z.infer<typeof jsonSchema>;

/** Values of the formats that schemas name most. */
const formats: Readonly<Record<string, string>> = {
  email: 'a@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00',
  ipv4: '127.0.0.1',
};

function valuesOf(given: unknown, depth: number): readonly unknown[] {
  const schema = depth > maxDepth ? undefined : jsonSchema.safeParse(given).data;
  if (!schema) return [];
  const choices = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (choices.length > 0) return choices;
  const parts = partsOf(schema);
  if (parts) return parts.flatMap((part) => valuesOf(part, depth + 1));
  const types = [schema.type ?? []].flat();
  const found = types.flatMap((type) => valuesOfType(type, schema, depth));
  return schema.default === undefined ? found : [schema.default, ...found];
}

function partsOf({anyOf, oneOf, allOf}: JsonSchema): readonly unknown[] | undefined {
  return anyOf ?? oneOf ?? allOf;
}

function valuesOfType(type: string, schema: JsonSchema, depth: number): readonly unknown[] {
  if (type === 'boolean') return [true, false];
  if (type === 'null') return [null];
  if (type === 'number' || type === 'integer') return numbersOf(schema);
  if (type === 'string') return stringsOf(schema);
  if (type === 'array') return arraysOf(schema, depth);
  return type === 'object' ? objectsOf(schema, depth) : [];
}

function numbersOf({minimum, maximum, exclusiveMinimum, exclusiveMaximum}: JsonSchema): number[] {
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  const most = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1);
  const limits = [least, most].filter((limit) => limit !== undefined);
  const isInside = (value: number) => value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  return [...limits.filter((limit) => Math.abs(limit) < Number.MAX_SAFE_INTEGER), 0, 1, -1, 0.5]
    .filter(isInside)
    .slice(0, 3);
}

function stringsOf({format, minLength = 0, maxLength = Infinity}: JsonSchema): string[] {
  const known = formats[format ?? ''];
  if (known !== undefined) return [known];
  return ['', 'a'.repeat(Math.max(1, minLength))].filter(
    ({length}) => length >= minLength && length <= maxLength,
  );
}

function arraysOf({items, prefixItems, minItems = 0}: JsonSchema, depth: number): unknown[][] {
  if (prefixItems) return [prefixItems.flatMap((item) => valuesOf(item, depth + 1).slice(0, 1))];
  const [item] = valuesOf(items, depth + 1);
  const filled =
    item === undefined ? [] : [Array.from({length: Math.max(1, minItems)}, () => item)];
  return minItems === 0 ? [[], ...filled] : filled;
}

/** One object with the first value of each member, and one for each other value of a member. */
function objectsOf({properties = {}, required = []}: JsonSchema, depth: number): unknown[] {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    values: valuesOf(schema, depth + 1),
  }));
  const usual = Object.fromEntries(
    members.flatMap(({name, values}) => (values.length > 0 ? [[name, values[0]]] : [])),
  );
  const without = (name: string) =>
    Object.fromEntries(Object.entries(usual).filter(([key]) => key !== name));
  const others = members.flatMap(({name, values, isRequired}) =>
    values
      .slice(1)
      .map((value): object => Object.assign({}, usual, {[name]: value}))
      .concat(isRequired ? [] : without(name)),
  );
  return [usual, ...others];
}

function unique(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

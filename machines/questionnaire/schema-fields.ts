/** Converts the properties of a JSON Schema to the fields of a form. */

import {isJsonObject, type Json, type JsonObject} from '../domain/json.ts';
import {type FieldType, type SchemaProperty, typeOf, typesThat} from './field-types.ts';

export interface SchemaField {
  readonly path: readonly string[];
  /** As in a form file. */
  readonly entry: JsonObject;
  /** Without an answer, the property is present as null. */
  readonly isNullable: boolean;
}

export interface SchemaFields {
  readonly fields: readonly SchemaField[];
  /** `address.tags: …`. */
  readonly problems: readonly string[];
}

/** Keywords that do not restrict an answer, or that are read below. */
const annotations: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'type',
  'sensitivity',
  'why',
  'order',
  'relevant_if',
]);

/** Keys that are copied to a field unchanged. */
const kept = ['sensitivity', 'why', 'order', 'relevant_if'] as const;

const maxDepth = 5;

/** A property of a schema, with its path. */
interface Property {
  readonly path: readonly string[];
  readonly labels: readonly string[];
  readonly schema: JsonObject;
  readonly isRequired: boolean;
  readonly root: JsonObject;
}

/** Never throws. */
export function fieldsOfSchema(root: JsonObject): SchemaFields {
  const property = {path: [], labels: [], schema: root, isRequired: true, root};
  if (root['type'] !== 'object') return refused(property, 'takes an object with properties');
  return fieldsOfObject(property);
}

function fieldsOfObject(property: Property): SchemaFields {
  const {path, labels, schema, isRequired, root} = property;
  const strange = strangers(schema, ['properties', 'required', 'additionalProperties']);
  if (strange !== undefined) return refused(property, strange);
  const {properties = {}, required = []} = schema;
  if (!isJsonObject(properties) || !Array.isArray(required)) {
    return refused(property, 'takes properties, and a list of the required ones');
  }
  const names: readonly Json[] = required;
  const parts = Object.entries(properties).map(([name, inner]) =>
    fieldsOf({
      path: [...path, name],
      labels: [...labels, labelOf(name, inner)],
      schema: isJsonObject(inner) ? inner : {},
      isRequired: isRequired && names.includes(name),
      root,
    }),
  );
  return {
    fields: parts.flatMap(({fields}) => fields),
    problems: parts.flatMap(({problems}) => problems),
  };
}

function fieldsOf(property: Property): SchemaFields {
  const {path} = property;
  if (path.at(-1)?.includes('.') === true) return refused(property, 'has a dot in its name');
  if (path.length > maxDepth) return refused(property, `is nested deeper than ${maxDepth} levels`);
  const schema = resolved(property.schema, property.root);
  if (!schema) return refused(property, 'has a $ref that is not in $defs of this schema');
  const {bare, isNullable} = withoutNull(schema);
  const inner = {...property, schema: bare, isRequired: property.isRequired && !isNullable};
  if (bare['type'] === 'object') return fieldsOfObject(inner);
  const read = typed(bare);
  if (typeof read === 'string') return refused(property, read);
  const isThere = isNullable && property.isRequired;
  return {fields: [{path, entry: entryOf(inner, read), isNullable: isThere}], problems: []};
}

function entryOf({path, labels, schema, isRequired}: Property, read: JsonObject): JsonObject {
  const {description: intent} = schema;
  const own = kept.flatMap((key) => {
    const value = schema[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    id: path.join('.'),
    label: labels.join(': '),
    ...(intent === undefined ? {} : {intent}),
    required: isRequired,
    ...read,
    ...Object.fromEntries(own),
  };
}

type Read = (schema: JsonObject) => JsonObject | string;

const readers: ReadonlyMap<Json | undefined, Read> = new Map<Json, Read>([
  ['string', textField],
  ['integer', (schema) => numberOf(schema, 'integer')],
  ['number', (schema) => numberOf(schema, 'number')],
  ['boolean', (schema) => strangers(schema, []) ?? {type: typeFor('boolean')}],
  ['array', listOf],
]);

/** The type of the field that asks for a property. */
function typeFor(property: SchemaProperty['type'], format?: Json): FieldType {
  const [inFormat] = typesThat(
    ({property: {type, formats}}) =>
      type === property && formats?.some((known) => known === format) === true,
  );
  const [plain] = typesThat(({property: {type, formats}}) => type === property && !formats);
  const found = inFormat ?? plain;
  if (found === undefined) throw new Error(`no field asks for ${property}`);
  return found;
}

/** The keys that a field derives from a schema, or the reason why it can't be asked for. */
function typed(schema: JsonObject): JsonObject | string {
  const choices = choicesOf(schema);
  if (choices) return strangers(schema, enumerating) ?? {type: typeFor('enum'), choices};
  return (
    readers.get(schema['type'])?.(schema) ??
    'takes one type: string, integer, number, boolean, array or object, or an enum of texts'
  );
}

function textField(schema: JsonObject): JsonObject | string {
  const strange = strangers(schema, ['format', 'pattern', 'minLength', 'maxLength']);
  if (strange !== undefined) return strange;
  const {format, pattern, minLength: min, maxLength: max} = schema;
  const type = typeFor('string', format);
  const isOwn = typeof pattern === 'string' && !typeOf({type}).property.restatesFormat;
  return {type, ...bounds(min, max), ...(isOwn ? {pattern: whole(pattern)} : {})};
}

/** A pattern in JSON Schema matches any part of a text; a pattern in a form must match the whole text. */
function whole(pattern: string): string {
  const [, inner] = /^\^([^|]*[^|\\])\$$/s.exec(pattern) ?? [];
  return inner ?? `(?s:.*)(?:${pattern})(?s:.*)`;
}

function numberOf(schema: JsonObject, property: 'integer' | 'number'): JsonObject | string {
  const known = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
  const strange = strangers(schema, known);
  if (strange !== undefined) return strange;
  const {minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below} = schema;
  if (property === 'number' && (above !== undefined || below !== undefined)) {
    return 'has an exclusive bound; write minimum and maximum';
  }
  const min = typeof above === 'number' ? Math.floor(above) + 1 : minimum;
  const max = typeof below === 'number' ? Math.ceil(below) - 1 : maximum;
  return {type: typeFor(property), ...bounds(min, max)};
}

function listOf(schema: JsonObject): JsonObject | string {
  const strange = strangers(schema, ['items', 'minItems', 'maxItems', 'uniqueItems']);
  if (strange !== undefined) return strange;
  const {items = {}, minItems: min, maxItems: max} = schema;
  const choices = isJsonObject(items) ? choicesOf(items) : undefined;
  if (!choices) return "is a list whose items are not an enum of texts: it can't be asked for";
  return {type: typeFor('array'), choices, ...bounds(min, max)};
}

function bounds(min: Json | undefined, max: Json | undefined): JsonObject {
  return {
    ...(min === undefined || min === Number.MIN_SAFE_INTEGER ? {} : {min}),
    ...(max === undefined || max === Number.MAX_SAFE_INTEGER ? {} : {max}),
  };
}

const enumerating = ['enum', 'const', 'anyOf', 'oneOf'];

function choicesOf({
  enum: listed,
  const: only,
  anyOf,
  oneOf = anyOf,
}: JsonObject): readonly Json[] | undefined {
  if (typeof only === 'string') return [only];
  if (Array.isArray(listed)) return allTexts(listed);
  if (!Array.isArray(oneOf)) return undefined;
  const variants: readonly Json[] = oneOf;
  return allTexts(variants.map((each) => (isJsonObject(each) ? (each['const'] ?? null) : null)));
}

function allTexts(values: readonly Json[]): readonly Json[] | undefined {
  return values.every((value) => typeof value === 'string') ? values : undefined;
}

/** Reads `type: ['string', 'null']`, and `anyOf` of one schema and null. */
function withoutNull(schema: JsonObject): {
  readonly bare: JsonObject;
  readonly isNullable: boolean;
} {
  const {type, anyOf, ...rest} = schema;
  const types: readonly Json[] = Array.isArray(type) ? type : [];
  if (types.length === 2 && types.includes('null')) {
    const bare = {...schema, type: types.find((each) => each !== 'null') ?? null};
    return {bare, isNullable: true};
  }
  const variants: readonly Json[] = Array.isArray(anyOf) ? anyOf : [];
  const others = variants.filter((each) => !isJsonObject(each) || each['type'] !== 'null');
  if (others.length === variants.length) return {bare: schema, isNullable: false};
  const [only] = others;
  const isOne = others.length === 1 && isJsonObject(only);
  return {bare: isOne ? {...rest, ...only} : {...rest, anyOf: others}, isNullable: true};
}

/** The schema with its `$ref` resolved; undefined when the reference has no target or is circular. */
function resolved(schema: JsonObject, root: JsonObject, left = maxDepth): JsonObject | undefined {
  const {$ref, ...rest} = schema;
  if ($ref === undefined) return schema;
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(JSON.stringify($ref).slice(1, -1)) ?? [];
  const {$defs = {}} = root;
  const found = isJsonObject($defs) && name !== undefined ? $defs[name] : undefined;
  return left > 0 && isJsonObject(found)
    ? resolved({...found, ...rest}, root, left - 1)
    : undefined;
}

/** The problem of a keyword that would otherwise be ignored. */
function strangers(schema: JsonObject, known: readonly string[]): string | undefined {
  const strange = Object.keys(schema).find((key) => !annotations.has(key) && !known.includes(key));
  return strange === undefined ? undefined : `the keyword "${strange}" is not supported`;
}

/** Turns `startDate` and `start_date` into `Start date`. */
function labelOf(name: string, schema: Json): string {
  const title = isJsonObject(schema) ? schema['title'] : undefined;
  if (typeof title === 'string') return title;
  const words = name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function refused({path}: Property, why: string): SchemaFields {
  return {fields: [], problems: [path.length === 0 ? why : `${path.join('.')}: ${why}`]};
}

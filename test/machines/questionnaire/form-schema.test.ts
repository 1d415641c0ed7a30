/** Forms from schemas, and answers in their shape. */

import {describe, expect, expectTypeOf, it} from 'vitest';
import {z} from 'zod';

import type {JsonObject} from '../../../machines/domain/json.ts';
import {answersFor, formFromSchema} from '../../../machines/questionnaire/form-schema.ts';
import type {AnswerValue} from '../../../machines/questionnaire/questionnaire.ts';

const order = z
  .object({
    name: z.string().min(2).max(50).describe('To call you'),
    email: z.email().meta({title: 'Where to write', sensitivity: 'personal', why: 'For the bill'}),
    site: z.url().optional(),
    phone: z.e164().nullable(),
    birthDay: z.iso.date(),
    count: z.int().min(1).max(9),
    price: z.number().min(0.5).optional(),
    size: z.enum(['S', 'M', 'L']),
    cut: z
      .union([z.literal('wide'), z.literal('slim')])
      .meta({relevant_if: "size = 'L'"})
      .optional(),
    extras: z
      .array(z.enum(['print', 'gift']))
      .min(1)
      .max(2)
      .optional(),
    newsletter: z.boolean().default(false),
    address: z.object({street_name: z.string(), code: z.string().regex(/^\d{5}$/)}),
  })
  .describe('Shirts with a print');

function refusalOf(schema: z.ZodObject | JsonObject): string {
  try {
    formFromSchema(schema);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function properties(given: JsonObject, more: JsonObject = {}): JsonObject {
  return {type: 'object', properties: given, ...more};
}

function answered(values: Readonly<Record<string, AnswerValue>>): Parameters<typeof answersFor>[1] {
  const entries = Object.entries(values).map(
    ([id, value]) => [id, {status: 'done', value}] as const,
  );
  return {answers: Object.fromEntries(entries)};
}

describe('a form from a zod object', () => {
  const form = formFromSchema(order, {id: 'shirts', title: 'Shirts'});
  const fields = Object.fromEntries(form.fields.map((field) => [field.id, field]));

  it('has the given names, and a field for each property in the order of the schema', () => {
    expect(form).toMatchObject({id: 'shirts', title: 'Shirts', description: 'Shirts with a print'});
    expect(form.fields.map(({id, label, required}) => [id, label, required])).toEqual([
      ['name', 'Name', true],
      ['email', 'Where to write', true],
      ['site', 'Site', false],
      ['phone', 'Phone', false],
      ['birthDay', 'Birth day', true],
      ['count', 'Count', true],
      ['price', 'Price', false],
      ['size', 'Size', true],
      ['cut', 'Cut', false],
      ['extras', 'Extras', false],
      ['newsletter', 'Newsletter', false],
      ['address.street_name', 'Address: Street name', true],
      ['address.code', 'Address: Code', true],
    ]);
  });

  it.each([
    ['name', {type: 'text', min: 2, max: 50, intent: 'To call you'}],
    ['email', {type: 'email', sensitivity: 'personal', why: 'For the bill'}],
    ['site', {type: 'url'}],
    ['phone', {type: 'phone', pattern: String.raw`\+[1-9]\d{6,14}`}],
    ['birthDay', {type: 'date'}],
    ['count', {type: 'integer', min: 1, max: 9}],
    ['price', {type: 'number', min: 0.5}],
    ['size', {type: 'choice', choices: ['S', 'M', 'L']}],
    ['cut', {type: 'choice', choices: ['wide', 'slim'], relevantIf: "size = 'L'"}],
    ['extras', {type: 'choices', choices: ['print', 'gift'], min: 1, max: 2}],
    ['newsletter', {type: 'boolean'}],
    ['address.code', {type: 'text', pattern: String.raw`\d{5}`}],
  ])('asks for %s as %j', (id, expected) => {
    expect(fields[id]).toMatchObject(expected);
  });

  it('returns the answers as the object that the schema describes', () => {
    const values = {
      name: 'Ann',
      email: 'ann@example.org',
      birthDay: '1990-02-28',
      count: 2,
      size: 'L',
      extras: ['gift'],
      'address.street_name': 'High Street 1',
      'address.code': '12345',
    };
    const given = answersFor(order, answered(values));
    expectTypeOf(given).toEqualTypeOf<z.infer<typeof order>>();
    expect(given).toEqual({
      name: 'Ann',
      email: 'ann@example.org',
      phone: null,
      birthDay: '1990-02-28',
      count: 2,
      size: 'L',
      extras: ['gift'],
      newsletter: false,
      address: {street_name: 'High Street 1', code: '12345'},
    });
  });

  it('throws for an incomplete form, and leaves out answers that no reviewer has passed', () => {
    expect(() => answersFor(order, {answers: {}})).toThrow(z.ZodError);
    const small = z.object({a: z.string().optional()});
    expect(answersFor(small, {answers: {a: {status: 'reviewing', value: 'x'}}})).toEqual({});
  });
});

describe('a form from a JSON Schema', () => {
  it('supports $defs, consts, union types and unanchored patterns', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Ticket',
      ...properties(
        {
          kind: {oneOf: [{const: 'bug', title: 'A bug'}, {const: 'wish'}]},
          since: {$ref: '#/$defs/day', description: 'When it began'},
          code: {type: 'string', pattern: '[A-Z]-|^x'},
          size: {type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10},
          note: {anyOf: [{type: 'string', maxLength: 80}, {type: 'null'}]},
        },
        {required: ['kind', 'note'], additionalProperties: false},
      ),
      $defs: {day: {type: 'string', format: 'date'}},
    };
    expect(formFromSchema(schema)).toMatchObject({
      id: 'form',
      title: 'Ticket',
      fields: [
        {id: 'kind', type: 'choice', choices: ['bug', 'wish'], required: true},
        {id: 'since', type: 'date', intent: 'When it began', required: false},
        {id: 'code', pattern: '(?s:.*)(?:[A-Z]-|^x)(?s:.*)'},
        {id: 'size', type: 'integer', min: 1, max: 9},
        {id: 'note', type: 'text', max: 80, required: false},
      ],
    });
    expect(answersFor(schema, answered({kind: 'bug', size: 3}))).toEqual({
      kind: 'bug',
      size: 3,
      note: null,
    });
  });

  it.each<[JsonObject, string]>([
    [{type: 'string'}, 'takes an object with properties'],
    [
      properties({a: {type: 'array', items: {type: 'string'}}}),
      'a: is a list whose items are not an enum',
    ],
    [properties({a: {enum: [1, 2]}}), 'a: takes one type: string, '],
    [properties({a: {}}), 'a: takes one type: string, '],
    [properties({a: {type: 'number', exclusiveMinimum: 0}}), 'a: has an exclusive bound'],
    [
      properties({a: {type: 'integer', multipleOf: 5}}),
      `a: the keyword "multipleOf" is not supported`,
    ],
    [properties({a: {type: 'string'}}, {if: {}}), `the keyword "if" is not supported`],
    [properties({'a.b': {type: 'string'}}), 'a.b: has a dot in its name'],
    [properties({a: {$ref: '#/$defs/b'}}), 'a: has a $ref that is not in $defs'],
    [
      {...properties({a: {$ref: '#/$defs/a'}}), $defs: {a: {$ref: '#/$defs/a'}}},
      'a: has a $ref that is not in $defs',
    ],
    [
      {
        ...properties({a: {$ref: '#/$defs/a'}}),
        $defs: {a: properties({a: {$ref: '#/$defs/a'}})},
      },
      'a.a.a.a.a.a: is nested deeper than 5 levels',
    ],
    [
      properties({a: properties({b: {type: 'string', pattern: '(?=x)'}})}),
      'a.b.pattern: has a lookahead',
    ],
    [properties({constructor: {type: 'string'}}), 'constructor.id: is a name that every object'],
    [properties({}), 'fields: is empty'],
  ])('refuses %j: %s…', (schema, problem) => {
    expect(refusalOf(schema)).toContain(`no form can be made from this schema: ${problem}`);
  });

  it('names every unsupported part', () => {
    const message = refusalOf(properties({a: {}, b: {type: 'string'}, c: {enum: [3]}}));
    expect(message).toMatch(/a: takes one type.*; c: takes one type/);
  });

  it('refuses zod types that JSON does not have', () => {
    expect(refusalOf(z.object({when: z.date()}))).toMatch(
      /Date.*; write a day as z\.iso\.date\(\)$/,
    );
  });
});

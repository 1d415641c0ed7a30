/** What the server is sent and answers, as zod has it. Names are those of the OpenAPI document. */

import {z} from 'zod';

export const components = z.registry<{id: string}>();

function named<T extends z.ZodType>(id: string, schema: T): T {
  components.add(schema, {id});
  return schema;
}

const error = z.object({
  code: z.string(),
  message: z.string(),
  open: z.array(z.string()).optional(),
});

named('Error', z.object({error}));

const words = (max: number) => z.string().trim().min(1).max(max);

export const newInteraction = named(
  'NewInteraction',
  z.strictObject({form: z.enum(['agent', 'ask', 'discuss']), request: words(100_000)}),
);

const anything = z.record(z.string(), z.unknown());

const gate = named(
  'Gate',
  z.object({gate: z.string(), interaction: z.string(), question: anything}),
);

export const interaction = named(
  'Interaction',
  z.object({
    id: z.string(),
    form: z.string(),
    request: z.string(),
    status: z.string(),
    gates: z.array(gate),
    result: anything.optional(),
  }),
);

export const interactionList = named(
  'InteractionList',
  z.object({
    interactions: z.array(
      z.object({id: z.string(), form: z.string(), request: z.string(), status: z.string()}),
    ),
  }),
);

const inWords = {gate: z.string().exactOptional(), reason: z.string().max(10_000).exactOptional()};

export const decision = named(
  'Decision',
  z.discriminatedUnion('decision', [
    z.strictObject({decision: z.enum(['approve', 'reject', 'retry', 'done', 'fail']), ...inWords}),
    z.strictObject({decision: z.literal('edit'), plan: anything, ...inWords}),
  ]),
);

export const nothing = z.strictObject({});

/** zod schemas of the server's requests and replies. Names are those of the OpenAPI document. */

import {z} from 'zod';

import {interactionForms, servedForms} from '../../../machines/domain/interaction-form.ts';
import type {RunResult} from '../../../machines/domain/result.ts';

export const components = z.registry<{id: string}>();

function component<T extends z.ZodType>(id: string, schema: T): T {
  components.add(schema, {id});
  return schema;
}

const error = z.object({
  code: z.string(),
  message: z.string(),
  open: z.array(z.string()).optional(),
});

component('Error', z.object({error}));

const words = (max: number) => z.string().trim().min(1).max(max);

export const newInteraction = component(
  'NewInteraction',
  z.strictObject({
    form: z.enum(servedForms),
    request: words(100_000),
    folder: z
      .boolean()
      .optional()
      .describe(
        'False, of a question: it needs none, and any worker of a shared journal may answer.',
      ),
  }),
);

const anything = z.record(z.string(), z.unknown());

const gate = component(
  'Gate',
  z.object({gate: z.string(), interaction: z.string(), question: anything}),
);

// The result of a run as the server sends it: every member of `RunResult`, the parts of single forms as plain objects.

const part = z.record(z.string(), z.unknown());
const parts = z.array(part);

const usage = z.object({
  modelCalls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int(),
  costUsd: z.number().optional().describe('Absent when no model with a known price was called.'),
  estimated: z.literal(true).optional(),
});

/** The types require a schema for each member, and allow no other. */
const members = {
  type: z.literal('result'),
  interaction: z.string(),
  form: z.enum(interactionForms),
  status: z.enum(['completed', 'failed', 'rejected', 'cancelled', 'error', 'limited', 'waiting']),
  exitCode: z.int().describe('The same as on the command line.'),
  summary: z.string(),
  usage,
  resumable: z
    .literal(true)
    .optional()
    .describe('The run has not ended: it continues when it is resumed.'),
  language: z.literal('ja').optional().describe('The language of the request. Absent: English.'),
  error: z.object({code: z.string(), message: z.string()}).optional(),
  answer: z.string().optional().describe('ask: the answer. agent: the closing answer.'),
  degraded: z.literal(true).optional(),
  sources: parts.optional(),
  steps: parts.optional(),
  toolCalls: z.int().optional(),
  stoppedReason: z.string().optional(),
  guardrail: part.optional(),
  plan: part.optional(),
  tasks: parts.optional(),
  evaluations: parts.optional(),
  reviews: parts.optional().describe('Every round of votes.'),
  denied: parts.optional(),
  changes: z
    .array(z.object({path: z.string(), added: z.int(), removed: z.int()}))
    .optional()
    .describe('Changed files, each once, with their lines.'),
  decisions: parts.optional(),
  unheard: z.array(z.string()).optional(),
  aborted: z.array(z.string()).optional(),
  inDoubt: z.array(z.string()).optional(),
  waiting: part.optional().describe('The open question of a run that waits for a person.'),
  asked: parts.optional(),
  discussion: part.optional(),
  review: part.optional(),
  answers: part.optional(),
  conversation: parts.optional(),
  interactions: parts.optional(),
} satisfies Record<keyof RunResult, z.ZodType>;

const runResult = z.object(members);

const result = component('Result', runResult);

export const interaction = component(
  'Interaction',
  z.object({
    id: z.string(),
    form: z.string(),
    request: z.string(),
    status: z.string(),
    gates: z.array(gate),
    result: result.optional(),
  }),
);

export const interactionList = component(
  'InteractionList',
  z.object({
    interactions: z.array(
      z.object({id: z.string(), form: z.string(), request: z.string(), status: z.string()}),
    ),
  }),
);

const inWords = {
  gate: z.string().exactOptional().describe('The id of the gate; required when several are open.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{8,64}$/)
    .exactOptional()
    .describe(
      'The beginning of the `proposalHash` of the proposal decided on; refused when it differs.',
    ),
  reason: z.string().max(10_000).exactOptional(),
};

export const decision = component(
  'Decision',
  z.discriminatedUnion('decision', [
    z.strictObject({decision: z.enum(['approve', 'reject', 'retry', 'done', 'fail']), ...inWords}),
    z.strictObject({
      decision: z.literal('always'),
      prefix: z.string().max(30_000).exactOptional(),
      ...inWords,
    }),
    z.strictObject({decision: z.literal('edit'), plan: anything, ...inWords}),
    z.strictObject({
      decision: z.literal('revise').describe('Made again as the reason says, and voted on again.'),
      ...inWords,
      reason: words(10_000),
    }),
  ]),
);

export const nothing = z.strictObject({});

const point = z.union([z.int().min(0), words(200)]).describe('An entry, or a name: `plan.1`.');
const changed = {
  settings: anything
    .exactOptional()
    .describe('Settings of the new run, as the configuration has them.'),
  say: words(20_000).exactOptional().describe('A message to the new run at this point.'),
};

export const newFork = component('NewFork', z.strictObject({at: point, ...changed}));

export const newRewind = component(
  'NewRewind',
  z.strictObject({to: point, dryRun: z.boolean().exactOptional(), ...changed}),
);

export const rewound = component(
  'Rewound',
  z.object({files: anything, interaction: interaction.optional()}),
);

export const pointList = component(
  'PointList',
  z.object({
    interaction: z.string(),
    entries: z.int(),
    ms: z.number(),
    points: z.array(z.object({name: z.string(), before: z.int(), after: z.int()})),
    differences: z.array(z.object({entry: z.int(), message: z.string()})),
  }),
);

export const moment = component(
  'Moment',
  z.object({
    entry: z.int(),
    at: z.number(),
    actors: z.array(
      z.object({path: z.string(), machine: z.string(), state: z.unknown(), context: anything}),
    ),
    open: z.array(z.string()),
  }),
);

/** BCP 47, ISO 3166-1 alpha-2, IANA. An invalid one is left out. */
export const newSubmission = component(
  'NewSubmission',
  z.strictObject({
    language: z.string().max(100).exactOptional(),
    country: z.string().max(100).exactOptional(),
    timezone: z.string().max(100).exactOptional(),
    device: z
      .strictObject({
        locale: z.string().max(100).exactOptional(),
        timezone: z.string().max(100).exactOptional(),
      })
      .exactOptional()
      .describe(
        'What a browser says of itself. The settings that it suggests are assumed, and can be changed at the end; without a `locale`, the header `Accept-Language` counts.',
      ),
  }),
);

export const newMessage = component(
  'NewMessage',
  z
    .strictObject({
      text: words(20_000).optional().describe('The text of the message.'),
      field: z
        .string()
        .max(200)
        .optional()
        .describe(
          'The text answers this field; without a text, the interview asks about the field.',
        ),
      seen: z
        .int()
        .min(0)
        .optional()
        .describe('The number of messages seen; refused when there are newer ones.'),
    })
    .refine(({text, field}) => text !== undefined || field !== undefined, 'send a text or a field'),
);

const state = z.enum([
  'greeting',
  'designing',
  'interviewing',
  'confirming',
  'paused',
  'submitted',
]);

const message = component(
  'Message',
  z.object({
    position: z.int().describe('Ascends from 1; unchanged by a restart of the server.'),
    from: z.enum(['agent', 'person']),
    text: z.string(),
    agent: z.string(),
    section: z.string().optional(),
    field: z.string().optional(),
    refuses: z
      .boolean()
      .optional()
      .describe('The message refuses the last reply: it says why, and repeats the question.'),
    at: z.number().optional().describe('Epoch milliseconds.'),
  }),
);

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const field = component(
  'Field',
  z.object({
    id: z.string(),
    label: z.string(),
    type: z.string(),
    required: z.boolean(),
    sensitivity: z.string(),
    choices: z.array(z.string()).optional(),
    min: z.union([z.number(), z.string()]).optional(),
    max: z.union([z.number(), z.string()]).optional(),
    intent: z.string().optional(),
    why: z.string().optional(),
    status: z.string(),
    value: value.optional(),
    quote: z.string().optional().describe('The part of the message that the value was read from.'),
    reason: z.string().optional(),
    provisional: value.optional(),
  }),
);

export const createdSubmission = component(
  'CreatedSubmission',
  z.object({id: z.string(), token: z.string(), state, messages: z.array(message)}),
);

export const answered = component('Answered', z.object({state, messages: z.array(message)}));

const stateMembers = {
  id: z.string(),
  form: z.string(),
  title: z.string(),
  description: z.string().optional(),
  state,
  isAtWork: z.boolean(),
  hasEnded: z.boolean(),
  fields: z.array(field),
  current: z.string().optional(),
  canSubmit: z.boolean(),
  open: z.array(z.string()).describe('Required fields without an answer.'),
  language: z.string().optional(),
  country: z.string().optional(),
  timezone: z.string().optional(),
  assumed: z
    .array(z.string())
    .optional()
    .describe('The settings above that the respondent did not state.'),
};

/** The data of the event `state`. */
component('SubmissionState', z.object(stateMembers));

export const submission = component(
  'Submission',
  z.object({...stateMembers, messages: z.array(message)}),
);

export const answers = component(
  'Answers',
  z.object({
    form: z.string(),
    submission: z.string(),
    status: state,
    language: z.string().optional(),
    country: z.string().optional(),
    timezone: z.string().optional(),
    assumed: z.array(z.string()).optional(),
    answers: z.record(
      z.string(),
      z.object({
        label: z.string(),
        status: z.string(),
        value: value.optional(),
        quote: z.string().optional(),
        facts: z.record(z.string(), z.string()),
        reason: z.string().optional(),
        provisional: value.optional(),
        sensitivity: z.string().optional(),
      }),
    ),
  }),
);

export const form = component(
  'Form',
  z.object({form: z.string(), title: z.string(), description: z.string().optional()}),
);

export const formList = component('FormList', z.object({forms: z.array(form)}));

export const submissionList = component(
  'SubmissionList',
  z.object({
    submissions: z.array(
      z.object({
        id: z.string(),
        state: z.string(),
        createdAt: z.number(),
        updatedAt: z.number(),
      }),
    ),
  }),
);

export const listQuery = z.object({
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

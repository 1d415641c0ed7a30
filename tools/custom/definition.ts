/** `[tools.NAME]` of the configuration: the schema of a custom tool. */

import {z} from 'zod';

import {maxSeconds} from '../run/quota.ts';
import {definitionProblems} from './check-definition.ts';

// Names of tools that Quorate itself gives to models. A test compares them with the tools.

const reserved: ReadonlySet<string> = new Set(
  [
    'answer_objections ask calculator cast_ballot conclude create_plan database edit_file evaluate_result',
    'find_tools',
    'glob_search grep_search order_fields raise_objections rank_answers read_file review review_answer',
    'review_calls review_diff route rule_on_objections run_command score_plan search set_country set_language',
    'set_timezone spawn_agent spawn_ask spawn_discuss spawn_interview subtask take_position web_fetch',
    'write_file',
  ].flatMap((names) => names.split(' ')),
);

export function isFreeName(name: string): boolean {
  return !reserved.has(name);
}

export const parameterTypes = [
  'string',
  'number',
  'integer',
  'boolean',
  'choice',
  'path',
  'list',
] as const;

const printable = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;
const unprintable = 'contains control or invisible characters';

const text = (max: number) =>
  z.string().max(max).regex(/\S/, 'is blank').regex(printable, unprintable);

const parameter = z.strictObject({
  type: z.enum(parameterTypes),
  description: text(1_000).exactOptional(),
  required: z.boolean().exactOptional(),
  /** Of `choice`. */
  choices: z.array(text(1_000)).min(1).max(100).exactOptional(),
  /** RE2, for a whole `string`, or each entry of a `list`. */
  pattern: z.string().min(1).max(1_000).exactOptional(),
  /** Of a number: its value; of a string: its characters; of a list: its entries. */
  min: z.number().exactOptional(),
  max: z.number().exactOptional(),
  /** Its value may begin with `-` where a program could take it for an option. */
  allows_dash: z.boolean().exactOptional(),
});

/** Members of every object, such as `constructor`, are found in objects that do not have them. */
const isOwnName = (name: string): boolean => !(name in {});

const parameterName = z
  .string()
  .regex(/^[A-Za-z_]\w{0,63}$/)
  .refine(isOwnName);
const named = z.array(z.string()).max(50).exactOptional();

const definition = z.strictObject({
  command: z
    .array(
      z
        .string()
        .max(10_000)
        .regex(/^[^\0]*$/, 'contains a NUL character'),
    )
    .min(1)
    .max(200),
  description: text(2_000),
  parameters: z.record(parameterName, parameter).exactOptional(),
  reads: named,
  writes: named,
  reaches: z.enum(['nothing', 'workspace', 'network']).exactOptional(),
  quotes: z.boolean().exactOptional(),
  runs: z.strictObject({argument: z.string(), language: z.enum(['shell', 'sql'])}).exactOptional(),
  risk: z.enum(['low', 'high']).exactOptional(),
  repeatability: z.enum(['once', 'repeatable']).exactOptional(),
  timeout_secs: z.int().min(1).max(maxSeconds).exactOptional(),
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w{0,199}$/, 'is not a name of an environment variable'))
    .max(50)
    .exactOptional(),
  working_dir: text(1_000).exactOptional(),
});

export type CustomParameter = z.infer<typeof parameter>;
export type CustomDefinition = z.infer<typeof definition>;

/** A custom tool, as a run records it: plain JSON. */
export type CustomTool = CustomDefinition & {readonly name: string};

export const customToolSchema = z.lazy(() =>
  definition.superRefine((given, context) => {
    for (const {path, message} of definitionProblems(given)) {
      context.addIssue({code: 'custom', path: [...path], message});
    }
  }),
);

export const customToolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'a name of a tool has 1 to 64 letters, digits, "_" or "-"')
  .refine((name) => isFreeName(name) && isOwnName(name), 'Quorate has a tool of this name');

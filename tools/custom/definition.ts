/** `[tools.NAME]` of the configuration: the schema of a custom tool. */

import {z} from 'zod';

import {didYouMean} from '../../machines/domain/nearest.ts';
import {argumentsIn, wholeArgument} from '../../machines/domain/program.ts';
import {patternProblem} from '../guardrails.ts';
import {maxSeconds} from '../run/quota.ts';

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

const parameterSchema = z.strictObject({
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
  parameters: z.record(parameterName, parameterSchema).exactOptional(),
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

export type CustomParameter = z.infer<typeof parameterSchema>;
type CustomDefinition = z.infer<typeof definition>;

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

// Checks that the parts of a custom tool's definition fit together.

export interface DefinitionProblem {
  /** Of the wrong value, below the definition. */
  readonly path: readonly (string | number)[];
  /** Follows the value. */
  readonly message: string;
}

/** Empty for a definition that fits together. */
function definitionProblems(given: CustomDefinition): readonly DefinitionProblem[] {
  return [
    ...commandProblems(given),
    ...placeProblems(given),
    ...Object.entries(given.parameters ?? {}).flatMap(([name, parameter]) =>
      parameterProblems(parameter, given, name).map(({path, message}) => {
        return {path: ['parameters', name, ...path], message};
      }),
    ),
    ...factProblems(given),
  ];
}

function commandProblems({command, parameters = {}}: CustomDefinition): DefinitionProblem[] {
  const names = Object.keys(parameters);
  const [program = '', ...words] = command;
  const isFixed = argumentsIn(program).length === 0 && /^[^-\s]/.test(program);
  const unfit = words.flatMap((word, at): DefinitionProblem[] => {
    const message = wordProblem(word, parameters, names);
    return message === undefined ? [] : [{path: ['command', at + 1], message}];
  });
  const problem = 'is not a program: the first entry is its name or path, without a parameter';
  return [...(isFixed ? [] : [{path: ['command', 0], message: problem}]), ...unfit];
}

function wordProblem(
  word: string,
  parameters: Readonly<Record<string, CustomParameter>>,
  names: readonly string[],
): string | undefined {
  const used = argumentsIn(word);
  const missing = used.find((name) => !names.includes(name));
  if (missing !== undefined) {
    return `names no parameter of the tool: {${missing}}${didYouMean(missing, names)}; for the text itself, write {{${missing}}}`;
  }
  const isPart = wholeArgument(word) === undefined;
  const list = used.find((name) => isPart && parameters[name]?.type === 'list');
  return list === undefined
    ? undefined
    : `contains the list {${list}}, which must be a whole entry`;
}

function placeProblems({working_dir: folder}: CustomDefinition): DefinitionProblem[] {
  const isPlain =
    folder === undefined ||
    (!folder.startsWith('/') && folder.split('/').every((part) => !/^\.{0,2}$/.test(part)));
  if (isPlain) return [];
  const message = 'is not a folder below the workspace: write it like tools/lint, without . and ..';
  return [{path: ['working_dir'], message}];
}

type Bound = 'min' | 'max' | 'pattern' | 'choices' | 'allows_dash';

/** The keys that only some types have. */
const boundsOf: Readonly<Record<CustomParameter['type'], readonly Bound[]>> = {
  string: ['min', 'max', 'pattern', 'allows_dash'],
  number: ['min', 'max', 'allows_dash'],
  integer: ['min', 'max', 'allows_dash'],
  boolean: [],
  choice: ['choices', 'allows_dash'],
  path: ['allows_dash'],
  list: ['min', 'max', 'pattern', 'allows_dash'],
};

const bounds: readonly Bound[] = ['min', 'max', 'pattern', 'choices', 'allows_dash'];

function parameterProblems(
  parameter: CustomParameter,
  {command}: CustomDefinition,
  name: string,
): DefinitionProblem[] {
  const {type, choices, pattern, min = -Infinity, max = Infinity} = parameter;
  const fits = boundsOf[type];
  const foreign = bounds.find((key) => parameter[key] !== undefined && !fits.includes(key));
  const fault = pattern === undefined ? undefined : patternProblem(pattern);
  const isUsed = command.some((word) => argumentsIn(word).includes(name));
  return [
    ...(foreign === undefined
      ? []
      : [{path: [foreign], message: `does not apply to a parameter of the type ${type}`}]),
    ...(type === 'choice' && !choices ? [{path: ['type'], message: 'needs choices = ["…"]'}] : []),
    ...(fault === undefined
      ? []
      : [{path: ['pattern'], message: `is not an RE2 pattern: ${fault}`}]),
    ...(min > max ? [{path: ['max'], message: `is less than min = ${min}`}] : []),
    ...dashProblems(parameter),
    ...(isUsed ? [] : [{path: [], message: `is in no entry of command: write {${name}} there`}]),
  ];
}

function dashProblems({choices = [], allows_dash: allows}: CustomParameter): DefinitionProblem[] {
  const at = choices.findIndex((choice) => choice.startsWith('-'));
  if (at < 0 || allows === true) return [];
  return [{path: ['choices', at], message: 'begins with "-": say allows_dash = true'}];
}

function factProblems(given: CustomDefinition): DefinitionProblem[] {
  const {parameters = {}, reads = [], writes = [], runs} = given;
  const paths = Object.keys(parameters).filter((name) => parameters[name]?.type === 'path');
  const texts = Object.keys(parameters).filter((name) => parameters[name]?.type === 'string');
  const wrong = (fact: string, names: readonly string[]): DefinitionProblem[] =>
    names.flatMap((name, at) =>
      paths.includes(name)
        ? []
        : [
            {
              path: [fact, at],
              message: `is not a parameter of the type path${didYouMean(name, paths)}`,
            },
          ],
    );
  return [
    ...wrong('reads', reads),
    ...wrong('writes', writes),
    ...(runs && !texts.includes(runs.argument)
      ? [{path: ['runs', 'argument'], message: 'is not a parameter of the type string'}]
      : []),
    ...riskProblems(given),
  ];
}

/** A call of low risk runs without a vote. */
function riskProblems({risk, writes = [], runs, reaches}: CustomDefinition): DefinitionProblem[] {
  if (risk !== 'low') return [];
  const why =
    writes.length > 0
      ? 'does not fit a tool that writes'
      : runs
        ? 'does not fit a tool that runs code of its caller'
        : reaches === undefined
          ? 'needs reaches = "nothing", "workspace" or "network": a missing fact means high risk'
          : undefined;
  return why === undefined ? [] : [{path: ['risk'], message: why}];
}

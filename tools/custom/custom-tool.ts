/** A tool of the configuration: its calls start a program without a shell, as `run_command` starts a command. */

import {z} from 'zod';

import type {Json, JsonObject} from '../../machines/domain/json.ts';
import {argumentsIn, type ProgramFact, wordsOf} from '../../machines/domain/program.ts';
import {matchesWhole} from '../guardrails.ts';
import type {RunCommandOptions} from '../run/perform.ts';
import {defaultSeconds} from '../run/quota.ts';
import {defineTool, type ToolDefinition} from '../tool.ts';
import type {CustomParameter, CustomTool} from './definition.ts';

export interface CustomToolOptions extends RunCommandOptions {
  /** The environment; a tool gets the variables in its `env`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The tool of a definition that its schema has accepted. */
export function createCustomTool(tool: CustomTool, options: CustomToolOptions): ToolDefinition {
  const {name, description, reaches, quotes, runs, repeatability = 'once', risk = 'high'} = tool;
  const {timeout_secs: seconds = defaultSeconds} = tool;
  const program = programOf(tool);
  const own = {...options, env: {...options.env, ...variablesOf(tool, options)}};
  const equipped = {tool, program, seconds, options: own};
  return defineTool<JsonObject>({
    name,
    description,
    parameters: z.lazy(() => argumentsOf(tool, program)),
    ...(reaches === undefined ? {} : {reaches}),
    ...(quotes === undefined ? {} : {quotes}),
    ...(runs ? {runs} : {}),
    reads: pathsOf(tool).filter((path) => isRead(path, tool)),
    writes: tool.writes ?? [],
    program,
    risk,
    repeatability,
    timeoutMs: (seconds + 10) * 1_000,
    run: async (args, context) => {
      const {performCustom} = await import('./perform-custom.ts');
      return await performCustom(equipped, args, context);
    },
    preview: async (args, context) => {
      const {previewCustom} = await import('./perform-custom.ts');
      return await previewCustom(equipped, args, context);
    },
  });
}

function programOf(tool: CustomTool): ProgramFact {
  const {command, working_dir: folder} = tool;
  const paths = pathsOf(tool);
  return {
    argv: command,
    ...(folder === undefined ? {} : {folder}),
    ...(paths.length === 0 ? {} : {paths}),
  };
}

function pathsOf({parameters = {}}: CustomTool): readonly string[] {
  return Object.keys(parameters).filter((name) => parameters[name]?.type === 'path');
}

/** A path that is not written may be read. */
function isRead(path: string, {reads = [], writes = []}: CustomTool): boolean {
  return reads.includes(path) || !writes.includes(path);
}

function variablesOf({env = []}: CustomTool, {variables}: CustomToolOptions) {
  const given = env.flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

// The arguments of a custom tool as a schema: what its definition says of each parameter, and no value that could be an option.

const maxText = 30_000;
const maxEntries = 1_000;

type Described = Omit<CustomTool, 'command'>;

/** Models see the schema as JSON Schema. It leaves links to the tool. */
function argumentsOf({parameters = {}}: Described, program: ProgramFact): z.ZodType<JsonObject> {
  const shape = Object.entries(parameters).map(([name, parameter]) => {
    const schema = schemas[parameter.type](parameter).describe(describe(name, parameter));
    return [name, parameter.required === true ? schema : schema.exactOptional()] as const;
  });
  const plain = z.strictObject(Object.fromEntries<z.ZodType<Json>>(shape));
  return plain.superRefine((given, context) => {
    for (const name of dashed(parameters, program, given)) {
      const message = 'begins with "-", which the program could take for an option';
      context.addIssue({code: 'custom', path: [name], message});
    }
  });
}

const schemas: Readonly<
  Record<CustomParameter['type'], (parameter: CustomParameter) => z.ZodType<Json>>
> = {
  string: ({pattern, min = 0, max = maxText}) => textOf(pattern).min(min).max(max),
  number: (parameter) => within(z.number(), parameter),
  integer: (parameter) => within(z.int(), parameter),
  boolean: () => z.boolean(),
  choice: ({choices = []}) => z.enum(choices),
  path: () =>
    z
      .string()
      .min(1)
      .max(4_096)
      .regex(/\S/, 'is blank')
      .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
        error: 'is not relative to the workspace: write it without a leading / and without ..',
      }),
  list: ({pattern, min = 0, max = maxEntries}) => z.array(textOf(pattern)).min(min).max(max),
};

function textOf(pattern: string | undefined): z.ZodString {
  const text = z
    .string()
    .max(maxText)
    .refine((value) => !value.includes('\0'), 'contains a NUL character');
  if (pattern === undefined) return text;
  return text.refine((value) => matchesWhole(pattern, value), `does not match ${pattern}`);
}

function within(
  number: z.ZodNumber,
  {min = -Number.MAX_VALUE, max = Number.MAX_VALUE}: CustomParameter,
): z.ZodNumber {
  return number.min(min).max(max);
}

function describe(name: string, {type, description = name, pattern}: CustomParameter): string {
  const place = type === 'path' ? ['Relative to the workspace.'] : [];
  const form = pattern === undefined ? [] : [`Matches ${pattern} (RE2) as a whole.`];
  return [description, ...place, ...form].join(' ');
}

/** The parameters whose values begin words with `-`, before the word `--`, and must not. */
function dashed(
  parameters: Readonly<Record<string, CustomParameter>>,
  program: ProgramFact,
  given: JsonObject,
): readonly string[] {
  const end = program.argv.indexOf('--');
  const options = end < 0 ? program.argv : program.argv.slice(0, end);
  return options.flatMap((word) => {
    if (!/^\{\w+\}/.test(word)) return [];
    if (!wordsOf(word, program, given).some((each) => each.startsWith('-'))) return [];
    const first = argumentsIn(word).find((name) => given[name] !== '') ?? '';
    return parameters[first]?.allows_dash === true ? [] : [first];
  });
}

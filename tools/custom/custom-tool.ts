/** A tool of the configuration: its calls start a program without a shell, as `run_command` starts a command. */

import {z} from 'zod';

import type {JsonObject} from '../../machines/domain/json.ts';
import type {ProgramFact} from '../../machines/domain/program/program.ts';
import type {RunCommandOptions} from '../run/perform.ts';
import {defaultSeconds} from '../run/quota.ts';
import {defineTool, type ToolDefinition} from '../tool.ts';
import {argumentsOf} from './arguments.ts';
import type {CustomTool} from './definition.ts';

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

/** The data sources of a run's tools. Stored with the run, so that a resumed run uses the same documents and database. */

import {resolve} from 'node:path';

import {builtInTools} from '../../tools/built-in.ts';
import {createCustomTool} from '../../tools/custom/custom-tool.ts';
import type {CustomTool} from '../../tools/custom/definition.ts';
import {createDatabase} from '../../tools/database/database.ts';
import {createFindTools} from '../../tools/find/find-tools.ts';
import {type CallServer, serverTools} from '../../tools/mcp/server-tools.ts';
import type {Launch, McpServer, ServerRecord} from '../../tools/mcp/server.ts';
import type {CommandOptions} from '../../tools/run/run-command.ts';
import type {Sandbox} from '../../tools/run/sandbox.ts';
import {withPlacesCheck} from '../../tools/run/with-places-check.ts';
import {createSearch} from '../../tools/search/search.ts';
import {spawnTools} from '../../tools/spawn/spawn.ts';
import {checkArgumentNames} from '../../tools/tool.ts';
import {type AnyTool, createToolbox, type Toolbox} from '../../tools/toolbox.ts';
import {createWebFetch} from '../../tools/web/web-fetch.ts';
import type {Config} from '../config/schema.ts';
import {camelKeys} from '../config/sections/row.ts';

/** Plain JSON. */
export interface Tooling {
  /** Its run works in no folder: only tools that reach none. */
  readonly isPlaceless?: true;
  readonly search: {readonly paths: readonly string[]; readonly topK: number};
  /** Absent: no database. Paths are absolute; `within` is the workspace. */
  readonly database?: {
    readonly path: string;
    readonly within?: string;
    readonly maxRows: number;
  };
  /** Absent: no web access. */
  readonly web?: {readonly allowPrivate: boolean};
  /** The tools of MCP servers as they were when the run was opened. Absent: none. */
  readonly servers?: readonly ServerRecord[];
  /** `[tools.NAME]`. Absent: none. */
  readonly custom?: readonly CustomTool[];
  /** The budget of a request for definitions of tools; beyond it they are deferred. Absent: none. */
  readonly maxSchemaTokens?: number;
}

export function toolingOf(
  {agent, search, database, web, tools}: Config,
  workspace: string,
  servers: readonly ServerRecord[] = [],
): Tooling {
  const shared = {
    search: {paths: search.paths, topK: search.top_k},
    ...(web.enabled ? {web: {allowPrivate: web.allow_private}} : {}),
    maxSchemaTokens: agent.max_tool_schema_tokens,
  };
  if (workspace === '') return {isPlaceless: true, ...shared};
  const path = resolve(workspace, database.path);
  const custom = Object.entries(tools).map(([name, tool]) => Object.assign({name}, tool));
  return {
    ...shared,
    ...(database.path === ''
      ? {}
      : {database: {path, within: workspace, maxRows: database.max_rows}}),
    ...(servers.length > 0 ? {servers} : {}),
    ...(custom.length === 0 ? {} : {custom}),
  };
}

export interface ToolboxOptions {
  readonly sandbox: Sandbox;
  readonly commands?: CommandOptions;
  /** The environment, from which custom tools get the variables that they name. Absent: empty. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly extra: readonly AnyTool[];
  /** Calls a tool of an MCP server. Absent: there are none. */
  readonly callServer?: CallServer;
}

/** Throws AppError `config` for invalid globs and for duplicate tool names. */
export function toolboxFor(tooling: Tooling, options: ToolboxOptions): Toolbox {
  const {search, database, web, servers = [], custom = [], maxSchemaTokens: maxTokens} = tooling;
  const {sandbox, commands, variables = {}, extra, callServer} = options;
  const ofServers = callServer ? serverTools(servers, callServer) : [];
  const tools: AnyTool[] = [
    ...builtInTools(sandbox, commands),
    createSearch(search),
    ...(database ? [createDatabase(database)] : []),
    ...(web ? [createWebFetch(web)] : []),
    ...inGroup('that start other interactions', spawnTools).map((tool) =>
      Object.assign(tool, {isSeldomUsed: true as const}),
    ),
    ...inGroup(
      'of the configuration',
      custom.map((tool) => createCustomTool(tool, {sandbox, ...commands, variables})),
    ),
    ...inGroup('of the program', extra.map(withPlacesCheck)),
    ...ofServers.flatMap(({server, tool}) =>
      inGroup(`of the MCP server ${server}`, [withPlacesCheck(tool)]),
    ),
    ...(maxTokens === undefined
      ? []
      : [createFindTools({maxTokens, offered: async (name) => await toolbox.offered(name)})]),
  ];
  const toolbox = createToolbox(tooling.isPlaceless ? tools.filter(needsNoFolder) : tools);
  return toolbox;
}

function needsNoFolder({reaches = 'workspace', runs, program}: AnyTool): boolean {
  return reaches !== 'workspace' && !runs && !program;
}

/** The definitions of a group may be deferred; see tools/find/. */
function inGroup(group: string, tools: readonly AnyTool[]): AnyTool[] {
  return tools.map((tool) => ({...tool, group}));
}

/** Throws AppError `config` if a program's own tool has an unusable name, or a fact that names no argument. */
export function checkOwnTools(
  extra: readonly AnyTool[] | undefined,
  tooling: Tooling,
  sandbox: Sandbox,
): void {
  if (!extra) return;
  for (const tool of extra) checkArgumentNames(tool);
  toolboxFor(tooling, {sandbox, extra});
}

/** A question is answered with tools of low risk only; a tool that changes nothing may be high by default. */
export function leftOutWarnings(extra: readonly AnyTool[]): readonly string[] {
  const names = extra
    .filter(({risk, writes, runs, spawns}) => risk === 'high' && !writes && !runs && !spawns)
    .map(({name}) => name);
  if (names.length === 0) return [];
  return [
    `not offered to a question, because their risk is high: ${names.join(', ')}; a tool that only reads is defined with risk: 'low'`,
  ];
}

// The MCP servers of the configuration, with the values of their variables.

type Environment = Readonly<Record<string, string | undefined>>;

/** A server with a variable that is not set is in the list, but can't be started. */
export function configuredServers({mcp}: Config, env: Environment): readonly McpServer[] {
  return Object.entries(mcp).map(([name, given]) => {
    const {trusted, timeoutMs} = camelKeys(given);
    return {name, origin: `mcp.${name}`, trusted, timeoutMs, launch: launchOf(given, env)};
  });
}

function launchOf(given: Config['mcp'][string], env: Environment): Launch {
  const {command = '', args, env: names, cwd, network, url, headersEnv} = camelKeys(given);
  const needed = url === undefined ? names : Object.values(headersEnv);
  const unset = needed.filter((name) => env[name] === undefined || env[name] === '');
  if (unset.length > 0) {
    return {kind: 'refused', why: `the environment variable ${unset.join(', ')} is not set`};
  }
  const filled = (pairs: readonly (readonly [string, string])[]): Record<string, string> =>
    Object.fromEntries(pairs.map(([name, variable]) => [name, env[variable] ?? '']));
  return url === undefined
    ? {
        kind: 'stdio',
        command,
        args,
        env: filled(names.map((name) => [name, name])),
        ...(cwd === undefined ? {} : {cwd, network}),
      }
    : {kind: 'http', url, headers: filled(Object.entries(headersEnv))};
}

/** Every tool that a run of this folder could call, with its source and its state; and the MCP servers. */

import {join, resolve} from 'node:path';

import {configuredServers, toolboxFor, toolingOf} from '../../actors/performers/tooling.ts';
import {factsOf, type ToolFacts} from '../../machines/domain/tool-facts.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {Grade} from '../../tools/mcp/server-start.ts';
import {serverTools} from '../../tools/mcp/server-tools.ts';
import type {McpServer} from '../../tools/mcp/server.ts';
import {
  createMcpServers,
  type McpServers,
  type ServerState,
  type ServerStatus,
} from '../../tools/mcp/servers.ts';
import {createSandbox} from '../../tools/run/sandbox.ts';
import type {AnyTool} from '../../tools/toolbox.ts';
import type {LoadedConfig} from '../config/load.ts';
import {type FolderServers, folderServers} from '../config/mcp-file.ts';
import {dataFolder} from '../config/paths.ts';
import type {Environment} from '../terminal.ts';
import {type DefinitionTokens, definitionTokens} from './definition-tokens.ts';

export interface SurveyedTool extends ToolFacts {
  readonly name: string;
  readonly source: 'builtIn' | 'custom' | 'server';
  /** Of a tool of an MCP server. */
  readonly server?: string;
  readonly description: string;
  readonly risk: ToolInfo['risk'];
  readonly repeatability: ToolInfo['repeatability'];
  /** `overLimit`: the servers have more tools than are offered to a run. */
  readonly state: ToolState;
}

export type ToolState = 'offered' | 'overLimit' | 'changed';

export interface SurveyedServer {
  readonly name: string;
  /** `.mcp.json`, or the section of the configuration. */
  readonly origin: string;
  readonly trusted: boolean;
  readonly state: ServerState | 'untrustedFolder';
  readonly detail: string;
  /** Their number, if they are known. */
  readonly tools: number;
  readonly omitted: readonly string[];
  /** How a server with a process would start now. Absent: it has none, or must not start. */
  readonly grade?: Grade;
}

export interface ToolSurvey {
  readonly tools: readonly SurveyedTool[];
  readonly servers: readonly SurveyedServer[];
  readonly definitionTokens?: DefinitionTokens;
  /** Of the server that was trusted just now. Absent: no server was to be trusted, or it does not exist. */
  readonly trusted?: readonly string[];
}

export interface SurveyOptions {
  readonly loaded: LoadedConfig;
  /** Absolute. */
  readonly folder: string;
  readonly env: Environment;
  /** Starts all servers and compares their tools with the pins. */
  readonly starts: boolean;
  /** The server to trust with its tools as they are now. */
  readonly trust: string | undefined;
}

/** Throws AppError `config`, as a run would. */
export async function surveyTools(options: SurveyOptions): Promise<ToolSurvey> {
  const {loaded, folder, env, starts, trust} = options;
  const {config} = loaded;
  const inFolder = await folderServers(folder, env);
  const own = configuredServers(config, env);
  const servers = createMcpServers({
    servers: [...own, ...(inFolder.isTrusted ? inFolder.servers : [])],
    workspace: folder,
    sandbox: config.sandbox,
    pinFolder: join(dataFolder(env), 'mcp'),
  });
  if (starts) await servers.startAll();
  const trusted = trust === undefined ? undefined : await servers.trust(trust);
  const statuses = servers.statuses();
  const grades = await servers.grades();
  const tooling = toolingOf(config, resolve(folder, config.agent.working_dir));
  const sandbox = createSandbox(config.sandbox);
  const toolbox = toolboxFor(tooling, {sandbox, extra: []});
  const tokens = await definitionTokens(
    toolboxFor(
      {...tooling, servers: servers.offered()},
      {sandbox, extra: [], callServer: servers.call},
    ),
    config.agent.max_tool_schema_tokens,
  );
  const isCustom = new Set(Object.keys(config.tools));
  return {
    tools: [
      ...toolbox
        .list()
        .map((tool) => surveyed(tool, isCustom.has(tool.name) ? 'custom' : 'builtIn')),
      ...toolsOfServers(statuses, servers),
    ],
    servers: [
      ...statuses.map((status) => toServer(status, grades.get(status.name))),
      ...(inFolder.isTrusted ? [] : untrustedServers(inFolder.servers, own)),
    ],
    ...(tokens ? {definitionTokens: tokens} : {}),
    ...(trusted ? {trusted} : {}),
  };
}

function surveyed(
  tool: AnyTool,
  source: SurveyedTool['source'],
  state: ToolState = 'offered',
): SurveyedTool {
  const {name, description, risk, repeatability} = tool;
  return {name, source, state, description, risk, repeatability, ...factsOf(tool)};
}

/** Of a server whose tools have changed: those of now. */
function toolsOfServers(
  statuses: readonly ServerStatus[],
  {offered, call}: McpServers,
): SurveyedTool[] {
  const taken = new Set(serverTools(offered(), call).map(({tool}) => tool.name));
  const known = statuses.flatMap(({record, seen}) =>
    record ? [Object.assign({}, record, {set: seen ?? record.set})] : [],
  );
  const changed = new Set(statuses.flatMap(({name, state}) => (state === 'changed' ? [name] : [])));
  return serverTools(known, call).map(({server, tool}) => {
    const state = changed.has(server) ? 'changed' : taken.has(tool.name) ? 'offered' : 'overLimit';
    return Object.assign({server}, surveyed(tool, 'server', state));
  });
}

function toServer(
  {name, origin, trusted, state, detail, omitted, ...known}: ServerStatus,
  grade: Grade | undefined,
): SurveyedServer {
  const tools = (known.seen ?? known.record?.set)?.tools.length ?? 0;
  return {name, origin, trusted, state, detail, tools, omitted, ...(grade ? {grade} : {})};
}

function untrustedServers(
  servers: FolderServers['servers'],
  own: readonly McpServer[],
): SurveyedServer[] {
  const isOwn = new Set(own.map(({name}) => name));
  return servers
    .filter(({name}) => !isOwn.has(name))
    .map(({name, origin}) => ({
      name,
      origin,
      trusted: false,
      state: 'untrustedFolder',
      detail: '',
      tools: 0,
      omitted: [],
    }));
}

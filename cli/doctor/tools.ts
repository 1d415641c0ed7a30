/** quorate doctor tools: every tool that a run of this folder could call, with its source and state, and its MCP servers; surveyed, and as tables. */

import {join, resolve} from 'node:path';

import {createOffers} from '../../actors/performers/offers.ts';
import {configuredServers, toolboxFor, toolingOf} from '../../actors/performers/tooling.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {factsOf, type ToolFacts} from '../../machines/domain/tool-facts.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import {type Message, t} from '../../machines/message.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import {sumOfTokens} from '../../tools/find/find-tools.ts';
import type {Toolbox} from '../../tools/index.ts';
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
import {folderServers, type FolderServers} from '../config/mcp-file.ts';
import {dataFolder} from '../config/paths.ts';
import {type Reader, say} from '../language.ts';
import {meant, usageError} from '../line/usage-error.ts';
import type {Report} from '../render/report.ts';
import type {PageView, Style} from '../render/style.ts';
import {tableLines} from '../render/tables/table.ts';
import {oneLine} from '../render/text.ts';
import type {Environment, Terminal} from '../terminal.ts';

interface ToolsWanted {
  readonly loaded: LoadedConfig;
  /** Absolute. */
  readonly folder: string;
  /** The server whose texts are shown. */
  readonly named: string | undefined;
  /** `trust`: the server to trust. */
  readonly options: {readonly start: boolean; readonly trust: string | undefined};
  readonly terminal: Terminal;
}

/** Rejects with AppError `usage` for an unknown server, and with `config`. */
export async function toolsReport({
  loaded,
  folder,
  named,
  options: {start: starts, trust},
  terminal,
}: ToolsWanted): Promise<Report> {
  const survey = await surveyTools({loaded, folder, env: terminal.env, starts, trust});
  const [server] = [trust, named].flatMap((name) => name ?? []).map(inSurvey(survey));
  if (server && trust !== undefined) requireTrusted(server);
  const own = survey.tools.filter((tool) => server !== undefined && tool.server === server.name);
  const head = server && trust !== undefined ? [trustedLine(server, survey, terminal), ''] : [];
  return {
    data: survey,
    lines: (view) => [
      ...head,
      ...(server ? serverDetailLines(server, own, view) : toolsLines(survey, view)),
    ],
  };
}

function trustedLine({name}: SurveyedServer, {trusted = []}: ToolSurvey, reader: Reader): string {
  const changes = trusted.join(', ');
  const text = t`${name} is trusted with its tools as they are now${changes === '' ? '' : `: ${changes}`}`;
  return oneLine(say(text, reader), 2_000);
}

/** Throws AppError `usage` for a server that does not exist. */
function inSurvey({servers}: ToolSurvey): (name: string) => SurveyedServer {
  return (name) => {
    const server = servers.find((each) => each.name === name);
    if (server) return server;
    const names = servers.map((each) => each.name);
    const hint = meant(name, names);
    const shown = oneLine(name, 100);
    throw usageError(t`there is no MCP server "${shown}"${hint}`);
  };
}

function requireTrusted({name, state, detail}: SurveyedServer): void {
  if (state === 'offered') return;
  throw notTrusted(
    oneLine(name, 100),
    state === 'untrustedFolder' ? 'its folder is not trusted; quorate config --trust' : detail,
  );
}

function notTrusted(name: string, why: string): AppError {
  return new AppError(
    'config',
    t`nothing was trusted: the server ${name} could not be started: ${why}`,
  );
}

// Every tool that a run of this folder could call, with its source and its state; and the MCP servers.

interface SurveyedTool extends ToolFacts {
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

type ToolState = 'offered' | 'overLimit' | 'changed';

interface SurveyedServer {
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

interface SurveyOptions {
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
async function surveyTools(options: SurveyOptions): Promise<ToolSurvey> {
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

// The size of the definitions of tools in the requests of a worker, in estimated tokens.

interface DefinitionTokens {
  /** Of all tools. */
  readonly all: number;
  /** In a request, before the model has found others. */
  readonly sent: number;
}

/** Undefined if a tool can't be used as it is configured, such as a missing database. */
async function definitionTokens(
  toolbox: Toolbox,
  budget: number,
): Promise<DefinitionTokens | undefined> {
  const names = toolbox.list().map(({name}) => name);
  const others = toolbox.list().filter(({finds}) => finds === undefined);
  const prepare = createOffers(toolbox, budget);
  try {
    const all = await Promise.all(others.map(async ({name}) => await toolbox.offered(name)));
    const {tools} = await prepare({
      purpose: 'act',
      model: '',
      system: '',
      transcript: openTranscript(''),
      tools: names,
      toolChoice: 'auto',
      maxOutputTokens: 0,
    });
    return {all: sumOfTokens(all.filter((tool) => tool !== undefined)), sent: sumOfTokens(tools)};
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

// The tools of a folder and its MCP servers as tables, or one server with the texts of its tools.

const sources = {builtIn: t`built in{:tool}`, custom: t`quorate.toml`, server: t`server`};
const risks = {low: t`low`, high: t`high`};
const toolStates = {overLimit: t`not offered: too many`, changed: t`not offered: changed`};
const toolTitles = [t`TOOL`, t`FROM`, t`RISK`, t`EFFECTS`, t``];
const states = {
  offered: t`offered`,
  new: t`not started yet`,
  changed: t`changed`,
  damaged: t`record damaged`,
  unreachable: t`unreachable{:server}`,
  needsToken: t`needs a token`,
  refused: t`unusable`,
  untrustedFolder: t`untrusted folder`,
};
const serverTitles = [t`SERVER`, t`FROM`, t`STATE`, t`TOOLS`, t`CONFINED`, t``];
const reached = {nothing: t`reaches nothing`, workspace: t`workspace`, network: t`network`};

function toolsLines(
  {tools, servers, definitionTokens: tokens}: ToolSurvey,
  view: PageView,
): string[] {
  const {style, width} = view;
  const rows = tools.map((tool) => [
    tool.name,
    tool.server ?? say(sources[tool.source], style),
    say(risks[tool.risk], style),
    effectsOf(tool, style),
    tool.state === 'offered' ? '' : say(toolStates[tool.state], style),
  ]);
  return [
    ...tableLines(toolTitles, rows, style, width),
    ...(tokens ? ['', tokensLine(tokens, style)] : []),
    ...(servers.length > 0 ? ['', ...serverLines(servers, view)] : []),
  ];
}

function tokensLine({all, sent}: DefinitionTokens, style: Style): string {
  return say(
    t`A request of a worker begins with ${sent.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} tokens of definitions (estimated). The model finds the other tools with find_tools.`,
    style,
  );
}

function serverLines(servers: readonly SurveyedServer[], {style, width}: PageView): string[] {
  const rows = servers.map((server) => [
    server.name,
    server.origin,
    say(states[server.state], style),
    server.tools === 0 ? '' : String(server.tools),
    gradeOf(server, style),
    noteOf(server, style),
  ]);
  const omitted = servers.flatMap(({name, omitted: left}) =>
    left.map((why) => oneLine(say(t`  left out of ${name}: ${why}`, style), 300)),
  );
  return [...tableLines(serverTitles, rows, style, width), ...omitted];
}

function gradeOf({grade}: SurveyedServer, style: Style): string {
  if (grade === undefined || grade.kind === 'refused') return '';
  return grade.kind === 'confined' ? grade.by : say(t`no`, style);
}

function noteOf(server: SurveyedServer, style: Style): string {
  const {name, state, detail} = server;
  return [detail, say(todoText(state, JSON.stringify(name)), style), gradeNote(server, style)]
    .filter((text) => text !== '')
    .join('; ');
}

/** The command for the next step. */
function todoText(state: SurveyedServer['state'], name: string): Message {
  const trust = `quorate doctor tools --trust ${name}`;
  if (state === 'new')
    return t`the next run starts it; quorate doctor tools --start shows its tools now`;
  if (state === 'changed') return t`read: quorate doctor tools ${name}; then: ${trust}`;
  if (state === 'damaged') return t`${trust}`;
  return state === 'untrustedFolder' ? t`${'quorate config --trust'}` : t``;
}

/** Without the reason that the server itself has reported. */
function gradeNote({grade, detail}: SurveyedServer, style: Style): string {
  if (grade === undefined || grade.kind === 'elsewhere') return '';
  if (grade.kind === 'refused')
    return detail === '' ? say(t`does not start: ${grade.why}`, style) : '';
  if (grade.kind === 'unconfined')
    return say(t`runs code of the folder unconfined: ${grade.why}`, style);
  const {network, unknownFile} = grade;
  if (unknownFile !== undefined)
    return say(t`no network, as it may run ${unknownFile}, which git does not know`, style);
  return network.length > 0
    ? say(t`network: only ${network.join(', ')}`, style)
    : say(t`no network`, style);
}

/** A server with the texts of its tools, for a person who may trust it. */
function serverDetailLines(
  server: SurveyedServer,
  tools: readonly SurveyedTool[],
  view: PageView,
): string[] {
  const {style} = view;
  return [
    ...serverLines([server], view),
    ...tools.flatMap((tool) => [
      '',
      `${style.bold(oneLine(tool.name))}  ${say(risks[tool.risk], style)}, ${effectsOf(tool, style)}`,
      ...tool.description.split('\n').map((line) => `  ${oneLine(line, 1_000)}`),
    ]),
  ];
}

function effectsOf(tool: SurveyedTool, style: Style): string {
  const {reaches, reads, lists, writes, runs, spawns, quotes} = tool;
  return [
    ...(reads || lists ? [say(t`reads files`, style)] : []),
    ...(writes ? [say(t`writes files`, style)] : []),
    ...(runs ? [say(t`runs code`, style)] : []),
    ...(spawns ? [say(t`spawns`, style)] : []),
    reaches === undefined ? say(t`effects not stated`, style) : say(reached[reaches], style),
    ...(quotes === false ? [] : [say(t`texts of others`, style)]),
  ].join(', ');
}

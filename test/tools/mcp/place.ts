/** MCP servers of a test: what they do is in files, their tools are pinned in a temporary folder. */

import {mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {onTestFinished} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {createToolbox, type Toolbox, type ToolContext} from '../../../tools/index.ts';
import {serverTools} from '../../../tools/mcp/server-tools.ts';
import type {Launch, McpServer, ServerRecord} from '../../../tools/mcp/server.ts';
import {createMcpServers, type McpServers} from '../../../tools/mcp/servers.ts';
import type {SandboxOptions} from '../../../tools/run/sandbox.ts';
import type {Behaviour} from '../../fixtures/mcp/by-hand.ts';

export interface McpPlace {
  readonly folder: string;
  /** Process groups that were started by calls. */
  readonly groups: number[];
  /** What servers printed to their standard error. */
  readonly output: string[];
  readonly progress: string[];
  /** A server that is written by hand; its behaviour can be written again. */
  readonly byHand: (behaviour: Behaviour, name?: string) => McpServer;
  /** The requests of a server that is written by hand, in order. */
  readonly requests: (name?: string) => string[];
  /** Servers of a new process: only the pins are known. */
  readonly open: (...servers: readonly McpServer[]) => McpServers;
  /** A call in a run that was opened with these records. */
  readonly call: (
    servers: McpServers,
    tool: string,
    args?: JsonObject,
    options?: {
      readonly records?: readonly ServerRecord[];
    } & Partial<ToolContext>,
  ) => Promise<ToolOutcome>;
}

export const pinsOf = (folder: string): string => join(folder, 'pins');

/** A tool as a server lists it. */
export function listed(name: string, more: JsonObject = {}): JsonObject {
  return {name, description: `The tool ${name}.`, inputSchema: {type: 'object'}, ...more};
}

export function createMcpPlace(sandbox: SandboxOptions = {mode: 'off'}): McpPlace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-')));
  const [groups, output, progress]: [number[], string[], string[]] = [[], [], []];
  const opened: McpServers[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map(async (servers) => await servers.end()));
    rmSync(folder, {recursive: true, force: true});
  });
  const logOf = (name: string): string => join(folder, `${name}.log`);
  const byHand: McpPlace['byHand'] = (behaviour, name = 'hand') => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({log: logOf(name), ...behaviour}));
    const script = join(import.meta.dirname, '../../fixtures/mcp/by-hand.ts');
    return serverOf(name, {
      kind: 'stdio',
      command: process.execPath,
      args: [script, file],
      env: {},
    });
  };
  const open: McpPlace['open'] = (...servers) => {
    const made = createMcpServers({
      servers,
      workspace: folder,
      sandbox,
      pinFolder: pinsOf(folder),
      onOutput: (server, text) => void output.push(`${server}: ${text}`),
    });
    opened.push(made);
    return made;
  };
  const call: McpPlace['call'] = async (servers, tool, args = {}, {records, ...more} = {}) => {
    const context = {
      run: 'r1',
      workspace: folder,
      signal: new AbortController().signal,
      recovering: false,
      onChild: (group: number) => void groups.push(group),
      onOutput: (text: string) => void progress.push(text),
      ...more,
    };
    const request = {tool, args, workspace: folder, repeatability: 'once'} as const;
    return await toolboxOf(servers, records).run(request, context);
  };
  const requests = (name = 'hand'): string[] =>
    readFileSync(logOf(name), 'utf8').trim().split('\n');
  return {folder, groups, output, progress, byHand, requests, open, call};
}

export function serverOf(name: string, launch: Launch, trusted = false): McpServer {
  return {name, origin: 'a test', trusted, timeoutMs: 20_000, launch};
}

export function toolboxOf(
  servers: McpServers,
  records: readonly ServerRecord[] = servers.offered(),
): Toolbox {
  return createToolbox(serverTools(records, servers.call).map(({tool}) => tool));
}

export function namesOf(servers: McpServers): string[] {
  return toolboxOf(servers)
    .list()
    .map(({name}) => name);
}

/** MCP servers as people configure them, and the tools of a server as they are pinned and recorded with a run. */

import {hashOf} from '../../machines/domain/digest.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {escapeLine} from '../escape.ts';

export interface McpServer {
  readonly name: string;
  /** The file or setting that names it, for people. */
  readonly origin: string;
  /** Its annotations may lower the risk of its tools. */
  readonly trusted: boolean;
  /** Of one call, in ms. */
  readonly timeoutMs: number;
  readonly launch: Launch;
}

export interface StdioLaunch {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that every server receives. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, or `workspace`: the folder of the run. Absent: an empty folder of its own. */
  readonly cwd?: string;
  /** Files of a trusted folder that its row names: it is started only while they are unchanged. */
  readonly files?: readonly NamedFile[];
  /** Hosts that it reaches if it is confined: `example.com:443`. Absent: none. */
  readonly network?: readonly string[];
}

export type Launch =
  | StdioLaunch
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** It can't be started; a clause. */
  | {readonly kind: 'refused'; readonly why: string};

export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
}

/** A tool as its server describes it, safe to show and within limits. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: JsonObject;
  readonly readOnly?: boolean;
  readonly idempotent?: boolean;
  /** False: it reaches nothing outside this machine. */
  readonly openWorld?: boolean;
}

export interface ToolSet {
  /** Sorted by name. */
  readonly tools: readonly ServerTool[];
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
}

/** Plain JSON, recorded with each run that the tools are offered to. */
export interface ServerRecord {
  readonly name: string;
  /** Identifies the server by its command or its address, not only by its name. */
  readonly key: string;
  readonly trusted: boolean;
  readonly timeoutMs: number;
  readonly set: ToolSet;
}

/** Values of variables and headers are not part of the key: a new token is not a new server. */
export function keyOf({name, launch}: McpServer): string {
  if (launch.kind === 'refused') return hashOf({name});
  const {kind} = launch;
  if (kind === 'http') return hashOf({name, kind, url: launch.url});
  const {command, args, cwd = ''} = launch;
  return hashOf({name, kind, command, args, cwd});
}

/** The request of a call. Without `uri` or `name`: a list. */
export type ServerRequest =
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly args: JsonObject;
      readonly schema: JsonObject;
    }
  | {readonly kind: 'resource'; readonly uri?: string | undefined}
  | {
      readonly kind: 'prompt';
      readonly name?: string | undefined;
      readonly args?: Readonly<Record<string, string>> | undefined;
    };

/** Carries a fault of a server to the call, or to the survey, that it belongs to. Never leaves tools/mcp/. */
export class ServerFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type FaultCode =
  | 'server_missing'
  | 'server_unreachable'
  /** The machine is short of something, so that the server was not started. */
  | 'shortage'
  | 'server_ended'
  | 'server_fault'
  | 'needs_oauth'
  | 'tools_changed'
  | 'needs_person';

// Advice to a person about a server that can't be used.

/** One sentence, without its end. */
export function oauthRemedy(name: string, server: McpServer | undefined): string {
  const {launch} = server ?? {};
  const hasHeaders = launch?.kind === 'http' && Object.keys(launch.headers).length > 0;
  const shown = escapeLine(name);
  return hasHeaders
    ? `the MCP server ${shown} refused the authorization in its headers; check the token`
    : `the MCP server ${shown} requires authorization; signing in by OAuth is not supported: put a token into an environment variable, and name that in headers_env of the server ("headers" in .mcp.json)`;
}

/**
 * The MCP servers of a runtime: the tools that they offer to new runs, pinned as a set, and their state. A server is started
 * when its tools are not known yet, or by the first call of a run.
 */

import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {z} from 'zod';

import {hashOf} from '../../machines/domain/digest.ts';
import {asJson, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {errorCode} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import type {SandboxOptions} from '../run/sandbox.ts';
import type {ReadListing} from './listing.ts';
import type {Grade, StartGround} from './server-start.ts';
import type {CallServer} from './server-tools.ts';
import {keyOf, type McpServer, oauthRemedy, type ServerRecord, type ToolSet} from './server.ts';
import type {SessionDeps, Sessions} from './sessions.ts';

/** Of all servers together: their definitions are recorded with each run. */
const maxOffered = 2_000;

export type ServerState =
  | 'offered'
  /** It was not started yet. */
  | 'new'
  /** Its tools differ from the pin. */
  | 'changed'
  /** The pin can't be read. */
  | 'damaged'
  | 'unreachable'
  | 'needsToken'
  /** It can't be started as it is configured. */
  | 'refused';

export interface ServerStatus {
  readonly name: string;
  readonly origin: string;
  readonly trusted: boolean;
  readonly state: ServerState;
  /** The reason or the changes; empty if there is nothing to say. English. */
  readonly detail: string;
  /** Clauses, one for each tool that its server lists and that can't be used. */
  readonly omitted: readonly string[];
  /** As they are pinned. Absent: it is not known yet. */
  readonly record?: ServerRecord;
  /** Its tools when it last ran, if they differ from the pin. */
  readonly seen?: ToolSet;
}

export interface McpServers {
  /** The servers whose tools a new run is offered. Plain JSON. */
  readonly offered: () => readonly ServerRecord[];
  /** By name. Nothing is started. */
  readonly statuses: () => readonly ServerStatus[];
  /** How servers with a process would start now, by name. Nothing is started, except the trial of a sandbox. */
  readonly grades: () => Promise<ReadonlyMap<string, Grade>>;
  /** Starts servers that are not known yet, once, and pins their tools. Never rejects. */
  readonly ready: (workspace?: string) => Promise<void>;
  /** Starts all servers, and compares their tools with the pins. Never rejects. */
  readonly startAll: () => Promise<void>;
  /** Starts a server and pins its tools as they are now. Undefined if there is no such server; otherwise what has changed. */
  readonly trust: (name: string) => Promise<readonly string[] | undefined>;
  /** One sentence for each server that is not offered, or not as a whole. */
  readonly warnings: () => readonly string[];
  readonly call: CallServer;
  /** Ends the servers of a run, or of all runs. */
  readonly end: (run?: string) => Promise<void>;
}

interface McpOptions {
  /** Of two of the same name, the first counts. */
  readonly servers: readonly McpServer[];
  /** Absolute: the folder whose programs are not started. Absent: that of the process, or as `ready` names it. */
  readonly workspace?: string | undefined;
  /** How servers that run code of the workspace are confined. Absent: where it is possible. */
  readonly sandbox?: SandboxOptions;
  /** Absent: pins last as long as the runtime. */
  readonly pinFolder?: string | undefined;
  /** Receives what servers print to their standard error, up to a limit. */
  readonly onOutput?: ((server: string, text: string) => void) | undefined;
}

type Problem = Pick<ServerStatus, 'state' | 'detail'>;

/** Reads and starts nothing yet. */
export function createMcpServers({
  servers,
  workspace: given = process.cwd(),
  sandbox = {mode: 'auto'},
  pinFolder,
  onOutput = () => {},
}: McpOptions): McpServers {
  const pins = createPins(pinFolder);
  const known = new Map(servers.toReversed().map((server) => [server.name, server]));
  /** Found by this process, by the name of the server. */
  const problems = new Map<string, Problem>();
  let workspace = given;
  let tried: Promise<void> | undefined;

  const statuses = (): ServerStatus[] =>
    [...known.values()]
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((server) => statusOf(server, pins.read(keyOf(server)), problems.get(server.name)));
  const start = async (server: McpServer, isTrusted: boolean): Promise<readonly string[]> => {
    const {startServerOnce} = await import('./sessions.ts');
    const result = await startServerOnce(server, {pins, workspace, sandbox, isTrusted, onOutput});
    if (result.kind === 'known') {
      problems.delete(server.name);
      return result.changes;
    }
    const detail = result.kind === 'needsToken' ? oauthRemedy(server.name, server) : result.why;
    problems.set(server.name, {state: result.kind, detail});
    return [];
  };
  const startThese = async (states: readonly ServerState[]): Promise<void> => {
    const wanted = statuses().filter(({state}) => states.includes(state));
    await Promise.all(
      wanted.map(async ({name}) => {
        const server = known.get(name);
        if (server) await start(server, false);
      }),
    );
  };
  return {
    offered: () => withinLimit(recordsIn(statuses())),
    statuses,
    grades: async () => await gradesOf([...known.values()], {workspace, sandbox}),
    ready: async (folder = workspace) => {
      workspace = folder;
      await (tried ??= startThese(['new']));
    },
    startAll: async () =>
      await startThese(['offered', 'new', 'changed', 'unreachable', 'needsToken']),
    trust: async (name) => {
      const server = known.get(name);
      return server && (await start(server, true));
    },
    warnings: () => warningsOf(statuses()),
    ...createLateSessions([...known.values()], {pins, sandbox, onOutput}),
  };
}

async function gradesOf(
  servers: readonly McpServer[],
  ground: StartGround,
): Promise<ReadonlyMap<string, Grade>> {
  const {planStart} = await import('./server-start.ts');
  const all = servers.map(async ({name, launch}) =>
    launch.kind === 'stdio' ? [[name, (await planStart(launch, ground)).grade] as const] : [],
  );
  return new Map((await Promise.all(all)).flat());
}

/** Loaded by the first call. */
function createLateSessions(
  servers: readonly McpServer[],
  deps: SessionDeps,
): Pick<McpServers, 'call' | 'end'> {
  const byKey = new Map(servers.map((server) => [keyOf(server), server]));
  let sessions: Promise<Sessions> | undefined;
  const load = async (): Promise<Sessions> => {
    const {createSessions} = await import('./sessions.ts');
    return createSessions(deps);
  };
  return {
    call: async (record, request, context) => {
      const {call} = await (sessions ??= load());
      return await call(byKey.get(record.key), {record, request}, context);
    },
    end: async (run) => await (await sessions)?.end(run),
  };
}

function statusOf(
  server: McpServer,
  pin: Pin | 'damaged' | undefined,
  problem: Problem | undefined,
): ServerStatus {
  const {name, origin, trusted, timeoutMs, launch} = server;
  const shared = {name, origin, trusted, omitted: []};
  if (launch.kind === 'refused') return {...shared, state: 'refused', detail: launch.why};
  if (pin === 'damaged') return {...shared, state: 'damaged', detail: ''};
  if (!pin) return {...shared, state: 'new', detail: '', ...problem};
  const {set, omitted, changed} = pin;
  const record = {name, key: keyOf(server), trusted, timeoutMs, set};
  const rest = {...shared, omitted, record};
  if (changed)
    return {...rest, state: 'changed', detail: changed.list.join(', '), seen: changed.set};
  return {...rest, state: 'offered', detail: '', ...problem};
}

function recordsIn(statuses: readonly ServerStatus[]): ServerRecord[] {
  return statuses.flatMap(({state, record}) =>
    record && state !== 'changed' && state !== 'damaged' ? [record] : [],
  );
}

function withinLimit(records: readonly ServerRecord[]): readonly ServerRecord[] {
  let room = maxOffered;
  return records.map((record) => {
    const tools = record.set.tools.slice(0, Math.max(room, 0));
    room -= tools.length;
    const set: ToolSet = {...record.set, tools};
    return {...record, set};
  });
}

function warningsOf(statuses: readonly ServerStatus[]): readonly string[] {
  const count = recordsIn(statuses).reduce((sum, {set}) => sum + set.tools.length, 0);
  return [
    ...statuses.flatMap(
      ({name, state, detail}) => warnings[state]?.(escapeLine(name), detail) ?? [],
    ),
    ...(count > maxOffered
      ? [`MCP servers have ${count} tools; the first ${maxOffered} are offered`]
      : []),
  ];
}

type Warn = (name: string, detail: string) => string;

const warnings: Partial<Record<ServerState, Warn>> = {
  changed: (name, detail) =>
    `the tools of the MCP server ${name} have changed and are not offered: ${cut(detail)}; read them: quorate doctor tools; then: quorate doctor tools --trust ${JSON.stringify(name)}`,
  damaged: (name) =>
    `the record of the tools of the MCP server ${name} is damaged, so they are not offered; read them again: quorate doctor tools --trust ${JSON.stringify(name)}`,
  unreachable: (name, detail) => `no tools of the MCP server ${name}: ${detail}`,
  needsToken: (_name, detail) => detail,
  refused: (name, detail) => `no tools of the MCP server ${name}: ${detail}`,
};

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

// The pinned tools of servers, one file each: a server whose tools differ from its pin is not trusted with them.

interface Pin extends ReadListing {
  /** It speaks a protocol before 2026-07-28, so it need not be asked. */
  readonly isLegacy: boolean;
  /** Its tools as they were when it last ran, if they were others. */
  readonly changed?: {readonly list: readonly string[]; readonly set: ToolSet} | undefined;
}

export interface Pins {
  /** `damaged`: the file can't be read, or is not as it was written. */
  readonly read: (key: string) => Pin | 'damaged' | undefined;
  /** Throws errors of the operating system. */
  readonly write: (key: string, pin: Pin) => void;
  /** Undefined for pins in memory. */
  readonly fileOf: (key: string) => string | undefined;
}

/** Without a folder the pins are in memory. */
function createPins(folder: string | undefined): Pins {
  if (folder === undefined) return createMemoryPins();
  const fileOf = (key: string): string => join(folder, `${key}.json`);
  return {
    read: (key) => readPin(fileOf(key)),
    write: (key, pin) => {
      const draft = `${fileOf(key)}.${process.pid}`;
      mkdirSync(folder, {recursive: true, mode: 0o700});
      writeFileSync(draft, `${JSON.stringify({pin, check: checkOf(pin)}, null, 1)}\n`, {
        mode: 0o600,
      });
      renameSync(draft, fileOf(key));
    },
    fileOf,
  };
}

function createMemoryPins(): Pins {
  const pins = new Map<string, Pin>();
  return {
    read: (key) => pins.get(key),
    write: (key, pin) => void pins.set(key, pin),
    fileOf: () => undefined,
  };
}

/** Every name of a server is kept: `z.record` drops `__proto__`. */
const json = z.custom<JsonObject>(isJsonObject);
const texts = z.custom<Readonly<Record<string, string>>>(
  (value) => isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string'),
);
const toolSet = z.lazy(() =>
  z.strictObject({
    tools: z.array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        schema: json,
        readOnly: z.boolean().exactOptional(),
        idempotent: z.boolean().exactOptional(),
        openWorld: z.boolean().exactOptional(),
      }),
    ),
    hasResources: z.boolean(),
    hasPrompts: z.boolean(),
  }),
);
const file = z.lazy(() =>
  z.strictObject({
    pin: z.strictObject({
      set: toolSet,
      omitted: z.array(z.string()),
      fingerprints: texts,
      digest: z.string(),
      isLegacy: z.boolean(),
      changed: z.strictObject({list: z.array(z.string()), set: toolSet}).exactOptional(),
    }),
    check: z.string(),
  }),
);

function readPin(path: string): Pin | 'damaged' | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : 'damaged';
  }
  try {
    const {pin, check} = file.parse(JSON.parse(text));
    return checkOf(pin) === check ? pin : 'damaged';
  } catch {
    return 'damaged';
  }
}

function checkOf(pin: Pin): string {
  return hashOf({pin: asJson(pin)});
}

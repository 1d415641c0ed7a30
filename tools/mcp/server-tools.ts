/** The tools of servers as ours: their names, facts and arguments, as recorded with the run. No server is started. */

import {z} from 'zod';

import {hashOf} from '../../machines/domain/digest.ts';
import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';
import {defineTool, type ToolContext, withJsonSchema} from '../tool.ts';
import type {AnyTool} from '../toolbox.ts';
import type {ServerRecord, ServerRequest, ServerTool} from './server.ts';

// The names under which models see the tools of servers: `server__tool`, within the limits of providers, each once.

const maxName = 64;
const hashLength = 8;

interface Named {
  readonly server: string;
  /** Distinguishes a server's own tool from the tool that reads its resources. */
  readonly kind: string;
  readonly tool: string;
}

/**
 * The name of each, in the given order. Names that are too long, or that would be equal, end in a hash of server, kind and
 * tool: so the name of a tool depends on no order, and on others only if they would share it.
 */
export function toolNames(all: readonly Named[]): readonly string[] {
  const plain = all.map(plainName);
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  return plain.map((name, index) => {
    const named = all[index];
    if (!named || (name.length <= maxName && counts.get(name) === 1)) return name;
    const hash = hashOf({...named}).slice(0, hashLength);
    return `${name.slice(0, maxName - hashLength - 1)}_${hash}`;
  });
}

function plainName({server, tool}: Named): string {
  return `${safe(server)}__${safe(tool)}`;
}

function safe(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}

/** Resolves with the outcome of a call; expected failures are outcomes. */
export type CallServer = (
  record: ServerRecord,
  request: ServerRequest,
  context: ToolContext,
) => Promise<ToolOutcome>;

interface Draft {
  readonly kind: ServerRequest['kind'];
  readonly tool: string;
  readonly record: ServerRecord;
  readonly make: (name: string) => AnyTool;
}

export interface ToolOfServer {
  readonly server: string;
  readonly tool: AnyTool;
}

export function serverTools(records: readonly ServerRecord[], call: CallServer): ToolOfServer[] {
  const drafts = records.flatMap((record) => draftsOf(record, call));
  const names = toolNames(
    drafts.map(({kind, tool, record}) => ({kind, tool, server: record.name})),
  );
  const byName = new Map<string, Draft>();
  for (const [index, draft] of drafts.entries()) {
    const name = names[index] ?? '';
    if (!byName.has(name)) byName.set(name, draft);
  }
  return [...byName].map(([name, {record, make}]) => ({server: record.name, tool: make(name)}));
}

function draftsOf(record: ServerRecord, call: CallServer): Draft[] {
  const {tools, hasResources, hasPrompts} = record.set;
  return [
    ...tools.map((tool): Draft => ({
      kind: 'tool',
      tool: tool.name,
      record,
      make: (name) => ownTool(name, tool, record, call),
    })),
    ...(hasResources ? [readingTool('resource', 'read_resource', record, call)] : []),
    ...(hasPrompts ? [readingTool('prompt', 'get_prompt', record, call)] : []),
  ];
}

function ownTool(name: string, tool: ServerTool, record: ServerRecord, call: CallServer): AnyTool {
  const said = JSON.stringify(oneLine(tool.description === '' ? tool.name : tool.description));
  return defineTool({
    name,
    description: `A tool of the MCP server ${escapeLine(record.name)}, which describes it so: ${said}`,
    parameters: parametersOf(tool.schema),
    ...factsOfTool(tool, record),
    timeoutMs: record.timeoutMs,
    run: async (args, context) =>
      await call(record, {kind: 'tool', name: tool.name, args, schema: tool.schema}, context),
  });
}

/** Annotations are claims: they count only for a server that a person trusts. */
function factsOfTool(
  {readOnly, idempotent, openWorld, schema}: ServerTool,
  {trusted}: ServerRecord,
) {
  if (!trusted) return {};
  if (readOnly !== true) return idempotent === true ? {repeatability: 'repeatable' as const} : {};
  const reads = placeArguments(schema);
  return {
    risk: 'low',
    repeatability: 'repeatable',
    reaches: openWorld === false ? 'workspace' : 'network',
    ...(reads.length > 0 ? {reads} : {}),
  } as const;
}

/** Arguments that probably name files: files that may hold credentials need a vote with every tool. */
function placeArguments({properties}: JsonObject): readonly string[] {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return names.filter((name) =>
    /(?:^|[_-])(?:path|file|uri|url)s?$|(?:Path|File|Uri)s?$|^filename$/.test(name),
  );
}

const readings = {
  resource: {
    description: 'Read a resource by its URI, or list the resources if there is no URI.',
    parameters: z.lazy(() =>
      z.strictObject({
        uri: z.string().min(1).max(2_000).describe('Absent: lists the resources.').exactOptional(),
      }),
    ),
  },
  prompt: {
    description: 'Get a prompt by its name, or list the prompts if there is no name.',
    parameters: z.lazy(() =>
      z.strictObject({
        name: z.string().min(1).max(200).describe('Absent: lists the prompts.').exactOptional(),
        arguments: z.record(z.string(), z.string()).describe('Of the prompt.').exactOptional(),
      }),
    ),
  },
} as const;

function readingTool(
  kind: 'resource' | 'prompt',
  tool: string,
  record: ServerRecord,
  call: CallServer,
): Draft {
  const low = {risk: 'low', repeatability: 'repeatable', reaches: 'network'} as const;
  const shared = {
    ...(record.trusted ? low : {}),
    timeoutMs: record.timeoutMs,
  };
  const from = `(Of the MCP server ${escapeLine(record.name)}.)`;
  const make = (name: string): AnyTool =>
    kind === 'resource'
      ? defineTool({
          name,
          ...readings.resource,
          description: `${readings.resource.description} ${from}`,
          ...(record.trusted ? {reads: ['uri']} : {}),
          ...shared,
          run: async ({uri}, context) => await call(record, {kind, uri}, context),
        })
      : defineTool({
          name,
          ...readings.prompt,
          description: `${readings.prompt.description} ${from}`,
          ...shared,
          run: async ({name: prompt, arguments: args}, context) =>
            await call(record, {kind, name: prompt, args}, context),
        });
  return {kind, tool, record, make};
}

/** Checks what a model gets wrong most: names and types of arguments. The server checks the rest. */
function parametersOf(schema: JsonObject): z.ZodType<JsonObject> {
  const {properties, required, additionalProperties} = schema;
  const known = isJsonObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required.map(String) : [];
  const parameters = z.record(z.string(), z.json()).superRefine((args, context) => {
    const missing = needed.filter((name) => !Object.hasOwn(args, name));
    for (const name of missing)
      context.addIssue({code: 'custom', path: [name], message: 'is missing'});
    for (const [name, value] of Object.entries(args)) {
      const problem = Object.hasOwn(known, name)
        ? typeProblem(known[name], value)
        : additionalProperties === false
          ? `is not an argument (there are ${Object.keys(known).join(', ')})`
          : undefined;
      if (problem !== undefined) context.addIssue({code: 'custom', path: [name], message: problem});
    }
  });
  return withJsonSchema(parameters, withoutAlternatives(inLines(schema)));
}

/** Texts of a server are data: none of them begins a line of a prompt. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\n\r\u0085\u2028\u2029]\s*/g, ' ');
}

function inLines(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      (key === 'description' || key === 'title') && typeof value === 'string'
        ? oneLine(value)
        : valueInLines(value),
    ]),
  );
}

function valueInLines(value: Json): Json {
  if (isJsonObject(value)) return inLines(value);
  return Array.isArray(value) ? value.map((item: Json) => valueInLines(item)) : value;
}

// Arguments by the JSON Schema of their server. Its patterns are not run: they are texts of others.

/** Undefined if the value has the type that the schema names, or if it names none. */
function typeProblem(schema: unknown, value: Json): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const {type, enum: options} = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  if (types.length > 0 && !types.some((each) => isOfType(each, value))) {
    return `must be of the type ${types.join(' or ')}`;
  }
  if (Array.isArray(options) && isScalar(value) && options.every(isScalar)) {
    return options.includes(value) ? undefined : `must be one of ${options.map(quoted).join(', ')}`;
  }
  return undefined;
}

function quoted(value: Json): string {
  return JSON.stringify(value);
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function isOfType(type: string, value: Json): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return !['string', 'number', 'boolean'].includes(type) || typeof value === type;
}

/** Providers refuse alternatives at the root of a schema, so these are left to the server. */
export function withoutAlternatives(schema: JsonObject): JsonObject {
  const {$schema: _, anyOf: _any, oneOf: _one, allOf: _all, ...offered} = schema;
  return offered;
}

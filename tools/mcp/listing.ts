/** Reads the tools that a server lists: the usable ones, the reasons against the others, and a fingerprint of each for the pin. */

import {z} from 'zod';

import {hashOf} from '../../machines/domain/digest.ts';
import {asJson, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {escapeForTerminal, escapeLine, firstUnsafe} from '../escape.ts';
import type {ServerTool, ToolSet} from './server.ts';

// Arguments that a tool wants to have sent as HTTP headers, too (`x-mcp-header`). A client must leave out a tool whose declarations are invalid: SEP-2243, in the revision of 2026-07-28.

const keyword = 'x-mcp-header';
/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** Why the declarations of a schema are invalid. A clause. */
function headerProblem(schema: unknown): string | undefined {
  const declared = declarationsIn(schema, 'elsewhere');
  const names = declared.map(({name}) => String(name).toLowerCase());
  const isValid =
    declared.every(
      ({name, type, place}) =>
        place === 'argument' && typeof name === 'string' && token.test(name) && types.has(type),
    ) && new Set(names).size === names.length;
  return isValid ? undefined : 'has an argument with an invalid header name';
}

interface Declaration {
  readonly name: unknown;
  readonly type: unknown;
  readonly place: Place;
}

/** `argument`: reached from the root by `properties` alone, as it must be. `names`: a map, whose keys are not keywords. */
type Place = 'argument' | 'names' | 'elsewhere';

function declarationsIn(part: unknown, place: Place, isRoot = true): readonly Declaration[] {
  if (Array.isArray(part)) return part.flatMap((one) => declarationsIn(one, 'elsewhere', false));
  if (!isJsonObject(part)) return [];
  const isMap = place === 'names';
  const isReached = isRoot || place === 'argument';
  const own = !isMap && Object.hasOwn(part, keyword);
  return [
    ...(own ? [{name: part[keyword], type: part['type'], place}] : []),
    ...Object.entries(part).flatMap(([key, value]) => {
      if (isMap) return declarationsIn(value, 'argument', false);
      return declarationsIn(
        value,
        key === 'properties' && isReached ? 'names' : 'elsewhere',
        false,
      );
    }),
  ];
}

const maxDescription = 4_000;
/** Of a schema, in characters of JSON. */
const maxSchema = 32_000;
const maxToolName = 200;

/** The list of a server, as received. */
export interface Listing {
  /** As received: anything. */
  readonly tools: readonly unknown[];
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
}

export interface ReadListing {
  readonly set: ToolSet;
  /** One clause for each tool that is left out. */
  readonly omitted: readonly string[];
  /** By the name of the tool: a hash of all that the server says of it. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Of the whole set. */
  readonly digest: string;
}

const hint = z.boolean().optional().catch(undefined);
const listed = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  annotations: z
    .looseObject({readOnlyHint: hint, idempotentHint: hint, openWorldHint: hint})
    .optional()
    .catch(undefined),
});

type Listed = z.infer<typeof listed>;

/** Never throws: a tool that can't be used is left out. */
export function readListing({tools, hasResources, hasPrompts}: Listing): ReadListing {
  const named = tools.flatMap((tool) => {
    const read = listed.safeParse(tool);
    return read.success ? [read.data] : [];
  });
  const nameless = tools.length - named.length;
  const byName = Map.groupBy(
    named.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ({name}) => name,
  );
  const readings = [...byName.values()].map(readTool);
  const fingerprints = Object.fromEntries(
    [...byName].map(([name, same]) => [name, hashOf({same: asJson(same)})]),
  );
  return {
    set: {tools: readings.flatMap(({tool}) => tool ?? []), hasResources, hasPrompts},
    omitted: [
      ...readings.flatMap(({why}) => why ?? []),
      ...(nameless > 0 ? [`${nameless} without a name`] : []),
    ],
    fingerprints,
    digest: hashOf({fingerprints, hasResources, hasPrompts}),
  };
}

/** The differences between two sets, each in a few words: `+ name`, `- name`, `~ name` (its text or its schema). */
export function differences(
  before: Pick<ReadListing, 'fingerprints' | 'digest'> | undefined,
  after: ReadListing,
): readonly string[] {
  const old = new Map(Object.entries(before?.fingerprints ?? {}));
  const now = new Map(Object.entries(after.fingerprints));
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  const changed = names.flatMap((name) => {
    if (old.get(name) === now.get(name)) return [];
    const sign = old.has(name) ? (now.has(name) ? '~' : '-') : '+';
    return [`${sign} ${shown(name)}`];
  });
  return changed.length > 0 || before?.digest === after.digest
    ? changed
    : ['~ resources or prompts'];
}

interface ToolReading {
  readonly tool?: ServerTool;
  readonly why?: string;
}

/** All tools of one name. */
function readTool(same: readonly Listed[]): ToolReading {
  const [tool] = same;
  if (!tool) return {};
  const {name, title, description = title ?? '', annotations} = tool;
  const schema = readSchema(tool.inputSchema);
  const problem = nameProblem(same) ?? schema.problem;
  if (problem !== undefined) return {why: `${shown(name)} ${problem}`};
  return {
    tool: {
      name,
      description: escapeForTerminal(description.slice(0, maxDescription).toWellFormed()),
      schema: schema.value ?? {},
      ...claimsOf(annotations),
    },
  };
}

function nameProblem(same: readonly Listed[]): string | undefined {
  if (same.length > 1) return 'is listed more than once';
  return same.some(({name}) => name.length > maxToolName)
    ? 'has a name that is too long'
    : undefined;
}

function claimsOf({
  readOnlyHint: readOnly,
  idempotentHint: idempotent,
  openWorldHint: openWorld,
}: NonNullable<Listed['annotations']> = {}): Partial<ServerTool> {
  return {
    ...(readOnly === undefined ? {} : {readOnly}),
    ...(idempotent === undefined ? {} : {idempotent}),
    ...(openWorld === undefined ? {} : {openWorld}),
  };
}

function shown(name: string): string {
  return escapeLine(name.slice(0, 100).toWellFormed());
}

function readSchema(given: unknown): {readonly value?: JsonObject; readonly problem?: string} {
  if (!isJsonObject(given) || given['type'] !== 'object' || !isProperties(given['properties'])) {
    return {problem: 'has a schema that does not describe an object'};
  }
  if (Object.keys(given['properties'] ?? {}).some((name) => firstUnsafe(name) !== undefined)) {
    return {problem: 'has an argument with invisible characters in its name'};
  }
  const text = JSON.stringify(given);
  if (text.length > maxSchema) return {problem: 'has a schema that is too large'};
  if (/"\$(?:ref|dynamicRef)":"[^#"]/.test(text)) return {problem: 'has a schema in parts'};
  const problem = headerProblem(given);
  if (problem !== undefined) return {problem};
  const safe: unknown = JSON.parse(text, (_key, part: unknown) =>
    typeof part === 'string' ? escapeForTerminal(part) : part,
  );
  return isJsonObject(safe)
    ? {value: safe}
    : {problem: 'has a schema that does not describe an object'};
}

function isProperties(given: unknown): boolean {
  return given === undefined || isJsonObject(given);
}

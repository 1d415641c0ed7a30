/** The contract of a tool: a plain async function with a schema, a risk, a repeatability and its facts. */

import {z} from 'zod';

import {AppError} from '../machines/domain/app-error.ts';
import type {JsonObject} from '../machines/domain/json.ts';
import {didYouMean} from '../machines/domain/nearest.ts';
import {argumentsIn} from '../machines/domain/program.ts';
import type {ToolFacts} from '../machines/domain/tool-facts.ts';
import type {
  PreviewOutcome,
  Repeatability,
  RiskLevel,
  ToolOutcome,
} from '../machines/domain/tool.ts';
import type {Missing} from './run/snapshot/entry.ts';

export interface ToolContext {
  /** The id of the run, for data that outlives this process. */
  readonly run?: string;
  /** Absolute path of the workspace, links resolved. */
  readonly workspace: string;
  /** Aborted on cancel, suspend and time-out. A tool ends what it started and returns `cancelled`. */
  readonly signal: AbortSignal;
  /** True when an earlier attempt of this very call may have happened (a crash): look before acting. */
  readonly recovering: boolean;
  /** The state against which the call was previewed: SHA-256 of the file that it writes, or 'absent'; of the scripts that it runs. */
  readonly basedOn?: string | undefined;
  /** SHA-256 of the file that the call leaves, from its preview. */
  readonly becomes?: string | undefined;
  /** A person allowed this call: protected places that it names may stay as it leaves them. */
  readonly allowedBy?: 'person' | undefined;
  /** A person typed the call: its result is worded for a person. */
  readonly isTyped?: true | undefined;
  /** For a preview: a person's request. Absent: unknown. */
  readonly request?: string | undefined;
  /** For a preview: files that the run has written, as its calls named them. Absent: none. */
  readonly written?: readonly string[] | undefined;
  /** For a preview: files as the calls before it would leave them; the preview of a write adds its own. Absent: as they are now. */
  readonly pending?: PendingFiles | undefined;
  /** Names of the tools that are offered with a tool that finds tools. Absent: none. */
  readonly among?: readonly string[] | undefined;
  /** Paths that the run has changed, by any of its tools or interactions. Absent: none. */
  readonly changed?: () => Promise<readonly string[]>;
  /**
   * Called with the process group of every child process before its program runs, so that no process outlives this
   * one without a record. When it throws or rejects, the program must not run.
   */
  readonly onChild: (processGroup: number) => void | Promise<void>;
  /**
   * Receives output for viewers while the tool runs: whole lines, so that a secret in a line can be masked as a whole,
   * and not all lines when there are many. The outcome is authoritative. Must not throw.
   */
  readonly onOutput?: ((text: string) => void) | undefined;
  /**
   * Called before a file is made, replaced or removed, so that it can be undone. When it throws or rejects, the file must
   * stay unchanged. Called after a command with all its changes. Absent: nothing is stored.
   */
  readonly onReplace?: OnReplace | undefined;
}

/** Whole texts of files, by path relative to the workspace. */
export type PendingFiles = Map<string, string>;

/**
 * The old and the new state of a path. A state is the SHA-256, hex, of a file's content, `link ` and the SHA-256 of a link's target,
 * `folder`, or `unread`, size and time of change of a file that can't be read, or is too large.
 */
export interface Replacement {
  /** Relative to the workspace. */
  readonly path: string;
  /**
   * Absent: nothing existed. `content`: the target of a link, nothing for a folder, or the reason why a file's content is not stored.
   * `mode`: permission bits, and the type of `st_mode` if it may not be a file.
   */
  readonly before?: {
    readonly state: string;
    readonly content: Buffer | Missing;
    readonly mode: number;
  };
  /** Absent: it will be removed. */
  readonly after?: string;
}

/** All of them are stored when this has returned and its promise has resolved. */
export type OnReplace = (replacements: readonly Replacement[]) => void | Promise<void>;

export interface ToolDefinition<Args extends JsonObject = JsonObject> extends ToolFacts {
  readonly name: string;
  readonly description: string;
  /**
   * Replaces `description` if the text must be looked up first. Rejects with an AppError `config` when
   * something that the tool needs can't be used. Called once per runtime.
   */
  readonly describe?: () => Promise<string>;
  /** A strict object; within `z.lazy` it is made on first use. Models see its JSON Schema. */
  readonly parameters: z.ZodType<Args>;
  readonly risk: RiskLevel;
  readonly repeatability: Repeatability;
  readonly timeoutMs: number;
  /**
   * Resolves with the outcome; expected failures are outcomes. `args` have passed `parameters`. Rejects only for bugs.
   */
  readonly run: (args: Args, context: ToolContext) => Promise<ToolOutcome>;
  /** Describes the effects of the call for reviewers. Must not change anything. Absent: the arguments are shown. */
  readonly preview?: (args: Args, context: ToolContext) => Promise<PreviewOutcome>;
}

/**
 * Defines a tool. `risk` defaults to high, `repeatability` to once, `timeoutMs` to two minutes. Facts that it does not
 * state default to the dangerous case: it may reach the network, and its text quotes other people. Facts name only arguments
 * of the tool. Throws AppError `config` for a name that a provider would refuse, for a member or a value that is unknown, and
 * for a fact that names no argument; arguments within `z.lazy` are checked when the tool is passed to a runtime.
 */
export function defineTool<Args extends JsonObject>(
  tool: Omit<ToolDefinition<Args>, 'risk' | 'repeatability' | 'timeoutMs'> &
    Partial<Pick<ToolDefinition<Args>, 'risk' | 'repeatability' | 'timeoutMs'>> &
    ToolFacts<keyof NoInfer<Args> & string>,
): ToolDefinition<Args> & ToolFacts<keyof Args & string> {
  checkToolName(tool.name);
  checkMembers(tool);
  if (tool.parameters.def.type !== 'lazy') checkArgumentNames(tool);
  return {risk: 'high', repeatability: 'once', timeoutMs: 120_000, ...tool};
}

/** The names that OpenAI and Anthropic accept for a tool. */
const toolName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Throws AppError `config` for a name that a provider would refuse. */
export function checkToolName(name: string): void {
  if (toolName.test(name)) return;
  throw new AppError(
    'config',
    `the tool name ${JSON.stringify(name.slice(0, 80))} is not valid: use 1 to 64 letters, digits, "_" or "-"`,
  );
}

// Arguments that several tools take.

export function pathArgument(what: string): z.ZodString {
  return z.string().min(1).regex(/\S/, 'is blank').describe(`${what}, relative to the workspace.`);
}

/** At least `min`, at most `max`, whole. */
export function countArgument(min: number, max: number, what: string): z.ZodInt {
  return z.int().min(min).max(max).describe(what);
}

// Checks the definition of a tool: types do so in TypeScript, but a slip in JavaScript would remove a protection silently.

interface Checked extends ToolFacts {
  readonly name: string;
  readonly parameters: z.ZodType;
}

/** The allowed values of each member; undefined: anything. */
const members: Readonly<Record<string, readonly unknown[] | undefined>> = {
  name: undefined,
  description: undefined,
  describe: undefined,
  parameters: undefined,
  timeoutMs: undefined,
  run: undefined,
  preview: undefined,
  risk: ['low', 'high'],
  repeatability: ['repeatable', 'checkable', 'once'],
  reaches: ['nothing', 'workspace', 'network'],
  quotes: [true, false],
  cites: [true, false],
  reads: undefined,
  lists: undefined,
  opens: undefined,
  writes: undefined,
  puts: undefined,
  replaces: undefined,
  runs: undefined,
  program: undefined,
  spawns: undefined,
  summary: undefined,
  does: undefined,
};

/** Throws AppError `config` for a member that no tool has, or for a value that is not one of its values. */
function checkMembers(tool: Pick<Checked, 'name'>): void {
  for (const [member, value] of Object.entries(tool)) {
    if (!Object.hasOwn(members, member)) {
      const near = didYouMean(member, Object.keys(members));
      throw faulty(tool, `has the unknown member "${member}"${near}`);
    }
    const allowed = members[member];
    if (value !== undefined && allowed && !allowed.includes(value)) {
      const words = allowed.map(shown).join(', ');
      throw faulty(tool, `has ${member}: ${shown(value)}, which is not one of ${words}`);
    }
  }
}

/** Throws AppError `config` for a fact that names no argument of the tool. Makes the schema. */
export function checkArgumentNames(tool: Checked): void {
  const known = argumentsOf(tool.parameters);
  if (!known) return;
  for (const [fact, names] of Object.entries(namesIn(tool))) {
    const wrong = [names]
      .flat()
      .find((name) => name !== undefined && !known.includes(name.split('.')[0] ?? ''));
    if (wrong === undefined) continue;
    const near = didYouMean(wrong, known);
    const hint = near === '' ? `; its arguments: ${known.join(', ')}` : near;
    throw faulty(tool, `has ${fact}: ${shown(wrong)}, which is not an argument of it${hint}`);
  }
}

function namesIn({reads, lists, opens, writes, puts, replaces, runs, program}: ToolFacts) {
  const code = {'runs.argument': runs?.argument, 'runs.folder': runs?.folder};
  const words = {
    'program.argv': program?.argv.flatMap(argumentsIn),
    'program.paths': program?.paths,
  };
  return {reads, lists, opens, writes, puts, replaces, ...code, ...words};
}

/** Undefined if the schema does not list them, such as that of a union or of a record. */
function argumentsOf(parameters: z.ZodType): readonly string[] | undefined {
  const {properties, additionalProperties = false} = jsonSchemaOf(parameters);
  const isOpen = additionalProperties !== false;
  const schema = unwrapped(parameters);
  const accepted = 'shape' in schema ? Object.keys(Object(schema.shape)) : [];
  return isOpen || typeof properties !== 'object' || properties === null
    ? undefined
    : [...Object.keys(properties), ...accepted];
}

function faulty({name}: Pick<Checked, 'name'>, problem: string): AppError {
  return new AppError('config', `the tool "${name}" ${problem}`);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

// The JSON Schema of arguments, as models receive it: without a description of its own, which is the tool's.

const made = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/**
 * The JSON Schema of a schema's input. It is made on first use, and once: that takes longer than a call of
 * a tool. Throws for a schema that JSON Schema can't express.
 */
export function jsonSchemaOf(parameters: z.ZodType): Readonly<Record<string, unknown>> {
  // By the lazy schema itself: it makes another schema each time it is unwrapped.
  const known = made.get(parameters);
  if (known) return known;
  const schema = unwrapped(parameters);
  const jsonSchema = made.get(schema) ?? convert(schema);
  made.set(parameters, jsonSchema);
  return jsonSchema;
}

function convert(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const {
    $schema: _,
    description: _own,
    ...jsonSchema
  } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({jsonSchema: part}) => leaveOutNull(part),
  });
  return jsonSchema;
}

type Part = z.core.JSONSchema.BaseSchema;

/**
 * An optional member that may be `null` is offered without it: absent means the same, and small models and servers with grammars
 * handle plain types best.
 */
function leaveOutNull({properties = {}, required = []}: Part): void {
  for (const [name, member] of Object.entries(properties)) {
    if (typeof member === 'object' && !required.includes(name)) {
      properties[name] = withoutNull(member);
    }
  }
}

function withoutNull(member: Part): Part {
  const {anyOf = [], ...rest} = member;
  const types = anyOf.filter(({type}) => type !== 'null');
  if (types.length === anyOf.length) return member;
  const [type, ...more] = types;
  return more.length === 0 ? {...type, ...rest} : {...rest, anyOf: types};
}

/** The schema within `z.lazy`. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const inner = schema instanceof z.ZodLazy ? schema.unwrap() : schema;
  return inner instanceof z.ZodType ? inner : schema;
}

/** A schema of arguments that models see as the given JSON Schema. */
export function withJsonSchema<Schema extends z.ZodType>(
  schema: Schema,
  jsonSchema: Readonly<Record<string, unknown>>,
): Schema {
  made.set(schema, jsonSchema);
  return schema;
}

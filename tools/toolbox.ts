/** The tools of a run, by name: validated before they run, limited in time while they run. */

import type {z} from 'zod';

import {AppError} from '../machines/domain/app-error.ts';
import {toFailure} from '../machines/domain/failure.ts';
import type {JsonObject} from '../machines/domain/json.ts';
import type {Change} from '../machines/domain/patch.ts';
import {cap, maxResultChars} from '../machines/domain/text-limits.ts';
import {factsOf, isStated, type ToolFacts} from '../machines/domain/tool-facts.ts';
import {
  type PreviewOutcome,
  type PreviewRequest,
  type Source,
  type ToolInfo,
  type ToolOutcome,
  type ToolRequest,
  unknownTool,
} from '../machines/domain/tool.ts';
import {problemsIn} from '../machines/questions/reading.ts';
import {shortageCode, shortageIn} from './containment/denial.ts';
import {createMemo} from './memo.ts';
import {checkToolName, jsonSchemaOf, type ToolContext} from './tool.ts';

// Size limits of a tool's result: the result goes into the journal and into the next prompt.

/** For a person, in UTF-16 units. */
const maxTypedText = 250_000;
const maxMessage = 10_000;
const maxSources = 1_000;
const maxSourceText = 2_000;
const maxWritten = 10_000;
const maxChanges = 1_000;
/** Of all changes together. */
const maxDiffs = 250_000;

/** `isTyped`: a person reads the result. */
interface Reader {
  readonly tool: ToolFacts;
  readonly isTyped: boolean;
}

/** The outcome cut to its limits. Of a text, the beginning and the end are kept, with a note of how to read the rest. */
function capped(outcome: ToolOutcome, reader: Reader): ToolOutcome {
  if (outcome.kind === 'succeeded') return cappedSuccess(outcome, reader);
  const message = cut(outcome.message, maxMessage);
  if (!('text' in outcome) || outcome.text === undefined) return {...outcome, message};
  return {...outcome, message, text: cappedText(outcome.text, reader)};
}

function cappedText(text: string, {tool, isTyped}: Reader): string {
  return cap(text, isTyped ? maxTypedText : maxResultChars, hintFor(tool));
}

function hintFor({runs, program, reads, lists, ...facts}: ToolFacts): string {
  if (runs?.language === 'shell')
    return 'filter it with grep, head or tail, or write it to a file and read that in parts';
  if (program || !isStated(facts)) return 'call the tool again, and ask for less at once';
  return (reads ?? lists) ? 'name a narrower place or pattern' : 'ask for less at once';
}

function cappedSuccess(
  outcome: Extract<ToolOutcome, {kind: 'succeeded'}>,
  reader: Reader,
): ToolOutcome {
  const {text, sources = [], written = [], changes = []} = outcome;
  const notes = [
    ...leftOut(sources.length, maxSources, 'sources'),
    ...leftOut(written.length, maxWritten, 'written files'),
    ...leftOut(changes.length, maxChanges, 'changes'),
  ];
  return {
    ...outcome,
    text: [cappedText(text, reader), ...notes].join('\n'),
    ...(outcome.sources ? {sources: sources.slice(0, maxSources).map(cutSource)} : {}),
    ...(outcome.written ? {written: written.slice(0, maxWritten)} : {}),
    ...(outcome.changes ? {changes: changes.slice(0, maxChanges).map(cutDiff)} : {}),
  };
}

function cutSource({place, quote}: Source): Source {
  return {
    place: cut(place, maxSourceText),
    ...(quote === undefined ? {} : {quote: cut(quote, maxSourceText)}),
  };
}

/** The limit of all diffs together is divided equally among them. */
function cutDiff({diff, ...change}: Change, _: number, {length}: readonly Change[]): Change {
  if (diff === undefined) return change;
  return {...change, diff: cut(diff, Math.max(maxDiffs / length, 1_000))};
}

function leftOut(count: number, max: number, what: string): string[] {
  return count > max ? [`[${count} ${what}; the first ${max} are kept]`] : [];
}

/** At most `max` characters, including the note. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const shown = Math.floor(max) - noteOf(text.length, Math.floor(max)).length;
  return `${text.slice(0, shown).toWellFormed()}${noteOf(text.length, shown)}`;
}

function noteOf(length: number, shown: number): string {
  return `\n[${length} characters; the first ${shown} are shown]`;
}

/** A tool with any arguments: declared with methods, so that tools with narrower arguments are assignable. */
export interface AnyTool extends ToolInfo {
  readonly description: string;
  describe?(): Promise<string>;
  readonly parameters: z.ZodType<JsonObject>;
  /** As in {@link Offered}. */
  readonly group?: string;
  /** As in {@link Offered}. */
  readonly isSeldomUsed?: true;
  run(args: JsonObject, context: ToolContext): Promise<ToolOutcome>;
  preview?(args: JsonObject, context: ToolContext): Promise<PreviewOutcome>;
}

export type Validation =
  | {readonly ok: true; readonly args: JsonObject}
  | {readonly ok: false; readonly code: 'unknown_tool' | 'schema'; readonly message: string};

export interface Toolbox {
  /** Sorted by name. */
  readonly list: () => readonly AnyTool[];
  /** The catalogue with which a run is opened, sorted by name. */
  readonly infos: () => readonly ToolInfo[];
  readonly find: (name: string) => AnyTool | undefined;
  /** Strict; a `null` argument is absent. Never throws. */
  readonly validate: (name: string, args: JsonObject) => Validation;
  /**
   * Never rejects: a tool that throws is `failed`, code `internal`; one stopped by a time-out of the signal (as of `AbortSignal.timeout`),
   * code `timeout`. Takes as long as the tool does. A result that is too large is cut, and its text says so.
   */
  readonly run: (
    request: ToolRequest,
    context: Omit<ToolContext, 'basedOn' | 'becomes' | 'allowedBy' | 'isTyped' | 'among'>,
  ) => Promise<ToolOutcome>;
  /** Never rejects. Changes nothing. */
  readonly preview: (request: PreviewRequest, context: ToolContext) => Promise<PreviewOutcome>;
  /** One problem per line, for calls that a plan would make. */
  readonly check: (
    calls: readonly {readonly task: string; readonly tool: string; readonly args: JsonObject}[],
  ) => string[];
  /** The definition of a tool that models receive. Rejects with an AppError `config` when something that it needs can't be used. */
  readonly offered: (name: string) => Promise<Offered | undefined>;
  /** Rejects with an AppError `config` when a tool can't work with its configuration. */
  readonly ready: () => Promise<void>;
}

export interface Offered {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** "of the MCP server files": tools whose definitions may be deferred, together. Absent: never. */
  readonly group?: string;
  /** Its group is deferred with any budget. */
  readonly isSeldomUsed?: true;
}

/** Throws AppError `config` when a name is registered twice, or is not one that providers accept. */
export function createToolbox(tools: readonly AnyTool[]): Toolbox {
  const byName = new Map(
    tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((tool) => [tool.name, tool]),
  );
  if (byName.size < tools.length) throw registeredTwice(tools);
  for (const name of byName.keys()) checkToolName(name);
  const names = [...byName.keys()];
  const infos = [...byName.values()].map(toInfo);
  const remember = createMemo<Offered>();
  const offer = async (tool: AnyTool): Promise<Offered> =>
    await remember(tool.name, async () => await toOffered(tool));

  const validate = (name: string, args: JsonObject): Validation => {
    const tool = byName.get(name);
    if (tool) return validateArgs(tool, args);
    return {ok: false, code: 'unknown_tool', message: unknownTool(name, names)};
  };

  return {
    list: () => [...byName.values()],
    infos: () => infos,
    find: (name) => byName.get(name),
    validate,
    run: async (request, context) => {
      const valid = validate(request.tool, request.args);
      const tool = byName.get(request.tool);
      if (!valid.ok) return {kind: 'refused', code: valid.code, message: valid.message};
      if (!tool) throw new Error(`${request.tool} was validated but is gone`);
      const {basedOn, becomes, allowedBy, isTyped, among} = request;
      const given = {basedOn, becomes, allowedBy, isTyped, among};
      return runWithSignal(tool, valid.args, {...context, ...given});
    },
    preview: async (request, context) => {
      const valid = validate(request.tool, request.args);
      if (!valid.ok) return {kind: 'refused', code: valid.code, message: valid.message};
      const previewContext = {...context, request: request.request, written: request.written};
      return previewSafely(byName.get(request.tool), valid.args, previewContext);
    },
    check: (calls) =>
      calls.flatMap(({task, tool, args}) => {
        const valid = validate(tool, args);
        return valid.ok ? [] : [`task ${task}: ${valid.message}`];
      }),
    offered: async (name) => {
      const tool = byName.get(name);
      return tool ? await offer(tool) : undefined;
    },
    ready: async () => {
      await Promise.all([...byName.values()].map(offer));
    },
  };
}

function registeredTwice(tools: readonly AnyTool[]): AppError {
  const name = tools.find(
    (tool, index) => tools.findIndex((other) => other.name === tool.name) < index,
  )?.name;
  return new AppError(
    'config',
    `the tool "${name}" is registered twice; give one of them another name`,
  );
}

function toInfo(tool: AnyTool): ToolInfo {
  const {name, risk, repeatability, timeoutMs} = tool;
  return {name, risk, repeatability, timeoutMs, ...factsOf(tool)};
}

async function toOffered(tool: AnyTool): Promise<Offered> {
  const description = (await tool.describe?.()) ?? tool.description;
  return {
    name: tool.name,
    description,
    ...(tool.group === undefined ? {} : {group: tool.group}),
    ...(tool.isSeldomUsed ? {isSeldomUsed: true as const} : {}),
    get schema() {
      return jsonSchemaOf(tool.parameters);
    },
  };
}

function validateArgs(tool: AnyTool, args: JsonObject): Validation {
  const present = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  const parsed = tool.parameters.safeParse(present);
  if (parsed.success) return {ok: true, args: parsed.data};
  const problems = problemsIn(parsed.error).join('; ');
  return {ok: false, code: 'schema', message: `${tool.name}: ${problems}`};
}

async function previewSafely(
  tool: AnyTool | undefined,
  args: JsonObject,
  context: ToolContext,
): Promise<PreviewOutcome> {
  if (!tool?.preview) return {kind: 'ready', args, preview: JSON.stringify(args, null, 2)};
  try {
    return await tool.preview(args, context);
  } catch (error) {
    const lack = shortageIn(error);
    if (lack !== undefined) return {kind: 'refused', code: shortageCode, message: lack};
    return {kind: 'refused', ...toFailure(error)};
  }
}

/** The caller limits the time of a tool by the signal, whose reason states a time-out. */
async function runWithSignal(
  tool: AnyTool,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolOutcome> {
  const {signal} = context;
  if (signal.aborted) return {kind: 'cancelled', message: `${tool.name} was cancelled`};
  const outcome = await runSafely(tool, args, context);
  if (outcome.kind !== 'cancelled' || !isTimeOut(signal.reason)) return outcome;
  const message = `${tool.name} took longer than ${tool.timeoutMs} ms and was stopped`;
  return {kind: 'failed', code: 'timeout', message, ...(outcome.text ? {text: outcome.text} : {})};
}

/** A reason as set by `AbortSignal.timeout`. */
function isTimeOut(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

async function runSafely(
  tool: AnyTool,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolOutcome> {
  const reader = {tool, isTyped: context.isTyped === true};
  try {
    return capped(await tool.run(args, context), reader);
  } catch (error) {
    // A command may have run before the error.
    const lack = tool.repeatability === 'once' ? undefined : shortageIn(error);
    if (lack !== undefined) return {kind: 'failed', code: shortageCode, message: lack};
    return capped({kind: 'failed', ...toFailure(error)}, reader);
  }
}

/** The charts' view of a tool: its name, risk, repeatability and declared effects. Implementations are in tools/. */

import {isCredentialPlace} from '../places/places.ts';
import type {AllowRule} from './allow-rule.ts';
import {hashOf} from './digest.ts';
import type {Failure} from './failure.ts';
import type {JsonObject} from './json.ts';
import {didYouMean, nearestOf} from './nearest.ts';
import type {Change} from './patch.ts';
import {textsAt, type ToolFacts} from './tool-facts.ts';

/**
 * How an effect with an unknown outcome may be performed again: `repeatable` at once; `checkable` after a check
 * whether it happened; `once` only after a person's decision.
 */
export type Repeatability = 'repeatable' | 'checkable' | 'once';

export type RiskLevel = 'low' | 'high';

/** A tool's entry in the catalogue that a run is opened with. */
export interface ToolInfo extends ToolFacts {
  readonly name: string;
  readonly risk: RiskLevel;
  readonly repeatability: Repeatability;
  readonly timeoutMs: number;
}

const catalogues = new WeakMap<readonly ToolInfo[], ReadonlyMap<string, ToolInfo>>();

export function toolNamed(name: string, tools: readonly ToolInfo[]): ToolInfo | undefined {
  const catalogue = catalogues.get(tools) ?? new Map(tools.map((tool) => [tool.name, tool]));
  catalogues.set(tools, catalogue);
  return catalogue.get(name);
}

/** The risk of one call: reading a file that may hold credentials is high-risk with every tool. */
export function riskOf(tool: ToolInfo, args: JsonObject): RiskLevel {
  return textsAt(args, tool.reads).some(isCredentialPlace) ? 'high' : tool.risk;
}

export interface ToolRequest {
  readonly tool: string;
  readonly args: JsonObject;
  readonly workspace: string;
  readonly repeatability: Repeatability;
  /** The tool's own time limit. */
  readonly timeoutMs?: number;
  /** The basis of its preview: SHA-256 of the file that a write replaces, or 'absent'; or of the scripts that a command runs. */
  readonly basedOn?: string;
  /** SHA-256 of the file that a write leaves, from its preview. */
  readonly becomes?: string;
  /** For a high-risk call: the {@link callHash} that was approved. The runner refuses a call without it. */
  readonly approval?: string;
  /** A person allowed it: its changes to protected places that it names are kept. */
  readonly allowedBy?: 'person';
  /** A person typed the call, so its result is worded for a person. */
  readonly isTyped?: true;
  /** For a tool that finds tools: the names of all tools that are offered with it. */
  readonly among?: readonly string[];
}

const argumentFaults: ReadonlySet<string> = new Set([
  'not_found',
  'too_large',
  'binary',
  'regex_timeout',
  'http_status',
  'redirects',
  'encoding',
  'dns',
  'child_failed',
]);

/**
 * True if a failure is due to the call's arguments, or to the interaction that it spawned: a repeat would change nothing,
 * but the model may continue in another way.
 */
export function isArgumentFault({code}: Failure): boolean {
  return argumentFaults.has(code);
}

/** The hash that an approval covers: exactly this tool with exactly these arguments. */
export function callHash(tool: string, args: JsonObject): string {
  return hashOf({tool, args});
}

/** More names than these are not listed. */
const maxNames = 40;
const nearNames = 8;

/** Names the tool that was probably meant, and the existing tools; of many, the nearest. */
export function unknownTool(name: string, offered: readonly string[]): string {
  return `there is no tool ${JSON.stringify(name.slice(0, 80))}${didYouMean(name, offered)}; ${thereIs(name, offered)}`;
}

function thereIs(name: string, offered: readonly string[]): string {
  if (offered.length === 0) return 'there are no tools';
  if (offered.length <= maxNames) return `there is ${offered.join(', ')}`;
  return `there are ${offered.length} tools, such as ${nearestOf(name, offered, nearNames).join(', ')}`;
}

/** The place of a text that was read, for citing it. */
export interface Source {
  /** `docs/a.md:3-9`, a URL, a database. */
  readonly place: string;
  /** Verbatim: a passage, or the query. */
  readonly quote?: string;
}

/** The confinement of a command. `none`: it can write outside the workspace and reach the network. */
export type Confinement = 'bubblewrap' | 'landlock' | 'seatbelt' | 'none';

const confining: ReadonlySet<string | undefined> = new Set(['bubblewrap', 'landlock', 'seatbelt']);

/** False for an unknown word: a record may be of another version. */
export function isConfining(confinement: Confinement | undefined): boolean {
  return confining.has(confinement);
}

export type CheckKind = 'tests' | 'build' | 'lint' | 'types';

/** A check of the work that a command has run. */
export interface CheckRun {
  readonly kind: CheckKind;
  /** `unknown`: the exit code of the command is not that of the check, as in `npm test | tail`. */
  readonly status: 'passed' | 'failed' | 'unknown';
}

/** Facts about a command that has run, with any outcome. */
export interface CommandRecord {
  readonly confinement?: Confinement;
  /** Files created or changed, relative to the workspace. Absent: the files that its arguments name, if the tool declares them. */
  readonly written?: readonly string[];
  /** Of files created, changed and removed. */
  readonly changes?: readonly Change[];
  /** Absent: none. */
  readonly checks?: readonly CheckRun[];
}

export type ToolOutcome =
  | ({
      readonly kind: 'succeeded';
      readonly text: string;
      readonly sources?: readonly Source[];
      /** For a search: more than half of the files were not searched. */
      readonly missedMost?: true;
      /** A command's exit code. */
      readonly exitCode?: number;
      /** Names of tools that it found: models receive their definitions from the next turn on. */
      readonly found?: readonly string[];
    } & CommandRecord)
  | ({
      /** The tool ran and failed, or could not run; the message is for the model. */
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      /** Its output before it failed. */
      readonly text?: string;
      readonly exitCode?: number;
      /** A transient fault: the same call may succeed if repeated. */
      readonly retryable?: boolean;
    } & CommandRecord)
  /** Bad arguments or a refused path: nothing was touched. */
  | {readonly kind: 'refused'; readonly code: string; readonly message: string}
  /** Started before a crash, outcome unknown. */
  | {readonly kind: 'inDoubt'; readonly message: string}
  | ({
      readonly kind: 'cancelled';
      readonly message: string;
      /** Its output before it was cancelled. */
      readonly text?: string;
    } & CommandRecord);

export interface PreviewRequest {
  readonly tool: string;
  readonly args: JsonObject;
  readonly workspace: string;
  /** The person's request. Absent: unknown. */
  readonly request?: string;
  /** Files that the run has written, as its calls named them. Absent: none. */
  readonly written?: readonly string[];
  /** Calls of the same proposal that run before it: the preview shows what is left after them, as far as that is known. Absent: none. */
  readonly earlier?: readonly EarlierCall[];
}

/** A call that has not run yet. */
export interface EarlierCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** The preview of a high-risk call, which reviewers see before it runs. */
export type PreviewOutcome =
  | {
      readonly kind: 'ready';
      /** Validated arguments: the panel votes on them, and the call runs with them. */
      readonly args: JsonObject;
      /** For a person and the panel: a unified diff, a command line. */
      readonly preview: string;
      /** Lines of the preview that the tool itself has established: they contain no text of others. */
      readonly facts?: readonly string[];
      /** As in {@link ToolRequest}. Absent: the preview depends on nothing that may change meanwhile. */
      readonly basedOn?: string;
      /** As in {@link ToolRequest}. Absent: a call that may have happened is recognized otherwise, or not at all. */
      readonly becomes?: string;
      /** Only for a command. */
      readonly confinement?: Confinement;
      /** For an unconfined command: addresses of other computers that no manifest of the project names. Absent: none. */
      readonly reaches?: readonly string[];
      /** Why only a person may allow it, e.g. a path under `.git/`. */
      readonly protectedReason?: string;
      /** The person's current rules for commands in the workspace. Absent: the rules at the start of the run. */
      readonly allow?: readonly AllowRule[];
    }
  | {readonly kind: 'refused'; readonly code: string; readonly message: string};

/** `ToolResult` of the spec: the result of one call, as kept in results and shown to models. */
export interface ToolResult extends CommandRecord {
  readonly tool: string;
  readonly args: JsonObject;
  readonly status: 'succeeded' | 'failed' | 'refused' | 'rejected' | 'inDoubt';
  readonly text: string;
  readonly failure?: Failure;
  readonly exitCode?: number;
  /** The beginning and the end of the output of a command, or of the output of any tool before it failed. */
  readonly output?: string;
  readonly sources?: readonly Source[];
  /** From its outcome. */
  readonly missedMost?: true;
  /** From its outcome. */
  readonly found?: readonly string[];
  /** A person allowed it, instead of the panel or against its decision. */
  readonly allowedBy?: 'person';
}

/** A call in a loop: the model's thought before it, and its result. */
export interface LoopStep extends ToolResult {
  /** Empty for the second and further calls of one reply. */
  readonly thought: string;
}

/** Tools as the charts know them: a name, a risk, how often it may run, what it touches. What it does lives in tools/. */

import {isCredentialPlace} from '../places/places.ts';
import type {AllowRule} from './allow-rule.ts';
import type {Change} from './change.ts';
import {hashOf} from './digest.ts';
import type {Failure} from './failure.ts';
import type {JsonObject} from './json.ts';
import {didYouMean} from './nearest.ts';
import type {Repeatability} from './repeatability.ts';
import {textsAt, type ToolFacts} from './tool-facts.ts';

export type RiskLevel = 'low' | 'high';

/** A tool's entry in the catalogue that a run is opened with. */
export interface ToolInfo extends ToolFacts {
  readonly name: string;
  readonly risk: RiskLevel;
  readonly repeatability: Repeatability;
  readonly timeoutMs: number;
}

/** The risk of one call: to read what may hold credentials is no small thing, whichever tool does it. */
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
  /** What it was previewed against: SHA-256 of the file that a write replaces, or 'absent'; of the scripts that a command runs. */
  readonly basedOn?: string;
  /** For a high-risk call: the {@link callHash} that was approved. The runner refuses a call without it. */
  readonly approval?: string;
  /** A person's word allowed it: protected places that it names may stay as it leaves them. */
  readonly allowedBy?: 'person';
  /** A person typed the call: its result is worded for a person. */
  readonly isTyped?: true;
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
 * Whether a failure speaks of the call's arguments, or of the interaction that it has spawned: a repeat would change nothing,
 * the model may go on in another way.
 */
export function isArgumentFault({code}: Failure): boolean {
  return argumentFaults.has(code);
}

/** What an approval of a call covers: exactly this tool with exactly these arguments. */
export function callHash(tool: string, args: JsonObject): string {
  return hashOf({tool, args});
}

/** Says that there is no such tool, and which ones there are: the one that was probably meant first. */
export function unknownTool(name: string, offered: readonly string[]): string {
  const there = offered.length === 0 ? 'there are no tools' : `there is ${offered.join(', ')}`;
  return `there is no tool ${JSON.stringify(name.slice(0, 80))}${didYouMean(name, offered)}; ${there}`;
}

/** Where something was read, for citing it. */
export interface Source {
  /** `docs/a.md:3-9`, a URL, a database. */
  readonly place: string;
  /** Verbatim: a passage, or the query. */
  readonly quote?: string;
}

/** Whether something keeps a command in the workspace and off the network. */
export type Confinement = 'confined' | 'unconfined';

/** What is known of a command that has run, however it ended. */
export interface CommandRecord {
  readonly confined?: boolean;
  /** Files made or changed, relative to the workspace. Absent: those that its arguments name, if the tool says which. */
  readonly written?: readonly string[];
  /** Of files made, changed and removed. */
  readonly changes?: readonly Change[];
}

export type ToolOutcome =
  | ({
      readonly kind: 'succeeded';
      readonly text: string;
      readonly sources?: readonly Source[];
      /** Of a search: over half of the files that it was to search were not searched. */
      readonly missedMost?: true;
      /** A command's exit code. */
      readonly exitCode?: number;
    } & CommandRecord)
  | ({
      /** The tool ran and failed, or could not run; the model may read why. */
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      /** What it printed before it failed. */
      readonly text?: string;
      readonly exitCode?: number;
      /** A passing fault: the same call may succeed if repeated. */
      readonly retryable?: boolean;
    } & CommandRecord)
  /** Bad arguments or a refused path: nothing was touched. */
  | {readonly kind: 'refused'; readonly code: string; readonly message: string}
  /** Started before a crash, outcome unknown. */
  | {readonly kind: 'inDoubt'; readonly message: string}
  | ({
      readonly kind: 'cancelled';
      readonly message: string;
      /** What it printed before. */
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
}

/** What reviewers see of a high-risk call before it runs. */
export type PreviewOutcome =
  | {
      readonly kind: 'ready';
      /** Arguments as validated: what is voted on, and what runs. */
      readonly args: JsonObject;
      /** For a person and the panel: a unified diff, a command line. */
      readonly preview: string;
      /** Lines of the preview that the tool itself has established: no text of others is part of them. */
      readonly facts?: readonly string[];
      /** As {@link ToolRequest} has it. Absent: on nothing that may change meanwhile. */
      readonly basedOn?: string;
      /** Of a command. */
      readonly confinement?: Confinement;
      /** Of an unconfined command: addresses of other computers that no manifest of the project names. Absent: none. */
      readonly reaches?: readonly string[];
      /** Why only a person may allow it, e.g. a path under `.git/`. */
      readonly protectedReason?: string;
      /** Rules of a person for commands in the workspace, as they are now. Absent: those of the run's opening. */
      readonly allow?: readonly AllowRule[];
    }
  | {readonly kind: 'refused'; readonly code: string; readonly message: string};

/** `ToolResult` of the spec: what one call came to, as kept in results and shown to models. */
export interface ToolResult extends CommandRecord {
  readonly tool: string;
  readonly args: JsonObject;
  readonly status: 'succeeded' | 'failed' | 'refused' | 'rejected' | 'inDoubt';
  readonly text: string;
  readonly failure?: Failure;
  readonly exitCode?: number;
  /** Of what a command printed, and of what any tool printed before it failed: the beginning and the end. */
  readonly output?: string;
  readonly sources?: readonly Source[];
  /** As its outcome has it. */
  readonly missedMost?: true;
  /** A person's word allowed it, in place of the panel's or above it. */
  readonly allowedBy?: 'person';
}

/** A call in a loop: what the model thought before it, and what came of it. */
export interface LoopStep extends ToolResult {
  /** Empty for the second and later calls of one reply. */
  readonly thought: string;
}

/** The contract of a tool: a plain async function with a schema, a risk, a repeatability and its facts. */

import type {z} from 'zod';

import {AppError} from '../machines/domain/app-error.ts';
import type {JsonObject} from '../machines/domain/json.ts';
import type {
  PreviewOutcome,
  Repeatability,
  RiskLevel,
  ToolFacts,
  ToolOutcome,
} from '../machines/domain/tool.ts';
import {checkArgumentNames, checkMembers} from './facts-check.ts';
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

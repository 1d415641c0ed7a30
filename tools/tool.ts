/** The contract of a tool: a plain async function with a schema, a risk, a repeatability and its facts. */

import type {z} from 'zod';

import {AppError} from '../machines/domain/app-error.ts';
import type {JsonObject} from '../machines/domain/json.ts';
import type {Repeatability} from '../machines/domain/repeatability.ts';
import type {ToolFacts} from '../machines/domain/tool-facts.ts';
import type {PreviewOutcome, RiskLevel, ToolOutcome} from '../machines/domain/tool.ts';
import type {Missing} from './run/snapshot/entry.ts';

export interface ToolContext {
  /** The id of the run, for what outlives this process. */
  readonly run?: string;
  /** Absolute path of the workspace, links resolved. */
  readonly workspace: string;
  /** Aborted on cancel, suspend and time-out. A tool ends what it started and returns `cancelled`. */
  readonly signal: AbortSignal;
  /** True when an earlier attempt of this very call may have happened (a crash): look before acting. */
  readonly recovering: boolean;
  /** What the call was previewed against: SHA-256 of the file that it writes, or 'absent'; of the scripts that it runs. */
  readonly basedOn?: string | undefined;
  /** A person's word allowed this call: protected places that it names may stay as it leaves them. */
  readonly allowedBy?: 'person' | undefined;
  /** A person typed the call: its result is worded for a person. */
  readonly isTyped?: true | undefined;
  /** Of a preview: what a person asked for. Absent: not known. */
  readonly request?: string | undefined;
  /** Of a preview: files that the run has written, as its calls named them. Absent: none. */
  readonly written?: readonly string[] | undefined;
  /** Paths that the run has changed, by whatever tool or interaction of it. Absent: none. */
  readonly changed?: () => Promise<readonly string[]>;
  /**
   * Called with the process group of every child process before the program in it runs, so that none can outlive this
   * process unknown. When it throws or rejects, the program must not run.
   */
  readonly onChild: (processGroup: number) => void | Promise<void>;
  /**
   * Takes what is printed while the tool runs, for whoever watches: whole lines, so that nothing that must not be seen is
   * told in halves, and not all of them when they are many. The outcome holds what counts. Must not throw.
   */
  readonly onOutput?: ((text: string) => void) | undefined;
  /**
   * Called before a file is made, replaced or removed, so that it can be undone. When it throws or rejects, the file must
   * stay as it is. Called after a command with all that it has changed. Absent: nothing is kept.
   */
  readonly onReplace?: OnReplace | undefined;
}

/**
 * What takes the place of what. A state is the SHA-256, hex, of a file's content, `link ` and that of where a link leads,
 * `folder`, or `unread`, size and time of change of a file that can't be read, or is too large.
 */
export interface Replacement {
  /** Relative to the workspace. */
  readonly path: string;
  /**
   * Absent: there was nothing. `content`: where a link leads, nothing of a folder, or why that of a file is not kept.
   * `mode`: permission bits, and the type of `st_mode` where it may be no file.
   */
  readonly before?: {
    readonly state: string;
    readonly content: Buffer | Missing;
    readonly mode: number;
  };
  /** Absent: it will be gone. */
  readonly after?: string;
}

/** All of them are kept when this has returned, and what it returned has resolved. */
export type OnReplace = (replacements: readonly Replacement[]) => void | Promise<void>;

export interface ToolDefinition<Args extends JsonObject = JsonObject> extends ToolFacts {
  readonly name: string;
  readonly description: string;
  /**
   * What is said in place of `description`, when that must be looked up first. Rejects with an AppError `config` when
   * what the tool needs can't be used. Asked once a runtime.
   */
  readonly describe?: () => Promise<string>;
  /** A strict object; in `z.lazy` it is made when it is first used. Its JSON Schema is what models see. */
  readonly parameters: z.ZodType<Args>;
  readonly risk: RiskLevel;
  readonly repeatability: Repeatability;
  readonly timeoutMs: number;
  /**
   * Resolves with the outcome; expected failures are outcomes. `args` have passed `parameters`. Rejects only for bugs.
   */
  readonly run: (args: Args, context: ToolContext) => Promise<ToolOutcome>;
  /** What the call would do, for reviewers. Must not change anything. Absent: the arguments as they are. */
  readonly preview?: (args: Args, context: ToolContext) => Promise<PreviewOutcome>;
}

/**
 * Defines a tool. `risk` defaults to high, `repeatability` to once, `timeoutMs` to two minutes. Facts that it does not
 * state are taken for the dangerous ones: it may reach the network, and its text is what others wrote. Throws AppError
 * `config` for a name that a provider would refuse.
 */
export function defineTool<Args extends JsonObject>(
  tool: Omit<ToolDefinition<Args>, 'risk' | 'repeatability' | 'timeoutMs'> &
    Partial<Pick<ToolDefinition<Args>, 'risk' | 'repeatability' | 'timeoutMs'>>,
): ToolDefinition<Args> {
  checkToolName(tool.name);
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

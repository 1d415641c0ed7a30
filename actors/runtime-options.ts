/** The options of a runtime, all of them optional. */

import type {AllowRule} from '../machines/domain/allow-rule.ts';
import type {AnyTool} from '../tools/index.ts';
import type {McpServer} from '../tools/mcp/server.ts';
import type {SandboxOptions} from '../tools/run/sandbox.ts';
import type {NamedKeys} from './config/roles.ts';
import type {ConfigInput} from './config/schema.ts';
import type {Inspector} from './engine/actor-tree.ts';
import type {Journal} from './journal/journal.ts';
import type {Logger} from './logger.ts';
import type {Model} from './model/model.ts';
import type {PolicyReviewer} from './policies/names.ts';

export interface RuntimeOptions {
  /** Any part of the configuration; the rest has its defaults. */
  readonly config?: ConfigInput;
  /** Dotted keys that a person set explicitly: models that they name must be usable. Absent: the keys in `config`. */
  readonly named?: NamedKeys;
  /** The user's configuration file, for a program with a command line. Messages then refer to the file and to flags. */
  readonly userFile?: string;
  /** Absent: an in-memory journal, which is lost when the process ends. */
  readonly journal?: Journal;
  /** Environment variables, for API keys. Absent: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The ways to confine commands and servers that may be used. Absent: all that work here. */
  readonly grades?: SandboxOptions['grades'];
  /** More models, by their full names. */
  readonly models?: readonly Model[];
  /** More tools beside the built-in ones. */
  readonly tools?: readonly AnyTool[];
  /** More MCP servers, beside those of the configuration, which count first. `ready` learns the tools of new ones. */
  readonly mcpServers?: readonly McpServer[];
  /** The folder with the pinned tools of MCP servers. Absent: they are pinned for this runtime. */
  readonly pinFolder?: string;
  /** Receives what MCP servers print to their standard error, up to a limit. Absent: the logger receives it. */
  readonly onServerOutput?: (server: string, text: string) => void;
  /** The folder for the snapshots of workspaces. Absent: they are in memory. */
  readonly cacheFolder?: string;
  /** The folder for workspace locks, shared by all processes. Absent: only runs of this process wait for each other. */
  readonly lockFolder?: string;
  /** Receives the events of every run. Absent: nothing is logged. */
  readonly logger?: Logger;
  /** More policy reviewers, by name without `policy/`. */
  readonly policies?: Readonly<Record<string, PolicyReviewer>>;
  /**
   * Stores a rule that a person has made (`always` at a gate), for `readRules`. The run that it was made in already applies
   * it. Must not throw.
   */
  readonly onRule?: (rule: AllowRule) => void;
  /**
   * Returns the current rules. Called when a run opens and before each review of an action. If it rejects, no rule applies, and
   * a warning gives the cause. Absent: the rules of `config.allow`.
   */
  readonly readRules?: () => Promise<readonly AllowRule[]>;
  /** Receives XState's inspection events of every run, including those of a replay. Absent: none are emitted. */
  readonly inspect?: Inspector;
}

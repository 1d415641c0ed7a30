/** The options of a runtime, all of them optional. */

import type {AllowRule} from '../machines/domain/allow-rule.ts';
import type {AnyTool} from '../tools/index.ts';
import type {NamedKeys} from './config/roles.ts';
import type {ConfigInput} from './config/schema.ts';
import type {Inspector} from './engine/charts.ts';
import type {Journal} from './journal/journal.ts';
import type {Logger} from './logger.ts';
import type {Model} from './model/model.ts';
import type {PolicyReviewer} from './policies/names.ts';

export interface RuntimeOptions {
  /** Any part of the configuration; the rest has its defaults. */
  readonly config?: ConfigInput;
  /** Dotted keys that a person set on purpose: what they name must be usable. Absent: those in `config`. */
  readonly named?: NamedKeys;
  /** For a program with a command line: the file in which its user configures it. Messages then speak of both. */
  readonly userFile?: string;
  /** Absent: in memory, gone with the process. */
  readonly journal?: Journal;
  /** Where keys are looked up. Absent: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** More models, by their full names. */
  readonly models?: readonly Model[];
  /** More tools beside the built-in ones. */
  readonly tools?: readonly AnyTool[];
  /** Where the index of the search tool is kept. Absent: in memory. */
  readonly cacheFolder?: string;
  /** Where the lock files of workspaces are kept, for all processes. Absent: only runs of this process wait for each other. */
  readonly lockFolder?: string;
  /** Hears what happens in every run. Absent: nobody does. */
  readonly logger?: Logger;
  /** More policy reviewers, by name without `policy/`. */
  readonly policies?: Readonly<Record<string, PolicyReviewer>>;
  /**
   * Stores a rule that a person has made (`always` at a gate), for `readRules`. The run itself knows it. Must not throw.
   */
  readonly onRule?: (rule: AllowRule) => void;
  /**
   * The rules that hold now. Called when a run opens and before each review of an action; while it rejects, no rule holds,
   * and a warning has the cause. Absent: those of `config.allow`.
   */
  readonly readRules?: () => Promise<readonly AllowRule[]>;
  /** XState's inspection events of every run, also those of a replay. Absent: none are made. */
  readonly inspect?: Inspector;
}

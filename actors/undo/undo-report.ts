/** The report of an undo. */

/** What became of one file, or would become of it. */
export interface Undone {
  /** Relative to the workspace. */
  readonly path: string;
  /** `asBefore`: it already was as it was before the run. `left`: it stays as it is. */
  readonly outcome: 'restored' | 'removed' | 'asBefore' | 'left';
  /** Why it is left, or goes back only a part of the way. */
  readonly why?: string;
}

export interface UndoReport {
  readonly interaction: string;
  readonly workspace: string;
  /** The file that was written last comes first. */
  readonly files: readonly Undone[];
  /** Repositories that must not come back: a line for each that was renamed. */
  readonly setAside: readonly string[];
  /** Commands and other calls that were run once and may have changed more than these files: that is not known, and stays. */
  readonly commands: number;
  /** The run can still be resumed. */
  readonly isOpen: boolean;
}

export interface UndoOptions {
  /** Changes nothing: tells what would be done. */
  readonly dryRun?: boolean;
}

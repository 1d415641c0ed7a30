/** The report of an undo. */

/** The outcome for one file; of a dry run, the expected outcome. */
export interface Undone {
  /** Relative to the workspace. */
  readonly path: string;
  /** `asBefore`: it already was as before the run. `left`: it stays as it is. */
  readonly outcome: 'restored' | 'removed' | 'asBefore' | 'left';
  /** Why the file is left, or only partly undone. */
  readonly why?: string;
}

export interface UndoReport {
  readonly interaction: string;
  readonly workspace: string;
  /** The last written file comes first. */
  readonly files: readonly Undone[];
  /** One line for each repository that was renamed, because it would run programs. */
  readonly setAside: readonly string[];
  /** The number of commands and other calls that may have changed more than these files. Those changes are unknown and stay. */
  readonly commands: number;
  /** The subset of these calls whose changes to files of the workspace are not known either. */
  readonly unknown: number;
  /** A file would be left, and with `isWhole` nothing was undone. */
  readonly isRefused?: true;
  /** The run can still be resumed. */
  readonly isOpen: boolean;
}

export interface UndoOptions {
  /** Changes nothing: reports what would be done. */
  readonly dryRun?: boolean;
  /** Only changes that were begun after this entry. */
  readonly after?: number;
  /** Undoes nothing if any file would be left. */
  readonly isWhole?: boolean;
}

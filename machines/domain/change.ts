/** The change that a write makes to a file, for people and judges. */

export interface Change {
  /** Relative to the workspace. */
  readonly path: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** Unified. Absent if there is none, as for a binary file. If it is cut off, its last line says how much is missing. */
  readonly diff?: string;
}

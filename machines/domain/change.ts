/** What a write does to a file, as people and judges read it. */

export interface Change {
  /** Relative to the workspace. */
  readonly path: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** Unified. Absent where none can be told, as of a binary file. What is cut off is said in its last line. */
  readonly diff?: string;
}

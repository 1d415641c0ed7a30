/** A law of verify.md as a reader of records. */

import type {RecordIndex} from './record-index.ts';

/** A statement that the record contradicts. */
export interface Violation {
  /** Its number in the list of laws. */
  readonly law: number;
  /** The `seq` of the entry that shows it. */
  readonly entry: number;
  readonly message: string;
}

/** A statement that the record does not show either way. */
export interface Unchecked {
  readonly law: number;
  readonly because: string;
  /** The record contradicts it, by the charts of this version. */
  readonly isContradicted?: true;
}

export interface LawReading {
  /** In the order of their entries. */
  readonly violations: readonly Violation[];
  readonly unchecked: readonly Unchecked[];
}

/** Called with what one law finds. */
export interface Findings {
  readonly violated: (law: number, entry: number, message: string) => void;
  /** As `violated`, for what other charts may have recorded in another way: in their records it is unchecked. */
  readonly unproven: (law: number, entry: number, message: string) => void;
  readonly unchecked: (law: number, because: string) => void;
}

export type Law = (record: RecordIndex, findings: Findings) => void;

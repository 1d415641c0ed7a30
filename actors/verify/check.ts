/** The outcomes of a verification. See ../verify.md for what each check shows. */

import type {NamedPoint} from '../history/points.ts';
import type {Origin, Salvaged} from '../journal/journal.ts';

export type CheckName = 'chain' | 'end' | 'replay' | 'laws' | 'signatures';

export type Finding =
  /** Every entry has the hash that follows from it and the one before. */
  | 'chained'
  /** The first entries were copied from another run, which must be verified by itself. */
  | 'copied'
  /** An entry was changed, or is missing, moved or unknown. */
  | 'broken'
  /** The last entry is the end of the run. */
  | 'ended'
  /** The run is open, and all of the entries that its journal wrote are there. */
  | 'open'
  | 'endMissing'
  /** The export does not hold the end of the run: the run was open, or its end is missing. */
  | 'notEnded'
  /** An entry follows the end of the run. */
  | 'afterEnd'
  /** The charts reach the recorded states, reports and result. */
  | 'replayed'
  | 'diverged'
  /** Not replayed as recorded: other charts recorded the run. */
  | 'otherVersion'
  | 'lawsHold'
  | 'lawBroken'
  | 'lawUnread'
  | 'signed'
  /** No entry is signed: an earlier version, or a journal without a key, recorded the run. */
  | 'unsigned'
  /** The entry, its place or the chain before it is not the one that was signed. */
  | 'forged'
  /** The end, or a decision of a person, is not signed. */
  | 'signatureMissing'
  /** The entry is signed with a key that was not given. */
  | 'otherKey'
  /** The entries are signed, and no key is given. */
  | 'keyMissing'
  /** Not reached, because the chain is broken. */
  | 'notReached';

export interface Check {
  readonly check: CheckName;
  readonly state: 'holds' | 'fails' | 'unchecked';
  readonly finding: Finding;
  /** The `seq` of the entry that shows it; for `signed`, of the last one that is signed. */
  readonly entry?: number;
  /** The number of a statement in verify.md; for `lawsHold`, of each that holds. */
  readonly laws?: readonly number[];
  /** Of copied entries: the last one, in the run that was copied. */
  readonly origin?: Origin;
  /** The id of a key. */
  readonly key?: string;
  /** Of a run that was replayed: its named points. */
  readonly points?: readonly NamedPoint[];
  /** In words. */
  readonly detail?: string;
}

export interface Verification {
  readonly id: string;
  /** The number of sound entries. */
  readonly entries: number;
  /** False when any check fails. */
  readonly holds: boolean;
  /** False when no check fails, but the run is not proven: it could not be replayed, a law seems broken, or a key is missing. */
  readonly isProven: boolean;
  readonly checks: readonly Check[];
}

/** The parts of {@link Salvaged} that are verified. `imported`: read from an export, of which no journal knows the end. */
export interface Verifiable extends Pick<
  Salvaged,
  'entries' | 'damage' | 'isEndMissing' | 'imported'
> {
  readonly id: string;
}

/** True when entries, not only the end, are damaged: the entries behind the damage are unknown. */
export function isBroken({damage, isEndMissing}: Verifiable): boolean {
  return damage !== undefined && isEndMissing !== true;
}

export interface VerifyOptions {
  /**
   * The public keys with which the run may be signed: PEM, or the base64 of the SPKI. The end of the run and the decisions of
   * persons must be signed then. Absent: no signature is required, and only the place of each is checked.
   */
  readonly key?: string | readonly string[];
}

/** A debate's ledger: the objections to a position, their answers, and the rulings. */

import type {Severity} from './patch.ts';

export interface Objection {
  /** `O1`, `O2` … in the order in which they were raised. */
  readonly id: string;
  /** The round in which it was raised, from 1. */
  readonly round: number;
  readonly severity: Severity;
  readonly objection: string;
  readonly evidence?: string;
  /** The proponent's last answer to it. */
  readonly answer?: string;
  readonly isConceded?: true;
  /** Absent: nobody has ruled on it. */
  readonly ruling?: 'resolved' | 'stands' | 'withdrawn';
  readonly reason?: string;
}

/** True if the objection is neither resolved nor withdrawn. */
export function isOpen({ruling}: Objection): boolean {
  return ruling !== 'resolved' && ruling !== 'withdrawn';
}

/** True if the objection is open and too grave for a settlement. */
export function isBlocking(objection: Objection): boolean {
  return isOpen(objection) && objection.severity !== 'minor';
}

/** The open objections, a line each, for the decision on the debated proposal. */
export function openObjections(objections: readonly Objection[]): string[] {
  return objections.filter(isOpen).map(({severity, objection, evidence, answer}) => {
    const because = evidence === undefined ? '' : ` (${evidence})`;
    return `${severity}: ${objection}${because}${answer === undefined ? '' : `; answered: ${answer}`}`;
  });
}

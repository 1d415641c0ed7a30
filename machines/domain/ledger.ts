/** A debate's ledger: what was held against a position, how it was answered, and what was ruled. */

import type {Severity} from './severity.ts';

export interface Objection {
  /** `O1`, `O2` … in the order in which they were raised. */
  readonly id: string;
  /** In which it was raised, from 1. */
  readonly round: number;
  readonly severity: Severity;
  readonly objection: string;
  readonly evidence?: string;
  /** The proponent's last word on it. */
  readonly answer?: string;
  readonly isConceded?: true;
  /** Absent: nobody has ruled on it. */
  readonly ruling?: 'resolved' | 'stands' | 'withdrawn';
  readonly reason?: string;
}

/** Neither met nor withdrawn. */
export function isOpen({ruling}: Objection): boolean {
  return ruling !== 'resolved' && ruling !== 'withdrawn';
}

/** Open, and too grave to settle over it. */
export function isBlocking(objection: Objection): boolean {
  return isOpen(objection) && objection.severity !== 'minor';
}

/** For those who decide on what was debated: what still stands against it, a line each. */
export function openObjections(objections: readonly Objection[]): string[] {
  return objections.filter(isOpen).map(({severity, objection, evidence, answer}) => {
    const because = evidence === undefined ? '' : ` (${evidence})`;
    return `${severity}: ${objection}${because}${answer === undefined ? '' : `; answered: ${answer}`}`;
  });
}

/** The reasons for which an expression has no value. */

export type ProblemCode =
  | 'syntax'
  | 'too_long'
  | 'too_deep'
  /** An integer beyond the limit or too large for a float, a power that is too large or not real. */
  | 'range'
  | 'division_by_zero'
  /** A float beyond the largest one. */
  | 'not_finite';

export interface Problem {
  readonly code: ProblemCode;
  /** In the expression, UTF-16 code units from 0. */
  readonly offset: number;
  readonly message: string;
}

/** Carries a problem out of a calculation. Never leaves tools/calculator/. */
export class ProblemMet extends Error {
  readonly problem: Problem;

  constructor(code: ProblemCode, offset: number, message: string) {
    super(message);
    this.problem = {code, offset, message};
  }
}

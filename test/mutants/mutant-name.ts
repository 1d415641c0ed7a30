/** The name of a mutant, as processes pass it to each other. */

export interface MutantName {
  /** The id of a machine of the registry. */
  readonly machine: string;
  readonly mutant: string;
}

/** The message of an error that is not of a suite begins with this text. */
export const setupFailed = 'unknown mutant';

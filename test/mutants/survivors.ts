/** Why no test notices a mutant: each reason is for the mutants that it matches, the first one counts. */

export interface SurvivorReason {
  /** Matches names of mutants. */
  readonly mutants: RegExp;
  readonly reason: string;
}

export const reasons: readonly SurvivorReason[] = [
  {
    mutants: /xstate\.error\.actor/v,
    reason: 'only a crash leads here: tests check that the run ends with the error, not each step',
  },
  {
    mutants: /^[^:]+: run the actions of .+ twice/v,
    reason: 'the second run changes the context, but no report, message or output that is checked',
  },
  {
    mutants: / at entry$/v,
    reason: 'no chart test requires this report, or this update of the context, in this state',
  },
  {
    mutants: /settings\.changed/v,
    reason: 'no chart test requires the effect of changed settings in this state',
  },
  {
    mutants: /./v,
    reason: 'no chart test distinguishes the transition that is taken instead',
  },
];

export function reasonFor(mutant: string): string | undefined {
  return reasons.find(({mutants}) => mutants.test(mutant))?.reason;
}

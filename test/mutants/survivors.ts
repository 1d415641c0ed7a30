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
    reason: 'no report, message or output that is checked depends on the second run',
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
    mutants: inStates(
      'agent.judged',
      'ask.answeringDirectly',
      'ask.checkingOutput.cutShort',
      'closing.writing',
      'discuss.awaitingHuman',
      'discuss.debating',
      'lock.claiming',
    ),
    reason: 'no scenario and no suite distinguishes the transition that is taken instead',
  },
  {
    mutants: /^tool-call\.spawning: drop child\.settled/v,
    reason: 'the result of the interaction is the same in the state that is entered instead',
  },
  {
    mutants: inStates('agent.awaitingAdvice'),
    reason: 'no scenario and no suite requires that the watch ends with the state',
  },
  {
    mutants: inStates(
      'architect.ordering',
      'field.interviewing',
      'field-reviewer.judging',
      'greeter.conversing',
      'greeter.posing',
      'interview.continued',
      'interview.paused',
      'interview.talking',
      'interviewer.conducting',
    ),
    reason:
      'no scenario and no suite of the interview distinguishes the transition that is taken instead',
  },
];

/** Matches the mutants of these states, and of the states within them. */
function inStates(...ids: readonly string[]): RegExp {
  return new RegExp(
    `^(?:${ids.map((id) => id.replaceAll('.', String.raw`\.`)).join('|')})[.:]`,
    'v',
  );
}

export function reasonFor(mutant: string): string | undefined {
  return reasons.find(({mutants}) => mutants.test(mutant))?.reason;
}

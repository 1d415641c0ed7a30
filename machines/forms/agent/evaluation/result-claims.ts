/** Claims of workers and of the closing answer, as the rules of evidence check them. */

import {hasClaims} from '../../../claims/claims.ts';
import {hashOf} from '../../../domain/digest.ts';
import type {ClaimedResult, Proposal} from '../../../domain/review.ts';
import type {PortRequest} from '../../../ports.ts';
import {type Ballot, rejectionReasons} from '../../../questions/ballot.ts';
import {type PlanRun, resultsOf} from '../execution/open-work.ts';

export interface Claimed {
  readonly request: string;
  readonly workspace: string;
  /** The plans that ran, in order. */
  readonly runs: readonly PlanRun[];
}

/** The reports of workers on the last plan: a later plan answers for the reports on earlier ones. */
export function reportsIn(runs: readonly PlanRun[]): readonly ClaimedResult[] {
  const {plan, results = []} = runs.at(-1) ?? {};
  return results.flatMap(({id, status, output}) => {
    const isReport = plan?.tasks.some((task) => task.id === id && task.args === undefined) === true;
    if (!isReport || status !== 'succeeded') return [];
    return [{task: id, succeeded: true, text: output, isReport}];
  });
}

export function isClaimed(runs: readonly PlanRun[]): boolean {
  return reportsIn(runs).some(({text}) => hasClaims(text));
}

/** Asks the rules of evidence whether the reports are true. */
export function reportsCheck(claimed: Claimed): PortRequest<'screenProposal'> {
  return checkOf(claimed, {claims: [], results: reportsIn(claimed.runs)});
}

/** Asks the rules of evidence whether a text on the results is true. */
export function textCheck(claimed: Claimed, text: string): PortRequest<'screenProposal'> {
  return checkOf(claimed, {claims: [text], results: []});
}

function checkOf(
  {request, workspace, runs}: Claimed,
  said: Pick<Proposal['facts'], 'claims' | 'results'>,
): PortRequest<'screenProposal'> {
  const evidence = resultsOf(runs).flatMap((result) => result.evidence);
  const proposal: Proposal = {
    kind: 'result',
    title: runs.at(-1)?.plan.objective ?? request,
    hash: hashOf({evidence, said}),
    text: '',
    facts: {request, workspace, evidence, calls: [], ...said},
  };
  return {policies: ['evidence'], proposal};
}

const contradiction = 'the record contradicts a claim: ';

/** The claims that the facts contradict. A policy that cannot judge contradicts nothing. */
export function contradictionsIn(ballots: readonly Ballot[]): readonly string[] {
  return rejectionReasons(ballots).map((reason) => `${contradiction}${reason}`);
}

/** Whether a report was contradicted, by the problems of the evaluation. */
export function isContradicted(problems: readonly string[]): boolean {
  return problems.some((problem) => problem.startsWith(contradiction));
}

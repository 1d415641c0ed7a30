/** Claims of workers and of the closing answer, for the `evidence` policy. */

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

/** The reports of workers on the last plan. Reports on earlier plans are not checked again. */
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

/** A request to check the workers' reports. */
export function reportsCheck(claimed: Claimed): PortRequest<'screenProposal'> {
  return checkOf(claimed, {claims: [], results: reportsIn(claimed.runs)});
}

/** A request to check a text about the results. */
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

/** The claims that the facts contradict. An abstention of the policy adds none. */
export function contradictionsIn(ballots: readonly Ballot[]): readonly string[] {
  return rejectionReasons(ballots).map((reason) => `${contradiction}${reason}`);
}

/** True if the problems of the evaluation contain a contradicted claim. */
export function isContradicted(problems: readonly string[]): boolean {
  return problems.some((problem) => problem.startsWith(contradiction));
}

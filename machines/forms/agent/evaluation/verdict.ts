/** Checks of the results by code. A model's verdict can't overrule them. */

import {hasClaims} from '../../../claims/claims.ts';
import {isForAbsentOnly, isOrderToWrite, isReadOnly} from '../../../claims/requests.ts';
import {hashOf} from '../../../domain/digest.ts';
import type {Task} from '../../../domain/plan.ts';
import {failedChecks, failedCheckText} from '../../../domain/result.ts';
import type {ClaimedResult, Proposal} from '../../../domain/review.ts';
import type {PortRequest} from '../../../ports.ts';
import {type Ballot, rejectionReasons} from '../../../questions/ballot.ts';
import type {Evaluation} from '../../../questions/evaluation.ts';
import {fateOf, openWork, type PlanRun, resultsOf} from '../execution/open-work.ts';

/** Every written file, once. */
export function writtenFiles(runs: readonly PlanRun[]): readonly string[] {
  return [...new Set(resultsOf(runs).flatMap(({written}) => written))];
}

/** The missing files that a command or a child may have removed after they were written: the evaluator judges them. */
export function removedSince(
  runs: readonly PlanRun[],
  missing: readonly string[],
): readonly string[] {
  const deeds = resultsOf(runs).flatMap(({evidence}) => evidence);
  const lastRun = deeds.findLastIndex(({did}) => did === 'ran' || did === 'spawned');
  const since = deeds.slice(lastRun + 1);
  if (lastRun === -1) return [];
  return missing.filter(
    (path) => !since.some(({did, target}) => did === 'wrote' && target === path),
  );
}

export interface Checked {
  readonly request: string;
  /** The plans that ran, in order. */
  readonly runs: readonly PlanRun[];
}

/** Problems independent of any model: open work, checks whose last run failed, missing files, and work that was not done. */
export function checkedProblems({request, runs}: Checked, missing: readonly string[]): string[] {
  const removed = removedSince(runs, missing);
  const ours = runs.at(-1)?.plan.tasks ?? [];
  const problems = [
    ...openWork(runs).map((task) =>
      ours.includes(task) ? stateOf(task, runs) : `${stateOf(task, runs)}; ${forgotten}`,
    ),
    ...leftChecks(runs),
    ...missing
      .filter((path) => !removed.includes(path))
      .map((path) => `the file ${path} is missing`),
  ];
  return problems.length > 0 ? problems : undoneWork({request, runs});
}

const nothingDone = 'nothing was done: ';

/**
 * A request for a change needs a successful call that changed or checked something, and any other request one that
 * succeeded, unless it asks for words only. The last plan that says what the request asks for decides, then its words.
 */
function undoneWork({request, runs}: Checked): string[] {
  const said = runs.findLast(({plan}) => plan.asks_for_change !== undefined);
  const isOrder = isOrderToWrite(request) && !isForAbsentOnly(request);
  const isForChange = said?.plan.asks_for_change ?? (isOrder || undefined);
  const isForWords = said ? isForChange === false : isReadOnly(request);
  const done = resultsOf(runs).flatMap(({evidence}) => evidence.filter(({ok}) => ok));
  const isDone = isForChange === true ? done.some(({did}) => did !== 'read') : done.length > 0;
  if (isForWords || isDone) return [];
  const why =
    isForChange === true ? 'no call changed or checked anything' : 'no call of a tool succeeded';
  return [
    `${nothingDone}${why}; a plan for a request that asks for words only says so in asks_for_change`,
  ];
}

/** True if one of the problems is that nothing was done. */
export function isUndone(problems: readonly string[]): boolean {
  return problems.some((problem) => problem.startsWith(nothingDone));
}

/** Checks whose last run failed. Tasks that are dropped don't count, and an open task names its check itself. */
function leftChecks(runs: readonly PlanRun[]): readonly string[] {
  const plans = runs.map(({plan}) => plan);
  const open = new Set(openWork(runs).map(({id}) => id));
  const calls = runs.flatMap(({plan, results}, at) =>
    results
      .filter(({id}) => {
        const task = plan.tasks.find((each) => each.id === id);
        const fate = task && fateOf(task, plans.slice(at + 1));
        return fate?.dropped === undefined;
      })
      .flatMap(({id, calls: own = []}) => own.map((call) => ({...call, isOpen: open.has(id)}))),
  );
  const ofOpen = failedChecks(calls.filter(({isOpen}) => isOpen));
  const known = new Set(ofOpen.map(failedCheckText));
  return failedChecks(calls)
    .map(failedCheckText)
    .filter((text) => !known.has(text));
}

const forgotten = 'no later plan redoes it or drops it with a reason';

function stateOf({id, description}: Task, runs: readonly PlanRun[]): string {
  const result = resultsOf(runs).findLast((each) => each.id === id);
  if (!result) return `task ${id} was not reached: ${description}`;
  return `task ${id} ${result.status}: ${result.failure?.message ?? result.output}`;
}

/** Adds the problems found by code. Any of them makes the evaluation unsuccessful. */
export function withChecks(evaluation: Evaluation, checked: readonly string[]): Evaluation {
  return {
    ...evaluation,
    successful: evaluation.successful && checked.length === 0,
    problems: [...checked, ...evaluation.problems],
  };
}

// Claims of workers and of the closing answer, for the `evidence` policy.

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

/** Folds of facts: results, decisions and changes of a run, each computed in one place. */

import type {AllowRule} from '../domain/allow-rule.ts';
import type {Change} from '../domain/change.ts';
import type {Decision, Denied, TaskResult} from '../domain/result.ts';
import type {ReviewRound} from '../domain/review.ts';
import type {LoopStep} from '../domain/tool.ts';
import {interactionIn} from '../tree/path.ts';
import type {Recorded} from './fact.ts';
import type {ProgressEvent} from './progress.ts';

type Facts = readonly Recorded[];

export function roundsIn(facts: Facts): ReviewRound[] {
  return facts.flatMap((fact) => {
    if (fact.type !== 'quorum.decided') return [];
    const {type: _, path: __, ...round} = fact;
    return [round];
  });
}

/** The last `count` votes before this one that rejected an action. */
export function rejectionsBefore(facts: Facts, round: ReviewRound, count: number): ReviewRound[] {
  const rejections = roundsIn(facts).filter(
    ({kind, verdict}) => kind === 'action' && verdict === 'rejected',
  );
  const own = rejections.findLastIndex(({proposalHash}) => proposalHash === round.proposalHash);
  return rejections.filter((_, index) => index !== own).slice(-count);
}

export function denialsIn(facts: Facts): Denied[] {
  return facts.flatMap((fact) =>
    fact.type === 'tool.settled' && fact.detail.denied ? [fact.detail.denied] : [],
  );
}

export function resultsIn(facts: Facts): TaskResult[] {
  return facts.flatMap((fact) => (fact.type === 'task.settled' ? [fact.detail.result] : []));
}

/** Ids of tasks that have started and not settled. */
export function tasksAtWork(facts: Facts): string[] {
  const atWork = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'task.started') atWork.add(fact.task);
    if (fact.type === 'task.settled') atWork.delete(fact.task);
  }
  return [...atWork];
}

export function stepsIn(facts: Facts): LoopStep[] {
  return facts.flatMap((fact) => (fact.type === 'steps.taken' ? fact.steps : []));
}

type Net = Omit<Change, 'diff' | 'net'>;

/** Each changed file once, in the order of their first change; a new file counts as changed even if it is empty. */
export function netChanges(facts: Facts): readonly Net[] {
  const settled = facts.filter((fact) => changesIn(fact).length > 0);
  const depth = sharedDepth(settled.map(({path}) => interactionIn(path, '')));
  const byPath = Map.groupBy(settled.flatMap(changesIn), ({path}) => path);
  return [...byPath].flatMap(([path, changes]) => {
    const {added, removed} = changes.at(-1)?.net?.[depth] ?? sumOf(changes);
    const isNew = isFrom(changes[0]) && !isTo(changes.at(-1));
    return added + removed > 0 || isNew ? [{path, added, removed}] : [];
  });
}

/** How many interactions below the root contain all of these. */
function sharedDepth(interactions: readonly string[]): number {
  const [first = [], ...others] = interactions.map((id) => id.split('.').slice(1));
  const differs = (at: number): boolean => others.some((other) => other[at] !== first[at]);
  const end = first.findIndex((_, at) => differs(at));
  return end < 0 ? first.length : end;
}

/** For records without net changes. */
function sumOf(changes: readonly Change[]): Omit<Net, 'path'> {
  return changes.reduce(
    (sum, {added, removed}) => ({added: sum.added + added, removed: sum.removed + removed}),
    {added: 0, removed: 0},
  );
}

function isFrom(change: Change | undefined): boolean {
  return change?.diff?.startsWith('--- /dev/null\n') ?? false;
}

function isTo(change: Change | undefined): boolean {
  return /^.*\n\+\+\+ \/dev\/null\n/.test(change?.diff ?? '');
}

function changesIn(fact: Recorded): readonly Change[] {
  return fact.type === 'tool.settled' ? (fact.changes ?? []) : [];
}

/** A fact of a tree, or its progress event. */
type Reported = (Recorded | ProgressEvent) & {
  /** Why a decision took no effect: see {@link withRefusals}. */
  readonly refused?: string;
};

/** All decisions in order: panels by their rounds, persons, rules and modes at gates. */
export function decisionsIn(facts: readonly Reported[]): Decision[] {
  return facts.flatMap((fact) => {
    if (fact.type === 'quorum.decided') return panelDecision(fact);
    if (fact.type !== 'human.decided') return [];
    const {by, decision, proposalHash: hash, reason, title, refused} = fact;
    const at = 'detail' in fact ? fact.detail.at : fact.at;
    return [
      {
        by,
        decision,
        hash,
        ...(at === undefined ? {} : {at}),
        ...(title === undefined ? {} : {title}),
        ...(reason === undefined ? {} : {reason}),
        ...(refused === undefined ? {} : {refused}),
      },
    ];
  });
}

/** The facts without `decision.refused`: the refused decisions have a `refused` member instead. */
export function withRefusals<Each extends Reported>(facts: readonly Each[]): readonly Each[] {
  const marked: Each[] = [];
  for (const fact of facts) {
    if (fact.type !== 'decision.refused') {
      marked.push(fact);
      continue;
    }
    const {proposalHash, because} = fact;
    const last = marked.findLastIndex(
      (each) => each.type === 'human.decided' && each.proposalHash === proposalHash,
    );
    const taken = marked[last];
    if (taken) marked[last] = {...taken, refused: because};
  }
  return marked;
}

/** A panel without quorum has decided nothing. */
function panelDecision({verdict, proposalHash, timestamp}: ReviewRound): Decision[] {
  if (verdict === 'noQuorum') return [];
  const decision = verdict === 'approved' ? 'approve' : 'reject';
  return [{by: 'panel', decision, at: timestamp, hash: proposalHash}];
}

/** True if the call with this hash was in doubt and not settled by a repeat: it may have happened. */
export function wasInDoubt(facts: Facts, hash: string): boolean {
  return facts.some(
    (fact) =>
      fact.type === 'human.decided' &&
      (fact.decision === 'fail' || fact.decision === 'done') &&
      fact.proposalHash === hash,
  );
}

/** The permanent permissions that persons gave in this run. */
export function rulesMade(facts: Facts): AllowRule[] {
  return facts.flatMap((fact) => (fact.type === 'rule.made' ? [fact.rule] : []));
}

/** Law 2: a plan is never executed without a recorded approval of that plan. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import {planDigest, type ProposedPlan} from '../../machines/domain/plan-changes.ts';
import type {Report} from '../../machines/facts/progress.ts';
import type {PlacedReport, RecordedRun} from '../history/record.ts';
import type {Law} from './law.ts';

type Decided = Extract<Report, {readonly type: 'quorum.decided' | 'human.decided'}>;

export const approvedPlans: Law = ({replayed}, {unproven, unchecked}) => {
  if (!replayed) {
    unchecked(2, 'the plans of a run are known only from its replay');
    return;
  }
  /** By the path of the agent. */
  const plans = new Map<string, ProposedPlan>();
  const decisions = new Map<string, Decided>();
  for (const placed of replayed.reports) {
    const {report, actor, entry} = placed;
    const plan = planIn(placed);
    if (plan) plans.set(actor, plan);
    else if (isDecision(report)) decisions.set(parentOf(actor), report);
    else if (report.type === 'task.started') {
      const agent = parentOf(actor);
      if (!isApprovedBy(plans.get(agent), decisions.get(agent)))
        unproven(2, entry, `task ${report.task} started, and its plan was not approved`);
    }
  }
};

function isDecision(report: Report): report is Decided {
  return report.type === 'quorum.decided' || report.type === 'human.decided';
}

function parentOf(actor: string): string {
  return actor.slice(0, Math.max(0, actor.lastIndexOf('/')));
}

/** The last decision about a plan of this agent counts. */
function isApprovedBy(proposed: ProposedPlan | undefined, decision: Decided | undefined): boolean {
  if (!proposed || !decision) return false;
  const digest = planDigest(proposed.plan, proposed.changes ?? []);
  if (decision.type === 'quorum.decided')
    return decision.kind === 'plan' && decision.approved && decision.proposalHash === digest;
  if (decision.by === 'auto_reject' || isRefusal(decision.decision)) return false;
  if (decision.decision === 'edit')
    return canonicalJson(callsIn(decision.plan)) === canonicalJson(callsIn(proposed.plan));
  return decision.proposalHash === digest;
}

function isRefusal(decision: string): boolean {
  return decision === 'reject' || decision === 'revise';
}

/** The exact calls of a plan: an edited plan is recorded as it was given. */
function callsIn(plan: object = {}): readonly unknown[] {
  const tasks: unknown = 'tasks' in plan ? plan.tasks : [];
  return Array.isArray(tasks) ? tasks.map((task: unknown) => callIn(task)) : [];
}

function callIn(task: unknown): readonly unknown[] {
  if (typeof task !== 'object' || task === null) return [];
  return ['description', 'tool', 'args'].map((name) => Reflect.get(task, name) ?? '');
}

/** The last plan that the agent at this path had proposed at the entry. */
export function planBefore(
  {replayed}: RecordedRun,
  agent: string,
  entry: number,
): ProposedPlan | undefined {
  const last = replayed?.reports.findLast(
    (placed) => placed.actor === agent && placed.entry <= entry && isPlan(placed),
  );
  return last && planIn(last);
}

export function planIn({report}: PlacedReport): ProposedPlan | undefined {
  return report.type === 'plan.created' || report.type === 'plan.revised' ? report : undefined;
}

function isPlan(placed: PlacedReport): boolean {
  return planIn(placed) !== undefined;
}

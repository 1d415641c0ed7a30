/** The plans of a run, from the reports of its replay. */

import type {ProposedPlan} from '../../machines/domain/plan-changes.ts';
import type {PlacedReport, RecordedRun} from '../history/record.ts';

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

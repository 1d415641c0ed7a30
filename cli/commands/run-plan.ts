/** `quorate run-plan FILE`: a run of the form agent that begins with a plan. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Command} from '../line/command.ts';
import {oneLine} from '../render/text.ts';

export const runPlan: Command = {
  operands: {usage: 'FILE', what: 'the file of a plan', values: 'file', least: 1, most: 1},
  summary: 'run the plan in a file, once the panel has approved it as any other',
  detail: `Runs a plan: the result of an earlier run (--output json), its .plan, or what you wrote in that shape. The panel votes
on it as on any other; if it is rejected, it is revised. The request of the run is the plan's objective.`,
  obeys: ['output', 'log', 'models', 'rule', 'panel', 'phases', 'plans', 'tasks', 'limits'],
  roles: ['exploration', 'decision', 'review'],
  examples: [
    'quorate --scope plan-only --output json "Rename getUser to fetchUser" > plan.json',
    'quorate run-plan plan.json',
  ],
  endsWithResult: 'agent',
  run: async (parsed, terminal) => {
    const [file = ''] = parsed.operands;
    const {readPlanData} = await import('../gate/plan-file.ts');
    const read = readPlanData(file);
    if (!read.ok) {
      throw new AppError(
        'usage',
        `the plan in ${oneLine(file)} can't be used: ${read.problems.join('; ')}`,
      );
    }
    const {launchRun} = await import('../start-run.ts');
    const plan = read.value;
    const request = objectiveOf(plan);
    return await launchRun(() => ({form: 'agent', request, plan}), {parsed, terminal});
  },
};

/** An invalid plan is refused with all its problems when the run is started. */
function objectiveOf(plan: unknown): string {
  const isNamed = typeof plan === 'object' && plan !== null && 'objective' in plan;
  return isNamed && typeof plan.objective === 'string' ? plan.objective : 'Run the plan';
}

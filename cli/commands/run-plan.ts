/** `quorate run-plan FILE`: a run of the form agent that begins with a plan. */

import type {Command} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';

export const runPlan: Command = {
  operands: {
    usage: 'FILE',
    what: {en: 'the file of a plan', ja: '計画のファイル'},
    values: 'file',
    least: 1,
    most: 1,
  },
  summary: {
    en: 'run the plan in a file, once the panel has approved it',
    ja: 'ファイルの計画を、合議体の承認を得て実行する',
  },
  detail: {
    en: `Runs a plan: the result of an earlier run (--output json), its .plan, or a plan of your own in that shape. The panel votes
on it as on any other; if it is rejected, it is revised. The request of the run is the plan's objective.`,
    ja: `計画を実行します: 以前の実行の結果（--output json）、その .plan、またはその形で書いたもの。合議体はほかの計画と同じく
投票し、却下されれば計画は直されます。実行の依頼は計画の目的です。`,
  },
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
      const [name, problems] = [oneLine(file), read.problems.join('; ')];
      throw usageError({
        en: `the plan in ${name} can't be used: ${problems}`,
        ja: `${name} の計画は使えません: ${problems}`,
      });
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

/** Finds the smallest plan that still breaks the law. */

import type {SimPlan} from './plan.ts';
import type {Planted} from './planted.ts';
import {type Outcome, simulate} from './simulate.ts';

/** `failed`: an outcome with a violation. Resolves with that of a plan from which no fault can be left out. */
export async function shrunk(failed: Outcome, bug?: Planted): Promise<Outcome> {
  const [first] = failed.violations;
  for (const plan of simplerThan(failed.plan)) {
    const outcome = await simulate(plan, bug);
    if (first && outcome.violations.some(({law}) => law === first.law))
      return await shrunk(outcome, bug);
  }
  return failed;
}

/** Plans with one fault less, with an earlier fault, or with usual settings. */
function simplerThan(plan: SimPlan): SimPlan[] {
  const {faults} = plan;
  const without = faults.map((_, index) =>
    Object.assign({}, plan, {faults: faults.toSpliced(index, 1)}),
  );
  const plain: SimPlan[] = [
    {...plan, limits: 'usual'},
    {...plan, rule: 'majority'},
    {...plan, hilMode: 'interactive'},
    {...plan, scene: 'agent'},
  ];
  return [...without, ...plain.filter((each) => JSON.stringify(each) !== JSON.stringify(plan))];
}

/** Checks and warnings for the settings of the agent form. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Seat} from '../../machines/domain/review.ts';
import {type Models, placeOf, type RoleContext} from './roles.ts';
import type {Config} from './schema.ts';

/** Throws AppError `config` for the strategy `debate` with a single planner. */
export function checkStrategy(agent: Config['agent'], context: RoleContext): void {
  if (agent.strategy !== 'debate' || agent.consensus_level === 'ensemble') return;
  throw new AppError(
    'config',
    `${placeOf('agent.strategy', context)}: solo with debate is a contradiction, because a debate needs the plans of several models; write "quorum", or consensus_level = "ensemble"`,
  );
}

/** Warns when an ensemble cannot take place: it needs at least two planners and the scope `full` or `plan-only`. */
export function ensembleWarnings({agent}: Config, panel: readonly Seat[]): string[] {
  if (agent.consensus_level !== 'ensemble') return [];
  if (agent.phase_scope === 'fast')
    return ['with the scope fast one model plans alone; the ensemble is not used'];
  const planners = new Set(panel.filter(({kind}) => kind === 'model').map(({model}) => model));
  if (planners.size > 1) return [];
  return [
    `an ensemble needs two models on the panel (agent.review_models), and there ${planners.size === 1 ? 'is one' : 'are none'}: one planner plans alone`,
  ];
}

/** Warns when the decision model has every seat, so that only the screening policies review its work as well. */
export function selfJudgeWarnings(
  {decision}: Pick<Models, 'decision'>,
  panel: readonly Seat[],
): string[] {
  const isAlone = panel.length > 0 && panel.every(({model}) => model === decision);
  if (!isAlone) return [];
  return [
    `${decision} is the only reviewer of its own plans and actions; seat another model with -m review=NAME or agent.review_models`,
  ];
}

/** One line for each model that has several seats of the panel. */
export function oneModelWarnings(panel: readonly Seat[]): string[] {
  return [...Map.groupBy(panel, ({model}) => model)].flatMap(([model, seats]) =>
    seats.length === 1
      ? []
      : [
          `${seats.length} seats of the panel have one model, ${model}: their votes are not independent`,
        ],
  );
}

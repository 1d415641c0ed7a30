/** What the configuration says of the agent form. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Seat} from '../../machines/domain/review.ts';
import {placeOf, type RoleContext, type Roles} from './roles.ts';
import type {Config} from './schema.ts';

/** Throws AppError `config` when one planner is to debate with itself. */
export function checkStrategy(agent: Config['agent'], context: RoleContext): void {
  if (agent.strategy !== 'debate' || agent.consensus_level === 'ensemble') return;
  throw new AppError(
    'config',
    `${placeOf('agent.strategy', context)}: solo with debate is a contradiction, as a debate needs the plans of several models; write "quorum", or consensus_level = "ensemble"`,
  );
}

/** An ensemble takes at least two planners, and time. */
export function ensembleWarnings({agent}: Config, panel: readonly Seat[]): string[] {
  if (agent.consensus_level !== 'ensemble') return [];
  if (agent.phase_scope === 'fast') return ['fast has one planner: the ensemble is left out'];
  const planners = new Set(panel.filter(({kind}) => kind === 'model').map(({model}) => model));
  if (planners.size > 1) return [];
  return [
    `an ensemble takes two models on the panel (agent.review_models), and there ${planners.size === 1 ? 'is one' : 'is none'}: one planner plans alone`,
  ];
}

/** A model that judges its own work, and nobody else does but the policies that screen. */
export function selfJudgeWarnings(
  {decision}: Pick<Roles, 'decision'>,
  panel: readonly Seat[],
): string[] {
  const isAlone = panel.length > 0 && panel.every(({model}) => model === decision);
  if (!isAlone) return [];
  return [
    `${decision} is the only judge of what it plans and does; seat another model with -m review=NAME or agent.review_models`,
  ];
}

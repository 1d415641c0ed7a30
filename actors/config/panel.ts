/** The seats of the panel: their models, names, weights and vetoes. */

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import type {Seat} from '../../machines/domain/review.ts';
import {
  approvalsNeeded,
  isReachable,
  ruleHelp,
  ruleText,
  tryParseRule,
} from '../../machines/panel/rule.ts';
import type {Config} from './schema.ts';

export const policySeats = ['policy/safety', 'policy/scope', 'policy/evidence'] as const;

/** The name in `quorum.veto` that means every policy reviewer. */
export const allPolicies = 'policy/*';

export function isPolicy(model: string): boolean {
  return model.startsWith('policy/');
}

/** A seat before weights: `model` is `provider/model` or `policy/name`. */
export interface Sitting {
  readonly id: string;
  readonly model: string;
}

/**
 * Names the seats: by the bare name of the model, or by `provider/model` if two models share the bare name. Further seats of
 * one model get `#2`, `#3` ….
 */
export function nameSeats(models: readonly string[]): Sitting[] {
  const modelsOfName = new Map<string, Set<string>>();
  for (const model of models) {
    const bare = bareName(model);
    modelsOfName.set(bare, (modelsOfName.get(bare) ?? new Set()).add(model));
  }
  const seen = new Map<string, number>();
  return models.map((model) => {
    const bare = bareName(model);
    const name = (modelsOfName.get(bare)?.size ?? 0) > 1 ? model : bare;
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return {id: nth === 1 ? name : `${name}#${nth}`, model};
  });
}

/** A name with a second slash keeps its provider, so that no model can be mistaken for a policy reviewer. */
function bareName(model: string): string {
  const bare = model.slice(model.indexOf('/') + 1);
  return isPolicy(model) || bare.includes('/') ? model : bare;
}

export interface Voices {
  /** The panel of the run. */
  readonly sitting: readonly Sitting[];
  /** The panel as configured: weights and vetoes may name its seats even if other reviewers have taken them. */
  readonly configured: readonly Sitting[];
  /** Returns `provider/model` for a name that is not the id of a seat; undefined if no provider has it. */
  readonly canonical: (name: string) => string | undefined;
  /** True when the user wrote `quorum.veto`. */
  readonly vetoNamed: boolean;
}

/**
 * Assigns weights and vetoes to the seats. The id of a seat means that seat; the name of a model means all of its seats.
 * Throws AppError `config` for a name without a seat.
 */
export function toSeats(quorum: Config['quorum'], voices: Voices): Seat[] {
  for (const name of Object.keys(quorum.weights)) checkName('weights', name, voices);
  if (voices.vetoNamed) for (const name of quorum.veto) checkName('veto', name, voices);
  const weights = Object.entries(quorum.weights);
  return voices.sitting.map(({id, model}) => {
    const seat = {id, model};
    const weight =
      weights.find(([name]) => name === id) ?? weights.find(([name]) => names(name, seat, voices));
    return {
      id,
      model,
      kind: isPolicy(model) ? 'policy' : 'model',
      weight: weight?.[1] ?? 1,
      veto: quorum.veto.some((name) => names(name, seat, voices)),
    };
  });
}

/** True if the name means the seat. The id of a seat means that seat only. */
function names(name: string, seat: Sitting, voices: Voices): boolean {
  if (name === allPolicies) return isPolicy(seat.model);
  if (voices.sitting.some(({id}) => id === name)) return seat.id === name;
  return name === seat.model || voices.canonical(name) === seat.model;
}

function checkName(key: 'weights' | 'veto', name: string, voices: Voices): void {
  if (name === allPolicies && key === 'veto') return;
  const seats = [...voices.sitting, ...voices.configured];
  const canonical = voices.canonical(name);
  if (seats.some(({id, model}) => name === id || name === model || canonical === model)) return;
  const ids = [...new Set(seats.map(({id}) => id))];
  throw new AppError(
    'config',
    `quorum.${key} names "${name}", which has no seat on the panel (${ids.join(', ')})${didYouMean(name, ids)}`,
  );
}

/** Throws AppError `config` for a rule or a minimum participation that a panel of this size cannot reach. */
export function checkRule(quorum: Config['quorum'], panel: readonly Seat[]): void {
  const rule = tryParseRule(quorum.rule);
  const seats = `the panel has ${panel.length} (${panel.map(({id}) => id).join(', ')})`;
  if (!rule) {
    throw new AppError(
      'config',
      `quorum.rule: "${quorum.rule}" is not a quorum rule; write ${ruleHelp}`,
    );
  }
  if (!isReachable(rule, panel.length)) {
    throw new AppError(
      'config',
      `quorum.rule: ${ruleText(rule)} needs ${approvalsNeeded(rule, panel.length)} seats, but ${seats}; lower the number or add reviewers`,
    );
  }
  if (quorum.min_participation > panel.length) {
    throw new AppError(
      'config',
      `quorum.min_participation is ${quorum.min_participation}, but ${seats}; lower it or add reviewers`,
    );
  }
}

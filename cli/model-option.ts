/** `-m [ROLE=]MODEL`: which model takes which role. */

import {AppError} from '../machines/domain/app-error.ts';
import {didYouMean} from '../machines/domain/nearest.ts';
import type {Override} from './option.ts';

/** The keys of the roles; `review` holds several models. */
const roles: Readonly<Record<string, {readonly key: string; readonly several?: true}>> = {
  exploration: {key: 'agent.exploration_model'},
  decision: {key: 'agent.decision_model'},
  review: {key: 'agent.review_models', several: true},
  ask: {key: 'ask.model'},
};
const roleNames = Object.keys(roles);

/** A model without a role takes every role that no other flag names. Throws AppError `usage`. */
export function modelOverrides(flags: readonly string[]): Override[] {
  const models = flags.map(readModel);
  const everywhere = models.filter(({role}) => role === undefined);
  if (everywhere.length > 1) {
    throw new AppError(
      'usage',
      `-m names two models for every role (${everywhere.map(({name}) => name).join(', ')}); ` +
        'give each a role, such as -m decision=NAME -m review=NAME',
    );
  }
  return Object.entries(roles).flatMap(([role, {key, several}]): Override[] => {
    const own = models.filter((model) => model.role === role);
    const names = (own.length > 0 ? own : everywhere).map(({name}) => name);
    const single = names.at(-1);
    if (single === undefined) return [];
    const source = own.length > 0 ? `-m ${role}=${single}` : `-m ${single}`;
    return [{key, value: several ? names : single, source}];
  });
}

function readModel(flag: string): {role: string | undefined; name: string} {
  const equals = flag.indexOf('=');
  const role = equals < 0 ? undefined : flag.slice(0, equals);
  const name = flag.slice(equals + 1).trim();
  if (role !== undefined && !roleNames.includes(role)) {
    throw new AppError(
      'usage',
      `-m: there is no role "${role}" among ${roleNames.join(', ')}${didYouMean(role, roleNames)}`,
    );
  }
  if (name === '') {
    throw new AppError('usage', `-m ${flag} names no model; write -m [ROLE=]PROVIDER/MODEL`);
  }
  return {role, name};
}

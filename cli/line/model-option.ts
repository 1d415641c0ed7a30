/** `-m [ROLE=]MODEL`: assigns models to roles. */

import {listed, t} from '../../machines/message.ts';
import type {Override} from './option.ts';
import {meant, usageError} from './usage-error.ts';

/** The keys of the roles; some hold several models. */
const roles: Readonly<Record<string, {readonly key: string; readonly several?: true}>> = {
  exploration: {key: 'agent.exploration_model'},
  decision: {key: 'agent.decision_model'},
  review: {key: 'agent.review_models', several: true},
  ask: {key: 'ask.model'},
  participants: {key: 'discuss.participants', several: true},
  moderator: {key: 'discuss.moderator'},
  interview: {key: 'interview.model'},
  'interview-reviewer': {key: 'interview.reviewer'},
};
export const roleNames = Object.keys(roles);

/** The role of a key; the key itself if it is not a role's. */
export function roleOf(key: string): string {
  return roleNames.find((role) => roles[role]?.key === key) ?? key;
}

const severals = roleNames.filter((role) => roles[role]?.several === true);

/** A model without a role takes every role without a flag of its own. `as`: the flag in messages. Throws AppError `usage`. */
export function modelOverrides(flags: readonly string[], as = '-m'): Override[] {
  const models = flags.flatMap((flag) => readModels(flag, as));
  const everywhere = models.filter(({role}) => role === undefined);
  if (everywhere.length > 1) {
    const given = everywhere.map(({name}) => name).join(', ');
    throw usageError(
      t`${as} names two models for every role (${given}); give each a role, such as ${as} decision=NAME ${as} review=NAME`,
    );
  }
  return Object.entries(roles).flatMap(([role, {key, several}]): Override[] => {
    const own = models.filter((model) => model.role === role);
    const names = (own.length > 0 ? own : everywhere).map(({name}) => name);
    const single = names.at(-1);
    if (single === undefined) return [];
    const source = own.length > 0 ? `${as} ${role}=${single}` : `${as} ${single}`;
    return [{key, value: several ? names : single, source}];
  });
}

/** Throws AppError `usage` for a role in which the command calls no model. */
export function requireRoles(flags: readonly string[], played: readonly string[]): void {
  const idle = flags
    .flatMap((flag) => readModels(flag, '-m'))
    .find(({role}) => role && !played.includes(role));
  if (idle?.role === undefined) return;
  const [flag, own] = [`-m ${idle.role}=${idle.name}`, played.join(', ')];
  throw usageError(
    t`${flag}: this command calls no model in the role ${idle.role}; its roles are ${own}`,
  );
}

interface RoleModel {
  readonly role: string | undefined;
  readonly name: string;
}

/** `a`, `ROLE=a`, `review=a,b`. */
function readModels(flag: string, as: string): RoleModel[] {
  const equals = flag.indexOf('=');
  const role = equals < 0 ? undefined : flag.slice(0, equals);
  if (role !== undefined && !roleNames.includes(role)) {
    const [known, near] = [roleNames.join(', '), meant(role, roleNames)];
    throw usageError(t`${as}: there is no role "${role}" among ${known}${near}`);
  }
  const names = flag.slice(equals + 1).split(',');
  if (names.some((name) => name.trim() === '')) {
    throw usageError(t`${as} ${flag} names no model; write ${as} [ROLE=]PROVIDER/MODEL`);
  }
  const isSeveral = role !== undefined && roles[role]?.several === true;
  if (names.length > 1 && !isSeveral) {
    const all = listed(severals, (before, last) => t`${before} and ${last}`);
    throw usageError(t`${as} ${flag}: only the roles ${all} take several models`);
  }
  return names.map((name) => ({role, name: name.trim()}));
}

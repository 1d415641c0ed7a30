/** Chooses the models that lead an interview and judge its answers from the models that can be used. */

import type {InterviewSettings} from '../../machines/domain/settings.ts';
import {camelKeys} from './casing.ts';
import {gaveWayLines} from './gave-way.ts';
import {offlineModel, type RoleContext, type Roles, usable} from './roles.ts';
import type {Config} from './schema.ts';

export interface InterviewRoles {
  readonly settings: InterviewSettings;
  /** True if rules lead the interview. */
  readonly isOffline: boolean;
  /** `provider/model` of both. */
  readonly models: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The leading model is the named one, otherwise the decision model; the reviewer is the named one, otherwise the leading model.
 * Throws AppError as `resolveRoles` does.
 */
export function resolveInterview(
  {interview}: Config,
  roles: Roles,
  context: RoleContext,
): InterviewRoles {
  const {model: named, reviewer: judging} = interview;
  const model =
    named === '' ? roles.decision : (usable('interview.model', named, context) ?? roles.decision);
  const reviewer =
    judging === '' ? model : (usable('interview.reviewer', judging, context) ?? model);
  return {
    isOffline: model === offlineModel,
    models: [model, reviewer],
    settings: {...camelKeys(interview), model, reviewer},
    warnings: named === '' ? gaveWayLines(roles.warnings.decision) : [],
  };
}

/** The keys from which the models of an interview are read. */
export function keysForInterview({interview: {model, reviewer}}: Config): readonly string[] {
  return [
    model === '' ? 'agent.decision_model' : 'interview.model',
    ...(reviewer === '' ? [] : ['interview.reviewer']),
  ];
}

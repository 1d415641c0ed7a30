/** Which models lead an interview and judge its answers, given those that can be used. */

import type {InterviewSettings} from '../../machines/domain/settings.ts';
import {camelKeys} from './casing.ts';
import {gaveWayLines} from './gave-way.ts';
import {offlineModel, type RoleContext, type Roles, usable} from './roles.ts';
import type {Config} from './schema.ts';

export interface InterviewRoles {
  readonly settings: InterviewSettings;
  /** Rules alone lead it. */
  readonly isOffline: boolean;
  /** `provider/model` of both. */
  readonly models: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The model that is named, else the decision model; as reviewer the one that is named, else that which leads. Throws AppError
 * as `resolveRoles` does.
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

/** Of keys that name a model: those that are read for an interview. */
export function keysForInterview({interview: {model, reviewer}}: Config): readonly string[] {
  return [
    model === '' ? 'agent.decision_model' : 'interview.model',
    ...(reviewer === '' ? [] : ['interview.reviewer']),
  ];
}

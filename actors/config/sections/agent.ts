/** `[agent]`: planning, review and execution of a task, and the models for them. */

import {z} from 'zod';

import type {AgentSettings} from '../../../machines/domain/settings.ts';
import {camelKeys} from '../casing.ts';
import {fixedLimit, limit, maxSeats, modelName, plainText, whole} from './kinds.ts';
import {changeable, fixed, renewing} from './row.ts';
import {higher, onlyOn, ordered} from './stricter.ts';

export const agentSection = z.strictObject({
  consensus_level: renewing(
    'planning',
    'ensemble: each model of the panel drafts the first plan and scores the drafts of the others',
  )(z.enum(['solo', 'ensemble']).default('solo')),
  phase_scope: fixed(
    'full; fast: only the policy reviewers vote; plan-only: ends with the reviewed plan',
    ordered('fast', 'full', 'plan-only'),
  )(z.enum(['full', 'fast', 'plan-only']).default('full')),
  strategy: renewing(
    'planning',
    'for an ensemble: quorum, or debate, in which its plan is debated before the panel votes',
  )(z.enum(['quorum', 'debate']).default('quorum')),
  hil_mode: changeable(
    'who decides when the panel cannot: a person, or nobody (reject or approve)',
    ordered('auto_approve', 'interactive', 'auto_reject'),
  )(z.enum(['interactive', 'auto_reject', 'auto_approve']).default('interactive')),
  max_plan_revisions: changeable(
    'rejections of a plan before a person is asked; fewer if the planner has no other plan',
  )(whole(1, 100).default(3)),
  min_plan_score: changeable(
    'for an ensemble: if the best plan has a lower mean score (1 … 10), it is drafted once more',
    higher,
  )(z.number().min(1).max(10).default(6)),
  max_replans: limit('new plans for the remaining work after problems in a result')([0, 100, 2]),
  max_iterations: limit('tasks started in a run, including the tasks of new plans')([
    1, 10_000, 50,
  ]),
  max_tool_turns: limit('model calls of one task')([1, 1_000, 100]),
  max_tool_retries: limit('retries of a tool after a transient failure')([0, 100, 2]),
  max_tool_schema_tokens: fixedLimit(
    'tokens of the tool definitions in a request; other tools are only named, and found with find_tools',
  )([200, 1_000_000, 2_000]),
  max_parallel_tasks: limit('tasks that run at the same time')([1, 64, 4]),
  gathering: fixed(
    'auto: a model explores before the plan, if there are ten files or more; rules: no model does',
  )(z.enum(['auto', 'rules']).default('auto')),
  require_plan_review: fixed(
    'nothing runs without a vote: this cannot be switched off',
    onlyOn,
  )(
    z
      .boolean()
      .refine(Boolean, 'is not possible: plan review is mandatory; remove the key or write true')
      .default(true),
  ),
  require_final_review: changeable(
    'the panel also votes on the result',
    onlyOn,
  )(z.boolean().default(false)),
  working_dir: fixed('the folder to work in; empty: the current folder')(plainText.default('')),
  confirm_execution: changeable(
    'a person is asked before an approved plan runs',
    onlyOn,
  )(z.boolean().default(false)),
  exploration_model: changeable('the model that reads the workspace and does harmless tasks')(
    modelName.default('claude-haiku-4.5'),
  ),
  decision_model: renewing(
    'leaders',
    'the model that plans, acts and judges',
  )(modelName.default('claude-sonnet-4.5')),
  review_models: renewing(
    'panel',
    'the seats of the panel: models, or policy/safety, policy/scope, policy/evidence',
  )(z.array(modelName).min(1).max(maxSeats).default(['claude-sonnet-4.5', 'gpt-5.2-codex'])),
});

/** The order of the members is the order in listings of changes: the strategy comes first. */
export function agentSettings(
  agent: z.infer<typeof agentSection>,
  {exploration, decision}: {readonly exploration: string; readonly decision: string},
): AgentSettings {
  return {
    strategy: agent.strategy,
    ...camelKeys(agent, [
      'strategy',
      'require_plan_review',
      'working_dir',
      'review_models',
      'max_tool_schema_tokens',
    ]),
    consensusLevel: agent.phase_scope === 'fast' ? 'solo' : agent.consensus_level,
    explorationModel: exploration,
    decisionModel: decision,
  };
}

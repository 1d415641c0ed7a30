/** `[agent]`: planning, review and execution of a task, and the models for them. */

import {z} from 'zod';

import type {AgentSettings} from '../../../machines/domain/settings.ts';
import {ruleHelp, ruleSpellings, tryParseRule} from '../../../machines/panel/rule.ts';
import {builtInPolicies} from '../../policies/names.ts';
import {
  camelKeys,
  changeable,
  fixed,
  fixedLimit,
  higher,
  integer,
  limit,
  maxSeats,
  modelName,
  modelOrNone,
  onlyOn,
  ordered,
  plainText,
  renewing,
  stricterRule,
  superset,
} from './row.ts';

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
  )(integer(1, 100).default(3)),
  min_plan_score: changeable(
    'for an ensemble: if the best plan has a lower mean score (1 … 10), it is drafted once more',
    higher,
  )(z.number().min(1).max(10).default(6)),
  max_replans: limit('new plans for the remaining work after problems in a result')([0, 100, 2]),
  max_iterations: limit('tasks started in a run, including the tasks of new plans')([
    1, 10_000, 50,
  ]),
  max_tool_turns: limit('model calls of one task')([1, 1_000_000, 100]),
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

// `[ask]`, `[discuss]`, `[debate]` and `[interview]`: their models and limits.

export const askSection = z.strictObject({
  model: changeable('the model that answers questions')(modelName.default('claude-sonnet-4.5')),
  max_steps: limit('model calls for one question')([1, 1_000_000, 10]),
  max_retries: limit('retries of a failed tool')([0, 100, 2]),
  /** Older messages are dropped. */
  max_history: limit('messages of a conversation that are kept')([8, 10_000, 50]),
});

export const discussSection = z.strictObject({
  participants: renewing(
    'sides',
    'the models that discuss; empty: those of agent.review_models',
  )(z.array(modelName).max(maxSeats).default([])),
  moderator: changeable('the model that draws the conclusion; empty: agent.decision_model')(
    modelOrNone.default(''),
  ),
  strategy: changeable(
    'quorum: all answer and rank each other; debate: one defends a position against the objections of another',
  )(z.enum(['quorum', 'debate']).default('quorum')),
  deadline_ms: limit(
    'the time limit of one answer, one review, one conclusion, one turn of a debate',
  )([1, 86_400_000, 300_000]),
});

export const debateSection = z.strictObject({
  models: renewing(
    'sides',
    'proponent and opponent; empty: the first two participants of a discussion',
  )(z.array(modelName).max(2).default([])),
  max_rounds: changeable('rounds of objections before open grave objections go to a person')(
    integer(1, 100).default(3),
  ),
  intensity: changeable('how hard the opponent argues')(z.enum(['mild', 'strong']).default('mild')),
});

export const interviewSection = z.strictObject({
  model: renewing(
    'leaders',
    'the model that leads interviews; empty: agent.decision_model',
  )(modelOrNone.default('')),
  reviewer: renewing(
    'leaders',
    'the model that judges whether an answer suffices, if rules cannot; empty: interview.model',
  )(modelOrNone.default('')),
  max_loops: limit(
    'model calls of one agent of an interview before it must ask; then a prepared question is asked',
  )([1, 100, 10]),
  max_follow_ups: limit(
    'questions about one field after the first; then the field is left as it is, or skipped',
  )([0, 100, 3]),
});

// `[quorum]`: the rule of a panel, its time limits, and the weights and vetoes of its seats.

export const quorumSection = z.strictObject({
  rule: changeable(
    `when the panel has decided: ${ruleSpellings}`,
    stricterRule,
  )(
    z
      .string()
      .refine((rule) => tryParseRule(rule) !== undefined, `is not a quorum rule; write ${ruleHelp}`)
      .default('majority'),
  ),
  min_participation: changeable('the minimum number of votes for a decision')(
    integer(1, maxSeats).default(1),
  ),
  deadline_ms: changeable('the time limit of a reviewer')(integer(1, 86_400_000).default(120_000)),
  feedback_grace_ms: changeable('after a rejection, the time to wait for more reasons')(
    integer(0, 3_600_000).default(5_000),
  ),
  weights: renewing(
    'panel',
    'the weight of a vote from this seat; 1 unless it is set',
  )(z.record(modelName, z.number().positive().max(1_000)).default({})),
  veto: renewing(
    'panel',
    'seats whose approval is required; policy/* means every policy reviewer',
    superset,
  )(z.array(modelName).max(maxSeats).default(['policy/*'])),
  screen: changeable(
    'policy reviewers that check each proposal before any model is asked; a refusal is a veto',
    superset,
  )(
    z
      .array(modelName)
      .max(maxSeats)
      .default(builtInPolicies.map((name) => `policy/${name}`)),
  ),
});

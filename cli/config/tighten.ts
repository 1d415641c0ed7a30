/**
 * What a project file may do before the user trusts it: make things stricter. Whoever wrote the project is not
 * whoever runs it here.
 */

import type {KeyPath} from '../../actors/config/keys.ts';
import {isAsStrict, tryParseRule} from '../../machines/panel/rule.ts';

/** Whether `next` is as strict as `now` or stricter. */
type Comparison = (next: unknown, now: unknown, panel: Panel) => boolean;

/** The panel that the user's own configuration leads to. */
export interface Panel {
  readonly seats: number;
  readonly weighted: boolean;
}

const lower: Comparison = (next, now) =>
  typeof next === 'number' && typeof now === 'number' && next <= now;
const higher: Comparison = (next, now) => lower(now, next, {seats: 0, weighted: false});
const onlyOn: Comparison = (next, now) => next === true || now === false;
const onlyOff: Comparison = (next, now) => next === false || now === true;
const superset: Comparison = (next, now) =>
  Array.isArray(next) && Array.isArray(now) && now.every((item) => next.includes(item));

const subset: Comparison = (next, now, panel) => superset(now, next, panel);

/** The later in the list, the stricter. */
const ordered =
  (...levels: readonly unknown[]): Comparison =>
  (next, now) =>
    levels.indexOf(next) >= levels.indexOf(now);

/**
 * Keys that are not here need trust: models and providers (they receive the code), paths, prices, secrets, what reaches
 * commands. So do those that open a human gate sooner, where `auto_approve` may answer what a panel would have refused:
 * times and turnout of a vote, how often a plan or a position is gone over.
 */
const comparisons: Readonly<Record<string, Comparison>> = {
  'agent.phase_scope': ordered('fast', 'full', 'plan-only'),
  'agent.hil_mode': ordered('auto_approve', 'interactive', 'auto_reject'),
  'agent.min_plan_score': higher,
  'agent.max_replans': lower,
  'agent.max_iterations': lower,
  'agent.max_tool_turns': lower,
  'agent.max_tool_retries': lower,
  'agent.max_parallel_tasks': lower,
  'agent.require_plan_review': onlyOn,
  'agent.require_final_review': onlyOn,
  'agent.confirm_execution': onlyOn,
  'quorum.rule': stricterRule,
  'quorum.veto': superset,
  'quorum.screen': superset,
  'discuss.deadline_ms': lower,
  'ask.max_steps': lower,
  'ask.max_retries': lower,
  'ask.max_history': lower,
  'interview.max_loops': lower,
  'interview.max_follow_ups': lower,
  'guardrails.max_input_tokens': lower,
  'guardrails.max_output_tokens': lower,
  'guardrails.blocked_patterns': superset,
  'search.top_k': lower,
  'database.max_rows': lower,
  'web.enabled': onlyOff,
  'web.allow_private': onlyOff,
  'limits.max_cost_usd': lower,
  'limits.max_model_calls': lower,
  'limits.timeout_ms': lower,
  'context.max_entry_bytes': lower,
  'context.max_total_bytes': lower,
  'context.recent_full_count': lower,
  'commands.max_memory_percent': lower,
  'commands.max_processes': lower,
  'sandbox.mode': ordered('off', 'auto', 'required'),
  'sandbox.network': subset,
};

/** Whether an untrusted file may set the key to `next` where the user has `now`. */
export function mayTighten(path: KeyPath, next: unknown, now: unknown, panel: Panel): boolean {
  if (JSON.stringify(next) === JSON.stringify(now)) return true;
  const key = path.join('.');
  const comparison = Object.hasOwn(comparisons, key) ? comparisons[key] : undefined;
  return comparison?.(next, now, panel) ?? false;
}

/** The panel of the policy reviewers, which may sit instead of the configured one. */
const policyPanelSize = 3;

function stricterRule(next: unknown, now: unknown, {seats, weighted}: Panel): boolean {
  const [after, before] = [next, now].map((text) => tryParseRule(String(text)));
  if (!after || !before) return false;
  return isAsStrict(after, before, {sizes: [seats, policyPanelSize], weighted});
}

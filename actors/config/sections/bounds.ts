/** `[guardrails]`, `[search]`, `[database]`, `[web]`, `[limits]` and `[context]`: sources and limits of a run. */

import {z} from 'zod';

import type {ContextSettings} from '../../../machines/domain/settings.ts';
import {patternProblem} from '../../../tools/guardrails.ts';
import {camelKeys} from '../casing.ts';
import {fixedLimit, limit, maxTimerMs, maxTokens, plainText, usd, whole} from './kinds.ts';
import {changeable, fixed} from './row.ts';
import {lower, onlyOff, superset} from './stricter.ts';

const maxBytes = 100_000_000;

const blockedPattern = z
  .string()
  .min(1)
  .max(1_000)
  .superRefine((pattern, context) => {
    const problem = patternProblem(pattern);
    if (problem !== undefined) context.addIssue(`is not an RE2 pattern: ${problem}`);
  });

export const guardrailsSection = z.strictObject({
  max_input_tokens: fixedLimit('the longest question, without its attachments')([
    1,
    maxTokens,
    4_096,
  ]),
  max_output_tokens: fixedLimit('the longest answer, without thinking')([1, maxTokens, 4_096]),
  blocked_patterns: fixed(
    'RE2 patterns that no question and no answer may match',
    superset,
  )(z.array(blockedPattern).max(1_000).default([])),
});

export const searchSection = z.strictObject({
  top_k: fixedLimit('passages that a search returns')([1, 50, 5]),
  paths: fixed('globs of the documents that are searched')(
    z.array(plainText.min(1)).max(1_000).default(['**/*.md']),
  ),
});

export const databaseSection = z.strictObject({
  path: fixed('a SQLite file that tools may query; empty: none')(plainText.default('')),
  max_rows: fixedLimit('rows that a query returns')([1, 100_000, 100]),
});

export const webSection = z.strictObject({
  enabled: fixed('web pages may be read', onlyOff)(z.boolean().default(false)),
  allow_private: fixed(
    'web pages on private addresses may be read',
    onlyOff,
  )(z.boolean().default(false)),
});

export const limitsSection = z.strictObject({
  max_cost_usd: changeable(
    'the highest cost of a run, by known prices and the costs that models report',
    lower,
  )(usd().default(5)),
  max_model_calls: limit('model calls of a run')([1, 1_000_000, 1_000]),
  timeout_ms: limit('running time of a run; waiting for a person does not count')([
    1,
    maxTimerMs,
    3_600_000,
  ]),
});

export const contextSection = z.strictObject({
  max_entry_bytes: fixedLimit('the size of one earlier result, as later tasks see it')([
    1,
    maxBytes,
    20_000,
  ]),
  max_total_bytes: fixedLimit('the size of all earlier results together')([1, maxBytes, 60_000]),
  recent_full_count: fixedLimit('latest results that are shown in full')([0, 1_000, 3]),
  max_attached_bytes: fixed('the size of all texts that are piped in or named with @, together')(
    whole(1, maxBytes).default(200_000),
  ),
  max_files_bytes: fixedLimit(
    'the size of AGENTS.md, CLAUDE.md and .quorate/context.md; 0: not read',
  )([0, maxBytes, 20_000]),
});

/** The charts read every key except `max_attached_bytes`. */
export function contextSettings(context: z.infer<typeof contextSection>): ContextSettings {
  return camelKeys(context, ['max_attached_bytes']);
}

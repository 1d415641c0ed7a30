/**
 * The configuration: every key, its range and its default. The shape is that of the TOML files, snake_case included.
 */

import {z} from 'zod';

import {spawnableForms} from '../../machines/domain/interaction-form.ts';
import {readOccasion} from '../../machines/domain/spawn-rule.ts';
import {ruleHelp, tryParseRule} from '../../machines/panel/rule.ts';
import {patternProblem} from '../../tools/guardrails.ts';
import {defaultLimits} from '../../tools/run/quota.ts';
import {builtInPolicies} from '../policies/names.ts';
import {sandboxSection} from './sandbox-section.ts';
import {trySecretPattern} from './secret-pattern.ts';

/** Node's timers can't wait longer than this; 24.8 days. */
const maxTimerMs = 2_147_483_647;
const maxSeats = 50;

const whole = (min: number, max: number) => z.int().min(min).max(max);
const tokens = whole(1, 10_000_000);
const bytes = whole(1, 100_000_000);
const usd = z.number().min(0).max(1_000_000);

const plainText = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;
const text = z.string().max(4096).regex(plainText, 'holds control or invisible characters');
const modelName = text
  .max(200)
  .regex(/^\S+$/u, 'is no model name: write PROVIDER/MODEL, such as anthropic/claude-sonnet-4.5');

const agent = z.strictObject({
  consensus_level: z.enum(['solo', 'ensemble']).default('solo'),
  phase_scope: z.enum(['full', 'fast', 'plan-only']).default('full'),
  strategy: z.enum(['quorum', 'debate']).default('quorum'),
  hil_mode: z.enum(['interactive', 'auto_reject', 'auto_approve']).default('interactive'),
  max_plan_revisions: whole(1, 100).default(3),
  min_plan_score: z.number().min(1).max(10).default(6),
  max_replans: whole(0, 100).default(2),
  max_iterations: whole(1, 10_000).default(50),
  max_tool_turns: whole(1, 1_000).default(10),
  max_tool_retries: whole(0, 100).default(2),
  max_parallel_tasks: whole(1, 64).default(4),
  require_plan_review: z
    .boolean()
    .refine(Boolean, 'is not possible: plan review is mandatory; remove the key or write true')
    .default(true),
  require_final_review: z.boolean().default(false),
  /** Empty: the current folder. */
  working_dir: text.default(''),
  confirm_execution: z.boolean().default(false),
  exploration_model: modelName.default('claude-haiku-4.5'),
  decision_model: modelName.default('claude-sonnet-4.5'),
  review_models: z
    .array(modelName)
    .min(1)
    .max(maxSeats)
    .default(['claude-sonnet-4.5', 'gpt-5.2-codex']),
});

const blockedPattern = z
  .string()
  .min(1)
  .max(1_000)
  .superRefine((pattern, context) => {
    const problem = patternProblem(pattern);
    if (problem !== undefined) context.addIssue(`is no RE2 pattern: ${problem}`);
  });

const quorum = z.strictObject({
  rule: z
    .string()
    .refine((rule) => tryParseRule(rule) !== undefined, `is no quorum rule; write ${ruleHelp}`)
    .default('majority'),
  min_participation: whole(1, maxSeats).default(1),
  deadline_ms: whole(1, 86_400_000).default(120_000),
  feedback_grace_ms: whole(0, 3_600_000).default(5_000),
  weights: z.record(modelName, z.number().positive().max(1_000)).default({}),
  veto: z.array(modelName).max(maxSeats).default(['policy/*']),
  screen: z
    .array(modelName)
    .max(maxSeats)
    .default(builtInPolicies.map((name) => `policy/${name}`)),
});

const noVariable =
  'is no name of an environment variable: put the key in a variable, and name that here';

/** Lazy, as what else only some configurations have: to make schemas takes much of a start. */
const provider = z.lazy(() =>
  z.strictObject({
    /** Absent: that of a built-in provider of the same name, else openai-compatible. */
    kind: z.enum(['openai', 'anthropic', 'openai-compatible']).optional(),
    base_url: z
      .string()
      .max(2_000)
      .refine(isPlainHttpUrl, 'is no http(s) URL without user, password, query and fragment')
      .optional(),
    api_key_env: z
      .string()
      .max(200)
      .regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/, noVariable)
      .refine((name) => !looksLikeKey(name), noVariable)
      .default(''),
    timeout_ms: whole(1, maxTimerMs).optional(),
    first_byte_ms: whole(1, maxTimerMs).optional(),
    max_output_tokens: tokens.optional(),
  }),
);

const discuss = z.strictObject({
  /** Empty: the review models. */
  participants: z.array(modelName).max(maxSeats).default([]),
  /** Empty: the decision model. */
  moderator: z.union([z.literal(''), modelName]).default(''),
  strategy: z.enum(['quorum', 'debate']).default('quorum'),
  deadline_ms: whole(1, 86_400_000).default(300_000),
});

const debate = z.strictObject({
  /** Proponent and opponent; empty: the first two participants. */
  models: z.array(modelName).max(2).default([]),
  max_rounds: whole(1, 100).default(3),
  intensity: z.enum(['mild', 'strong']).default('mild'),
});

const interview = z.strictObject({
  /** Empty: the decision model. */
  model: z.union([z.literal(''), modelName]).default(''),
  /** Empty: the model that leads the interview. */
  reviewer: z.union([z.literal(''), modelName]).default(''),
  max_loops: whole(1, 100).default(10),
  max_follow_ups: whole(0, 100).default(3),
});

const request = z
  .string()
  .max(4096)
  .regex(/\S/u, 'is empty; say what is to be done, asked or discussed')
  .regex(/^[^\p{Cf}\p{Zl}\p{Zp}]*$/u, 'holds invisible characters');

/** What is spawned when something has happened so many times. */
const spawnRule = z.lazy(() =>
  z.strictObject({
    when: z.string().superRefine((occasion, context) => {
      const reading = readOccasion(occasion);
      if (!reading.ok) context.addIssue(reading.problem);
    }),
    form: z.enum(spawnableForms),
    request,
    /** Absent: the form's default. */
    context_mode: z.enum(['full', 'projected', 'fresh']).optional(),
  }),
);

/** What a person has allowed for good, at a gate. */
const allowRule = z.lazy(() =>
  z.strictObject({
    folder: z.string().max(4096).startsWith('/', 'is no absolute path'),
    command: z.string().min(1).max(30_000),
    match: z.enum(['exact', 'prefix']).default('exact'),
    /** Of the scripts that it stood for. */
    based_on: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'is no SHA-256')
      .optional(),
  }),
);

const noPattern = 'is no regular expression that matches some text';

const price = z.lazy(() => z.strictObject({input: usd, cached_input: usd.optional(), output: usd}));

const providerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
  .refine((name) => !['policy', 'offline', 'scripted'].includes(name));

/** The sections by name. Each has a default for every key; an absent section is an empty one. */
export const configSchema = z.strictObject({
  agent: agent.prefault({}),
  quorum: quorum.prefault({}),
  ask: z
    .strictObject({
      model: modelName.default('claude-sonnet-4.5'),
      max_steps: whole(1, 1_000).default(10),
      max_retries: whole(0, 100).default(2),
      /** Messages of the conversation; older ones are dropped. */
      max_history: whole(8, 10_000).default(50),
    })
    .prefault({}),
  discuss: discuss.prefault({}),
  debate: debate.prefault({}),
  interview: interview.prefault({}),
  guardrails: z
    .strictObject({
      max_input_tokens: tokens.default(4_096),
      max_output_tokens: tokens.default(4_096),
      /** Regular expressions in RE2's syntax. */
      blocked_patterns: z.array(blockedPattern).max(1_000).default([]),
    })
    .prefault({}),
  search: z
    .strictObject({
      top_k: whole(1, 50).default(5),
      paths: z.array(text.min(1)).max(1_000).default(['**/*.md']),
    })
    .prefault({}),
  database: z
    .strictObject({
      /** A SQLite file. */
      path: text.default(''),
      max_rows: whole(1, 100_000).default(100),
    })
    .prefault({}),
  web: z
    .strictObject({
      /** Whether web_fetch exists. */
      enabled: z.boolean().default(false),
      /** Whether it may reach addresses that are not on the public internet. */
      allow_private: z.boolean().default(false),
    })
    .prefault({}),
  limits: z
    .strictObject({
      max_cost_usd: usd.default(5),
      max_model_calls: whole(1, 1_000_000).default(200),
      /** Running time. */
      timeout_ms: whole(1, maxTimerMs).default(3_600_000),
    })
    .prefault({}),
  context: z
    .strictObject({
      max_entry_bytes: bytes.default(20_000),
      max_total_bytes: bytes.default(60_000),
      recent_full_count: whole(0, 1_000).default(3),
      /** Of all that is given along with a request: piped input and files. */
      max_attached_bytes: bytes.default(200_000),
    })
    .prefault({}),
  /** In this order, where several are met at once. */
  spawn: z.array(spawnRule).max(20).default([]),
  allow: z.array(allowRule).max(1_000).default([]),
  commands: z
    .strictObject({
      /** Names of variables that commands get beside the usual ones. */
      env: z
        .array(z.string().regex(/^[A-Za-z_]\w{0,199}$/, 'is no name of an environment variable'))
        .max(100)
        .default([]),
      max_memory_percent: whole(1, 100).default(defaultLimits.max_memory_percent),
      max_processes: whole(16, 1_000_000).default(defaultLimits.max_processes),
    })
    .prefault({}),
  sandbox: sandboxSection,
  secrets: z
    .strictObject({
      /** Regular expressions; what they match is replaced wherever it would be stored or shown. */
      patterns: z
        .array(
          z
            .string()
            .min(1)
            .max(1_000)
            .refine((pattern) => trySecretPattern(pattern) !== undefined, noPattern),
        )
        .max(1_000)
        .default([]),
    })
    .prefault({}),
  providers: z.record(providerName, provider).default({}),
  /** USD per million tokens, by model. */
  prices: z.record(modelName, price).default({}),
});

export type Config = z.infer<typeof configSchema>;

/** What a library user may pass: any part of it. */
export type ConfigInput = z.input<typeof configSchema>;

export function defaultConfig(): Config {
  return configSchema.parse({}, {jitless: true});
}

/** Some keys could be the name of a variable. */
function looksLikeKey(name: string): boolean {
  return name.length >= 20 && /[a-z]/.test(name) && /\d/.test(name);
}

function isPlainHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username + url.password + url.search + url.hash === '';
}

/** `[guardrails]`, `[search]`, `[database]`, `[web]`, `[limits]` and `[context]`: sources and limits of a run. */

import {z} from 'zod';

import {spawnableForms} from '../../../machines/domain/interaction-form.ts';
import {type ContextSettings, readTrigger} from '../../../machines/domain/settings.ts';
import {patternProblem} from '../../../tools/guardrails.ts';
import {defaultLimits} from '../../../tools/run/quota.ts';
import {parseDestination} from '../../../tools/run/sandbox/destination.ts';
import {
  camelKeys,
  changeable,
  fixed,
  fixedLimit,
  hidden,
  integer,
  limit,
  lower,
  maxTimerMs,
  maxTokens,
  onlyOff,
  ordered,
  plainText,
  subset,
  superset,
  usd,
} from './row.ts';

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
    integer(1, maxBytes).default(200_000),
  ),
  max_files_bytes: fixedLimit(
    'the size of AGENTS.md, CLAUDE.md and .quorate/context.md; 0: not read',
  )([0, maxBytes, 20_000]),
});

/** The charts read every key except `max_attached_bytes`. */
export function contextSettings(context: z.infer<typeof contextSection>): ContextSettings {
  return camelKeys(context, ['max_attached_bytes']);
}

// `[commands]`, `[sandbox]` and `[secrets]`: the environment, the limits and the confinement of commands, and secrets.

const secretPattern = z
  .string()
  .min(1)
  .max(1_000)
  .refine(
    (pattern) => trySecretPattern(pattern) !== undefined,
    'is not a regular expression that matches some text',
  );

const noDestination = 'is not HOST:PORT, such as example.com:443 or *.example.com:443';

/** Hosts that a confined program may reach. */
export const destinations = z
  .array(z.string().refine((host) => parseDestination(host) !== undefined, noDestination))
  .max(100)
  .default([]);

export const commandsSection = z.strictObject({
  env: fixed(
    'additional environment variables for commands, by name, such as JAVA_HOME; variables that hold secrets are left out',
  )(
    z
      .array(z.string().regex(/^[A-Za-z_]\w{0,199}$/, 'is not a name of an environment variable'))
      .max(100)
      .default([]),
  ),
  max_memory_percent: fixedLimit(
    'the share of the machine’s memory for a command and its child processes, where systemd can limit it',
  )([1, 100, defaultLimits.max_memory_percent]),
  max_processes: fixedLimit('processes of a command at the same time, including their threads')([
    16,
    1_000_000,
    defaultLimits.max_processes,
  ]),
});

export const sandboxSection = z.strictObject({
  mode: fixed(
    'confinement of commands: where possible, always (otherwise they are refused), never',
    ordered('off', 'auto', 'required'),
  )(z.enum(['auto', 'required', 'off']).default('auto')),
  network: fixed(
    'destinations that commands in bubblewrap may reach through a proxy: example.com:443, *.example.com:443; a non-public address must be listed itself',
    subset,
  )(destinations),
});

export const journalSection = z.strictObject({
  url_env: fixed(
    'the variable with the address of a journal on PostgreSQL; empty: this machine’s own',
  )(plainText.max(200).default('')),
});

export const secretsSection = z.strictObject({
  patterns: hidden('regular expressions; matching text is replaced before it is stored or shown')(
    z.array(secretPattern).max(1_000).default([]),
  ),
});

// `[[spawn]]` and `[[allow]]`: rules by which an interaction spawns another, and permanently allowed commands.

const request = z
  .string()
  .max(4096)
  .regex(/\S/u, 'is empty; write a task, a question or a topic')
  .regex(/^[^\p{Cf}\p{Zl}\p{Zp}]*$/u, 'contains invisible characters');

const spawnRule = z.lazy(() =>
  z.strictObject({
    when: fixed(
      'the trigger of a rule, each headed [[spawn]]: EVENT or EVENT:N; the rule fires once, at the N-th plan.rejected, action.rejected, task.failed or quorum.noQuorum of an agent or a question',
    )(
      z.string().superRefine((trigger, context) => {
        const reading = readTrigger(trigger);
        if (!reading.ok) context.addIssue(reading.problem);
      }),
    ),
    form: fixed('the form of the spawned interaction, which triggers no rules itself')(
      z.enum(spawnableForms),
    ),
    request: fixed('the task, question or topic; the parent receives the result')(request),
    /** Absent: the default of the form. */
    context_mode: fixed(
      'context from its parent: all, a summary or nothing; projected for ask, otherwise full',
    )(z.enum(['full', 'projected', 'fresh']).optional()),
  }),
);

const allowRule = z.lazy(() =>
  z.strictObject({
    folder: fixed(
      'the folder in which a permanently allowed command starts (/always at a gate), each headed [[allow]]',
    )(z.string().max(4096).startsWith('/', 'is not an absolute path')),
    command: fixed('the whole command, or its first words')(z.string().min(1).max(30_000)),
    match: fixed('exact: the whole command; prefix: any words may follow')(
      z.enum(['exact', 'prefix']).default('exact'),
    ),
    based_on: fixed(
      'SHA-256 of the scripts and code that the command ran: if they change, a person is asked again',
    )(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'is not a SHA-256')
        .optional(),
    ),
  }),
);

export const ruleTables = {
  /** Rules that match the same event fire in this order. */
  spawn: fixed('rules by which an interaction spawns another, each headed [[spawn]]')(
    z.array(spawnRule).max(20).default([]),
  ),
  allow: fixed(
    'commands that a person has permanently allowed (/always at a gate), each headed [[allow]]; quorate config --forget COMMAND removes one',
  )(z.array(allowRule).max(1_000).default([])),
};

/** Returns undefined for an invalid regular expression and for one that matches the empty string. */
export function trySecretPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u').test('') ? undefined : new RegExp(pattern, 'gu');
  } catch {
    return undefined;
  }
}

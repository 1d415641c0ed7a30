/** `[providers.NAME]` and `[prices.MODEL]`: the providers and prices of models. */

import {z} from 'zod';

import {maxTimerMs, maxTokens, modelName, usd, whole} from './kinds.ts';
import {fixed, hidden} from './row.ts';

const noVariable =
  'is not a name of an environment variable: put the key in a variable, and name that here';

/** Lazy, like other tables that only some configurations have: creating schemas is a large part of the start-up time. */
const provider = z.lazy(() =>
  z.strictObject({
    /** Absent: the kind of the built-in provider of the same name, otherwise openai-compatible. */
    kind: fixed('the protocol; openai-compatible unless the name is known')(
      z.enum(['openai', 'anthropic', 'openai-compatible']).optional(),
    ),
    base_url: hidden('its address, which usually ends in /v1')(
      z
        .string()
        .max(2_000)
        .refine(
          isPlainHttpUrl,
          'is not a plain http:// or https:// address without user, password, query or fragment, such as http://127.0.0.1:11434/v1',
        )
        .optional(),
    ),
    api_key_env: hidden('the environment variable that holds its key; empty: no key')(
      z
        .string()
        .max(200)
        .regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/, noVariable)
        .refine((name) => !looksLikeKey(name), noVariable)
        .default(''),
    ),
    timeout_ms: fixed(
      'the time limit of a whole reply; 600000, for a server on this machine 3600000',
    )(whole(1, maxTimerMs).optional()),
    first_byte_ms: fixed(
      'the time limit until a reply begins; 30000, for a server on this machine 600000',
    )(whole(1, maxTimerMs).optional()),
    max_output_tokens: fixed(
      'the longest reply to request; 32000, for a server on this machine 8000; twice as many after a cut-off reply',
    )(whole(1, maxTokens).optional()),
    retry_ms: fixed('how long a call is repeated while the provider can’t serve it; 300000')(
      whole(0, maxTimerMs).optional(),
    ),
    context_window: fixed(
      'the context window of its models, in tokens; well-known models have theirs, others 128000',
    )(whole(4_000, maxTokens).optional()),
  }),
);

const price = z.lazy(() =>
  z.strictObject({
    input: fixed('US dollars per million tokens; well-known models have their list price')(usd()),
    cached_input: fixed('for input from the cache of the provider; as other input')(
      usd().optional(),
    ),
    output: fixed('for output')(usd()),
  }),
);

const providerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
  .refine((name) => !['policy', 'offline', 'scripted'].includes(name));

export const modelSections = {
  providers: z.record(providerName, provider).default({}),
  prices: z.record(modelName, price).default({}),
};

/** Some API keys are also valid names of variables. */
function looksLikeKey(name: string): boolean {
  return name.length >= 20 && /[a-z]/.test(name) && /\d/.test(name);
}

function isPlainHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username + url.password + url.search + url.hash === '';
}

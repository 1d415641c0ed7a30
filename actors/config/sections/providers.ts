/** `[providers.NAME]` and `[prices.MODEL]`: where models are, and what they cost. */

import {z} from 'zod';

import {maxTimerMs, maxTokens, modelName, usd, whole} from './kinds.ts';
import {fixed, hidden} from './row.ts';

const noVariable =
  'is not a name of an environment variable: put the key in a variable, and name that here';

/** Lazy, as what else only some configurations have: to make schemas takes much of a start. */
const provider = z.lazy(() =>
  z.strictObject({
    /** Absent: that of a built-in provider of the same name, else openai-compatible. */
    kind: fixed('how it is spoken to; openai-compatible unless the name is known')(
      z.enum(['openai', 'anthropic', 'openai-compatible']).optional(),
    ),
    base_url: hidden('its address, for most ending in /v1')(
      z
        .string()
        .max(2_000)
        .refine(
          isPlainHttpUrl,
          'is not a plain http:// or https:// address without user, password, query or fragment, such as http://127.0.0.1:11434/v1',
        )
        .optional(),
    ),
    api_key_env: hidden('the variable that holds its key; empty: it wants none')(
      z
        .string()
        .max(200)
        .regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/, noVariable)
        .refine((name) => !looksLikeKey(name), noVariable)
        .default(''),
    ),
    timeout_ms: fixed('of a whole reply; 600000, on this machine 3600000')(
      whole(1, maxTimerMs).optional(),
    ),
    first_byte_ms: fixed('until a reply begins; 30000, on this machine 600000')(
      whole(1, maxTimerMs).optional(),
    ),
    max_output_tokens: fixed('the longest reply asked for; 8192')(whole(1, maxTokens).optional()),
  }),
);

const price = z.lazy(() =>
  z.strictObject({
    input: fixed('US dollars per million tokens; well-known models have their list price')(usd()),
    cached_input: fixed('of input that the provider had in its cache; as other input')(
      usd().optional(),
    ),
    output: fixed('of output')(usd()),
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

/** Some keys could be the name of a variable. */
function looksLikeKey(name: string): boolean {
  return name.length >= 20 && /[a-z]/.test(name) && /\d/.test(name);
}

function isPlainHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username + url.password + url.search + url.hash === '';
}

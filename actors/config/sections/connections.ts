/** `[providers.NAME]` and `[prices.MODEL]`: the providers and prices of models. */

import {z} from 'zod';

import {customToolName, customToolSchema} from '../../../tools/custom/definition.ts';
import {destinations} from './bounds.ts';
import {
  fixed,
  hidden,
  integer,
  integer as number,
  maxTimerMs,
  maxTokens,
  modelName,
  plainText,
  usd,
  whole,
  wholeHidden,
} from './row.ts';

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
    timeout_ms: fixed('the time limit of a whole reply; 600000, on this machine 3600000')(
      integer(1, maxTimerMs).optional(),
    ),
    first_byte_ms: fixed('the time limit until a reply begins; 30000, on this machine 600000')(
      integer(1, maxTimerMs).optional(),
    ),
    max_output_tokens: fixed('the longest reply to request; 32000, on this machine 8000')(
      integer(1, maxTokens).optional(),
    ),
    retry_ms: fixed('how long a call is repeated while the provider can’t serve it; 300000')(
      integer(0, maxTimerMs).optional(),
    ),
    calls_per_minute: fixed('calls a minute, by all processes on a journal; no limit')(
      integer(1, 60_000).optional(),
    ),
    context_window: fixed('the context window of its models, in tokens; as known, else 128000')(
      integer(4_000, maxTokens).optional(),
    ),
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

// `[mcp.NAME]` and `[tools.NAME]`: servers and programs whose tools models can call.

const variable = z
  .string()
  .regex(
    /^[A-Za-z_]\w{0,199}$/,
    'is not a name of an environment variable: put the value in a variable, and name that here',
  );

/** Lazy, like other tables that only some configurations have. */
const server = z.lazy(() =>
  z
    .strictObject({
      /** Of a server that speaks over standard input and output. */
      command: plainText.min(1).optional(),
      args: z.array(plainText).max(200).default([]),
      /** Names of the variables that it receives. */
      env: z.array(variable).max(100).default([]),
      /** The folder that it starts in. Absent: an empty one of its own. */
      cwd: z.literal('workspace').optional(),
      /** Hosts that it reaches when it starts there and is confined. */
      network: destinations,
      /** Of a server that is reached by HTTP. */
      url: z
        .string()
        .max(2_000)
        .refine(isPlainUrl, 'is not an http:// or https:// address without user and password')
        .optional(),
      /** Headers, each with the name of the variable that holds its value. */
      headers_env: z.record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), variable).default({}),
      trusted: z.boolean().default(false),
      timeout_ms: number(1, maxTimerMs).default(120_000),
    })
    .refine(({command, url}) => (command === undefined) !== (url === undefined), {
      path: ['command'],
      error: 'is needed, or url, and not both',
    })
    .refine(({cwd, network}) => network.length === 0 || cwd !== undefined, {
      path: ['network'],
      error: 'has an effect only with cwd = "workspace"; other servers are not confined',
    }),
);

export const mcpSections = {
  mcp: z
    .record(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
      wholeHidden(
        'an MCP server: command, args, env, cwd and network, or url and headers_env; trusted; timeout_ms',
      )(server),
    )
    .default({}),
};

function isPlainUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
}

export const toolSections = {
  tools: z
    .record(
      customToolName,
      whole('a program that models can call as a tool: its argv, parameters and facts')(
        customToolSchema,
      ),
    )
    .default({}),
};

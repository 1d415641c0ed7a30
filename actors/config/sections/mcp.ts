/** `[mcp.NAME]` and `[tools.NAME]`: servers and programs whose tools models can call. */

import {z} from 'zod';

import {customToolName, customToolSchema} from '../../../tools/custom/definition.ts';
import {destinations} from './commands.ts';
import {maxTimerMs, plainText, whole as number} from './kinds.ts';
import {whole, wholeHidden} from './row.ts';

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

/** run_command: the shell tool. */

import {z} from 'zod';

import {countArgument, defineTool, pathArgument, type ToolDefinition} from '../tool.ts';
import type {RunCommandOptions} from './perform.ts';
import {defaultSeconds, maxSeconds} from './quota.ts';
import {createSandbox} from './sandbox.ts';

export type {CommandOptions} from './perform.ts';

const parameters = z.lazy(() =>
  z.strictObject({
    command: z
      .string()
      .max(30_000)
      .regex(/\S/, 'is blank')
      .refine((text) => !text.includes('\0'), 'contains a NUL character')
      .describe('Run by sh -c.'),
    working_dir: pathArgument('The folder to run in; the workspace if left out').exactOptional(),
    timeout_secs: countArgument(1, maxSeconds, `Default ${defaultSeconds}.`).exactOptional(),
    credentials: z
      .array(pathArgument('A file'))
      .max(maxOpened)
      .describe(
        'Files with credentials, such as .env, that the command must read, by their paths; all others are closed ' +
          'to it. Each needs approval. Leave it out if none is needed.',
      )
      .exactOptional(),
  }),
);

const maxOpened = 20;

type Args = z.infer<typeof parameters>;

export function createRunCommand(options: RunCommandOptions): ToolDefinition<Args> {
  return defineTool({
    name: 'run_command',
    description:
      'Run a shell command (sh -c) in the workspace and return what it printed and its exit code. It gets no ' +
      'input, no variables outlive it, and processes that it leaves running are ended. Network access may be missing; ' +
      'empty folders such as .vscode may reserve places that only a person may make.',
    parameters,
    reaches: 'network',
    quotes: false,
    runs: {argument: 'command', language: 'shell', folder: 'working_dir'},
    opens: ['credentials'],
    risk: 'high',
    repeatability: 'once',
    timeoutMs: (maxSeconds + 10) * 1_000,
    run: async (args, context) => {
      const {perform} = await import('./perform.ts');
      return await perform(options, args, context);
    },
    preview: async (args, context) => {
      const {preview} = await import('./perform.ts');
      return await preview(options, args, context);
    },
  });
}

export const runCommand = createRunCommand({sandbox: createSandbox({mode: 'auto'})});

/**
 * spawn_ask, spawn_discuss, spawn_agent, spawn_interview: another interaction below the one that calls. The charts begin it, once the call
 * was voted on; here is what models and reviewers are told of it.
 */

import {z} from 'zod';

import {
  defaultContextMode,
  type SpawnableForm,
  spawnableForms,
} from '../../machines/domain/interaction-form.ts';
import {type ContextMode, contextModes} from '../../machines/domain/interaction-form.ts';
import {spawnWords} from '../../machines/domain/interaction-result.ts';
import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {defineTool} from '../tool.ts';

const maxRequestChars = 20_000;

const told: Readonly<Record<ContextMode, string>> = {
  full: 'everything that is known here (full)',
  projected: 'a summary of what is known here (projected)',
  fresh: 'nothing of what is known here (fresh)',
};

/** One for each form, for runs whose interactions may have others below them. */
export const spawnTools = spawnableForms.map(spawnTool);

function spawnTool(form: SpawnableForm) {
  const {description} = spawnWords(form);
  const name = `spawn_${form}`;
  return defineTool({
    name,
    description,
    parameters: z.lazy(() =>
      z.strictObject({
        request: z
          .string()
          .trim()
          .min(1)
          .max(maxRequestChars)
          .describe(
            'What is asked, complete in itself: nothing of this conversation is read there but what context_mode lets through.',
          ),
        context_mode: z
          .enum(contextModes)
          .describe(
            `How much it is told of what is known here: full, projected (a summary) or fresh (nothing). Default ${defaultContextMode(form)}.`,
          )
          .exactOptional(),
        wait: z
          .boolean()
          .describe(
            'True: the result is that of this call. False: go on meanwhile, and be told the result when it comes, unless you are done by then. Default true.',
          )
          .exactOptional(),
      }),
    ),
    // What comes back was written by a model that has read what others wrote: it is told, and quotes nobody.
    reaches: 'workspace',
    quotes: false,
    spawns: form,
    summary: '{request}',
    risk: 'high',
    repeatability: 'repeatable',
    run: async (): Promise<ToolOutcome> => ({
      kind: 'refused',
      code: 'no_tree',
      message: `${name} begins an interaction below another one, and there is none here`,
    }),
    preview: async (args): Promise<PreviewOutcome> => ({
      kind: 'ready',
      args,
      preview: previewOf(form, args),
    }),
  });
}

interface SpawnArgs {
  readonly request: string;
  readonly context_mode?: ContextMode;
  readonly wait?: boolean;
}

function previewOf(form: SpawnableForm, {request, context_mode: mode, wait}: SpawnArgs): string {
  const {begins, may} = spawnWords(form);
  return [
    `Begins ${begins}:`,
    ...request.split('\n').map((line) => `> ${line}`),
    `It is told ${told[mode ?? defaultContextMode(form)]}. ${may}`,
    wait === false
      ? 'The work here goes on meanwhile, and is told the result later.'
      : 'The work here waits for its result.',
  ].join('\n');
}

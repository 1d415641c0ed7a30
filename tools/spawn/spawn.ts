/**
 * spawn_ask, spawn_discuss, spawn_agent, spawn_interview: start a child interaction. The charts start it after the call was approved by
 * vote; this file has the texts for models and reviewers.
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

const contextTexts: Readonly<Record<ContextMode, string>> = {
  full: 'all the context of its parent (full)',
  projected: 'a summary of the context of its parent (projected)',
  fresh: 'nothing of the context of its parent (fresh)',
};

/** One tool per form, for runs whose interactions may have children. */
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
            'The request, complete in itself: the child sees nothing of this conversation except the context that context_mode passes on.',
          ),
        context_mode: z
          .enum(contextModes)
          .describe(
            `How much of your context the child receives: full, projected (a summary) or fresh (nothing). Default ${defaultContextMode(form)}.`,
          )
          .exactOptional(),
        wait: z
          .boolean()
          .describe(
            'True: this call returns the result. False: continue in the meantime and receive the result when it is ready, unless you have finished by then. Default true.',
          )
          .exactOptional(),
      }),
    ),
    // The result is written by a model that has read others' texts: it reports them and quotes nobody.
    reaches: 'workspace',
    quotes: false,
    spawns: form,
    summary: '{request}',
    risk: 'high',
    repeatability: 'repeatable',
    run: async (): Promise<ToolOutcome> => ({
      kind: 'refused',
      code: 'no_tree',
      message: `${name} starts a child interaction, and there is no parent here`,
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
    `It receives ${contextTexts[mode ?? defaultContextMode(form)]}. ${may}`,
    wait === false
      ? 'The parent continues in the meantime and receives the result later.'
      : 'The parent waits for its result.',
  ].join('\n');
}

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
import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {defineTool} from '../tool.ts';

const maxRequestChars = 20_000;

interface FormText {
  /** For models: what it is for. */
  readonly description: string;
  /** For reviewers: what is begun, and what it may do. */
  readonly begins: string;
  readonly may: string;
}

const texts: Readonly<Record<SpawnableForm, FormText>> = {
  agent: {
    description:
      'Have another agent do a piece of work of its own: it gathers context, plans, has its plan and each of its actions ' +
      'voted on, and reports. For work that stands apart from what you are doing. It takes many model calls: what a few ' +
      'calls of your other tools do, do yourself.',
    begins: 'another agent, which plans and carries out',
    may: 'Its plan, and each call by which it would change something, is voted on by itself.',
  },
  ask: {
    description:
      'Have a question answered by another model with read-only tools, with the sources of its answer. For a question that ' +
      'takes a search of its own, of which you need only the answer. What one or two look-ups tell, look up yourself.',
    begins: 'a question to a model with read-only tools',
    may: 'It changes nothing. What it would spawn is voted on by itself.',
  },
  discuss: {
    description:
      'Have several models discuss a question, review each other, and come to a conclusion, with what they agree and ' +
      'disagree on. For a matter of judgement: a design, a trade-off, a risk. They have no tools: the request says ' +
      'everything that they are to weigh. It takes many model calls.',
    begins: 'a discussion among several models on',
    may: 'They have no tools and change nothing.',
  },
  interview: {
    description:
      "Have the person asked, field by field, and be told their answers. For what only they know and you can't do without: " +
      'several things at once, or one that must be exact. The request is the path of a form in the workspace (TOML or ' +
      'JSON) or one question. It waits for the person. Answers that the form calls personal or secret are not told to you.',
    begins: 'an interview with the person on',
    may: 'It has no tools and changes nothing. The person may decline to answer.',
  },
};

const told: Readonly<Record<ContextMode, string>> = {
  full: 'everything that is known here (full)',
  projected: 'a summary of what is known here (projected)',
  fresh: 'nothing of what is known here (fresh)',
};

/** One for each form, for runs whose interactions may have others below them. */
export const spawnTools = spawnableForms.map(spawnTool);

function spawnTool(form: SpawnableForm) {
  const {description} = texts[form];
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
  const {begins, may} = texts[form];
  return [
    `Begins ${begins}:`,
    ...request.split('\n').map((line) => `> ${line}`),
    `It is told ${told[mode ?? defaultContextMode(form)]}. ${may}`,
    wait === false
      ? 'The work here goes on meanwhile, and is told the result later.'
      : 'The work here waits for its result.',
  ].join('\n');
}

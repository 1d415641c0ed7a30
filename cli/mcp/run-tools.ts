/** The tools that begin a run: what a client gives, and the start of the run. */

import {z} from 'zod';

import type {StartOptions} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {readPatch} from '../../tools/text/patch.ts';
import type {Override} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {diffAgainst, requireReader, withSurroundings} from '../review/diff-source.ts';
import type {Environment} from '../terminal.ts';

export interface RunTool<Args = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly form: InteractionForm;
  readonly parameters: z.ZodType<Args>;
  /** Nothing outside the journal can change. */
  readonly isReadOnly: boolean;
  /** An approved plan is the result. */
  readonly isPlanOnly: boolean;
  /** Rejects with AppError `usage` or `credentials`. */
  readonly start: (args: Args, place: Place) => Promise<StartOptions>;
}

/** Of every run. */
export interface Place {
  /** Absolute. */
  readonly workspace: string;
  readonly env: Environment;
  readonly overrides: readonly Override[];
}

const maxRequest = 100_000;
const maxDiff = 4_000_000;

const request = z.string().trim().min(1).max(maxRequest);

/** Keeps the type of the arguments within a tool. */
function runTool<Args>(tool: RunTool<Args>): RunTool {
  const {parameters, start} = tool;
  return {...tool, start: async (args, place) => await start(parameters.parse(args), place)};
}

const ask = runTool({
  name: 'ask',
  title: 'Ask a question',
  description:
    'Answer a question about the working folder. Returns the answer and its sources. Its model has tools that read, and may ask ' +
    'to start an agent, which changes files only if the panel approves it.',
  form: 'ask',
  parameters: z.strictObject({question: request.describe('The question, in any language.')}),
  isReadOnly: false,
  isPlanOnly: false,
  start: async ({question}) => ({form: 'ask', request: question}),
});

const discuss = runTool({
  name: 'discuss',
  title: 'Discuss a topic',
  description:
    'Have several models discuss a topic: each answers, each reviews the answers of the others without knowing their names, ' +
    'and a moderator concludes. Returns the conclusion, key points, agreements and disagreements.',
  form: 'discuss',
  parameters: z.strictObject({topic: request.describe('The topic or question.')}),
  isReadOnly: true,
  isPlanOnly: false,
  start: async ({topic}) => ({form: 'discuss', request: topic}),
});

const plan = runTool({
  name: 'plan',
  title: 'Plan a task',
  description:
    'Plan a task in the working folder, and have a panel of models vote on the plan. Returns the plan and the votes. ' +
    'The plan is not carried out.',
  form: 'agent',
  parameters: z.strictObject({task: request.describe('The task to plan.')}),
  isReadOnly: true,
  isPlanOnly: true,
  start: async ({task}) => ({
    form: 'agent',
    request: task,
    settings: {agent: {phase_scope: 'plan-only'}},
  }),
});

const reviewArguments = z.strictObject({
  diff: z.string().max(maxDiff).describe('A unified diff, as git diff prints it.').optional(),
  base: z
    .string()
    .min(1)
    .max(300)
    .regex(/^\P{Cc}+$/u)
    .describe('Instead of a diff: a git revision. The working tree is compared with it.')
    .optional(),
  focus: z
    .string()
    .max(maxRequest)
    .describe('The purpose of the change, and the points to check above all.')
    .optional(),
  scope: z
    .enum(['full', 'fast'])
    .describe('full (default): models review. fast: the policy reviewers alone, without a model.')
    .optional(),
});

const review = runTool({
  name: 'review_diff',
  title: 'Review a diff',
  description:
    'Have a panel of models vote on a diff. Returns whether it is approved, the votes with their reasons, and comments by ' +
    'file and line.',
  form: 'review',
  parameters: reviewArguments,
  isReadOnly: true,
  isPlanOnly: false,
  start: async ({focus = '', scope, ...wanted}, {workspace, env, overrides}) => {
    const diff = withSurroundings(await diffOf(wanted, workspace), workspace);
    if (diff.length === 0) throw emptyDiff;
    const isFast = scope === 'fast';
    if (!isFast) await requireModel({overrides, workspace, env});
    return {
      form: 'review',
      request: focus.trim() || 'Review this change before it is merged.',
      diff,
      ...(isFast ? {settings: {agent: {phase_scope: 'fast'}}} : {}),
    };
  },
});

const emptyDiff = usageError(t`the diff is empty: nothing was reviewed`);

/** The remedy for a client: it has no options of a command line. */
async function requireModel({overrides, workspace, env}: Place): Promise<void> {
  try {
    await requireReader({overrides}, workspace, env);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'credentials') throw error;
    const message =
      'no model can review the diff: a person must configure one (quorate help models); for the policy reviewers alone: ' +
      '"scope": "fast"';
    throw new AppError('credentials', message, {cause: error});
  }
}

async function diffOf({diff, base}: z.infer<typeof reviewArguments>, workspace: string) {
  if ((diff === undefined) === (base === undefined))
    throw usageError(t`give either "diff" or "base"`);
  return base === undefined ? await readPatch(diff ?? '') : await diffAgainst(base, workspace);
}

export const runTools: readonly RunTool[] = [review, plan, ask, discuss];

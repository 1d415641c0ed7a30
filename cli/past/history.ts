/** Reads a run's journal without replaying it. Entries of other versions are read as far as they are known. */

import {z} from 'zod';

import type {Entry} from '../../actors/journal/journal.ts';
import type {Change} from '../../machines/domain/patch.ts';
import {readPlan, type Plan} from '../../machines/domain/plan.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {ScoredDraft} from '../../machines/questions/evaluation.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import type {EditGround} from '../gate/plan-file.ts';
import type {PhaseModels} from '../render/live/status.ts';

const openingSchema = z.object({
  request: z.string().default(''),
  workspace: z.string().default(''),
  settings: z
    .object({
      agent: z.object({explorationModel: z.string(), decisionModel: z.string()}).optional(),
      ask: z.object({model: z.string()}).optional(),
      tools: z
        .array(
          z.object({
            name: z.string(),
            risk: z.enum(['low', 'high']),
            repeatability: z.enum(['repeatable', 'checkable', 'once']),
            timeoutMs: z.number(),
          }),
        )
        .default([]),
    })
    .default({tools: []}),
});

export interface Opening {
  readonly request: string;
  readonly workspace: string;
  /** The tools that the run was opened with: its plans may use them. */
  readonly tools: readonly ToolInfo[];
  /** By the phases in which they work alone. */
  readonly models: PhaseModels;
}

export function openingOf(entries: readonly Entry[]): Opening {
  const opened = entries.find((entry) => entry.type === 'opened');
  const parsed = openingSchema.safeParse(opened?.input);
  if (!parsed.success) return {request: '', workspace: '', tools: [], models: {}};
  const {request, workspace, settings} = parsed.data;
  return {request, workspace, tools: settings.tools, models: phaseModels(settings)};
}

type Roles = Pick<z.infer<typeof openingSchema>['settings'], 'agent' | 'ask'>;

function phaseModels({agent, ask}: Roles): PhaseModels {
  const decision = agent?.decisionModel;
  return {
    ...(agent ? {gathering: agent.explorationModel} : {}),
    ...(decision === undefined
      ? {}
      : {planning: decision, revising: decision, evaluating: decision}),
    ...(ask ? {working: ask.model} : {}),
  };
}

const formSchema = z.object({questionnaire: z.object({title: z.string()})});

/** Title of the form that an interview was opened with or has read; undefined without one. */
export function formTitleIn(entries: readonly Entry[]): string | undefined {
  for (const entry of entries) {
    const holder = entry.type === 'opened' ? entry.input : undefined;
    const parsed = formSchema.safeParse(entry.type === 'settled' ? entry.outcome : holder);
    if (parsed.success) return parsed.data.questionnaire.title;
  }
  return undefined;
}

const askedSchema = z.object({
  type: z.literal('human.requested'),
  question: z.object({plan: z.unknown(), proposalHash: z.string().default('')}),
});

/**
 * The data that an edited plan must agree with: the tools, and the latest plan that a person was asked about, whose hash begins
 * with `digest`.
 */
export function editGround(entries: readonly Entry[], digest = ''): EditGround {
  const plans = entries.flatMap((entry) => {
    const asked = entry.type === 'noted' ? askedSchema.safeParse(entry.note) : undefined;
    if (!asked?.success || !asked.data.question.proposalHash.startsWith(digest)) return [];
    const {plan} = asked.data.question;
    return isPlan(plan) ? [plan] : [];
  });
  return {tools: openingOf(entries).tools, plan: plans.at(-1)};
}

const spentSchema = z.object({
  usage: z.object({inputTokens: z.number(), costUsd: z.number()}),
});

/** The cost of the calls up to now; undefined when no model with a known price has answered. Policies use no tokens. */
export function currentCost(entries: readonly Entry[]): number | undefined {
  const costs = entries.flatMap((entry) => {
    const spent = entry.type === 'settled' ? spentSchema.safeParse(entry.outcome) : undefined;
    const usage = spent?.success ? spent.data.usage : undefined;
    return usage && usage.inputTokens > 0 ? [usage.costUsd] : [];
  });
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

const suspendedSchema = z.object({
  type: z.literal('run.suspended'),
  why: z.string(),
  outage: z.object({message: z.string()}).exactOptional(),
});

export interface Suspended {
  /** Epoch ms. */
  readonly at: number;
  /** `waiting` for a person, `interrupted`, or an `outage`. */
  readonly why: string;
  /** The model or resource that was unavailable. */
  readonly outage?: string;
}

/** The times at which it was suspended and resumed. */
export function suspensionsIn(entries: readonly Entry[]): Suspended[] {
  return entries.slice(0, -1).flatMap((entry) => {
    const note = entry.type === 'noted' ? suspendedSchema.safeParse(entry.note) : undefined;
    if (!note?.success) return [];
    const {why, outage} = note.data;
    return [{at: entry.at, why, ...(outage ? {outage: outage.message} : {})}];
  });
}

/** Entries of the root only: its children have drafts and questions of their own. */
function ofRoot(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => interactionIn(speakerOf(entry), '') === '');
}

const namingSchema = z.object({
  actor: z.string().default(''),
  gate: z.string().default(''),
});

/** The path of the actor that an entry comes from, or goes to. */
function speakerOf(entry: Entry): string {
  if (entry.type === 'settled') return entry.key;
  const named =
    entry.type === 'noted' ? entry.note : entry.type === 'received' ? entry.event : undefined;
  const {actor = '', gate = ''} = namingSchema.safeParse(named).data ?? {};
  return actor === '' ? gate : actor;
}

const chosenSchema = z.object({
  type: z.literal('ensemble.chosen'),
  by: z.string(),
  drafts: z.array(
    z.object({
      by: z.string(),
      objective: z.string(),
      mean: z.number().optional(),
      scores: z.array(
        z.object({scorer: z.string(), score: z.number(), reasons: z.array(z.string())}),
      ),
    }),
  ),
});

interface Chosen {
  readonly by: string;
  readonly drafts: readonly ScoredDraft[];
}

/** The drafts of an ensemble with all scores, and the author of the chosen one; none for a run with one planner. */
export function ensembleIn(entries: readonly Entry[]): Chosen | undefined {
  const notes = ofRoot(entries).flatMap((entry) => (entry.type === 'noted' ? [entry.note] : []));
  const chosen = notes
    .map((note) => chosenSchema.safeParse(note))
    .find(({success}) => success)?.data;
  if (!chosen) return undefined;
  const drafts = chosen.drafts.map(({mean, ...draft}) =>
    mean === undefined ? draft : Object.assign(draft, {mean}),
  );
  return {by: chosen.by, drafts};
}

const changedLines = {
  added: z.number(),
  removed: z.number(),
  diff: z.string().exactOptional(),
};
const changedSchema = z.object({
  changes: z.array(
    z.object({
      path: z.string(),
      ...changedLines,
      net: z.array(z.object(changedLines)).exactOptional(),
    }),
  ),
});

/** The writes, one by one, in order. */
export function changesIn(entries: readonly Entry[]): Change[] {
  return entries.flatMap((entry) => {
    const outcome = entry.type === 'settled' ? changedSchema.safeParse(entry.outcome) : undefined;
    return outcome?.success ? outcome.data.changes : [];
  });
}

const repliedSchema = z.object({
  kind: z.literal('ok'),
  calls: z.array(z.object({name: z.string(), args: z.unknown()})),
});
const editedSchema = z.object({type: z.literal('human.decided'), plan: z.unknown()});

/**
 * The latest valid plan, drafted or edited, by the order of the journal. A plan may refer to tasks of any plan before it.
 */
export function latestPlan(entries: readonly Entry[]): Plan | undefined {
  const {tools} = openingOf(entries);
  let latest: Plan | undefined;
  const known = new Set<string>();
  for (const draft of ofRoot(entries).flatMap(draftsIn)) {
    const settled = [...known].filter((id) => !idsIn(draft).includes(id));
    const reading = readPlan(draft, tools, {settled, open: [...known]});
    if (!reading.ok) continue;
    latest = reading.plan;
    for (const {id} of latest.tasks) known.add(id);
  }
  return latest;
}

function draftsIn(entry: Entry): unknown[] {
  if (entry.type === 'settled') return callsOf(entry.outcome, 'create_plan');
  const edited = entry.type === 'received' ? editedSchema.safeParse(entry.event) : undefined;
  return edited?.success && isPlan(edited.data.plan) ? [edited.data.plan] : [];
}

const tasksSchema = z.object({tasks: z.array(z.object({id: z.coerce.string()}))});

function idsIn(draft: unknown): string[] {
  const parsed = tasksSchema.safeParse(draft);
  return parsed.success ? parsed.data.tasks.map(({id}) => id) : [];
}

function callsOf(outcome: unknown, tool: string): unknown[] {
  const replied = repliedSchema.safeParse(outcome);
  if (!replied.success) return [];
  return replied.data.calls.flatMap(({name, args}) => (name === tool ? [args] : []));
}

function isPlan(value: unknown): value is Plan {
  return typeof value === 'object' && value !== null && 'objective' in value && 'tasks' in value;
}

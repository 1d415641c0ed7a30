/** Reads a run's journal without replaying it. Entries of other versions are read as far as they are known. */

import {z} from 'zod';

import type {Peeked} from '../../actors/history/peek.ts';
import {factsOf, type RecordedFact} from '../../actors/history/recorded-facts.ts';
import type {Entry, InteractionRow} from '../../actors/journal/journal.ts';
import {eventOf, resultIn} from '../../actors/run/run-result.ts';
import {interactionForms} from '../../machines/domain/interaction-form.ts';
import {isJsonObject, type Json} from '../../machines/domain/json.ts';
import type {Change} from '../../machines/domain/patch.ts';
import {type Plan, readPlan} from '../../machines/domain/plan.ts';
import {
  addUsage,
  type InteractionEnd,
  noUsage,
  type UsageTotals,
} from '../../machines/domain/result.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import type {EditGround} from '../gate/plan-file.ts';
import type {PhaseModels} from '../render/live/status.ts';
import {advance} from '../render/view/fold.ts';
import {changeInteraction} from '../render/view/interactions.ts';
import {emptyView, type InteractionView, type RunView} from '../render/view/run-view.ts';

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

/**
 * The data that an edited plan must agree with: the tools, and the latest plan that a person was asked about, whose hash begins
 * with `digest`.
 */
export function editGround(entries: readonly Entry[], digest = ''): EditGround {
  const plans = factsOf(entries).flatMap(({fact}) => {
    if (fact.type !== 'human.requested' || !fact.question.proposalHash.startsWith(digest))
      return [];
    return fact.question.plan ?? [];
  });
  return {tools: openingOf(entries).tools, plan: plans.at(-1)};
}

const usageSchema = z.object({
  usage: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedTokens: z.number(),
    costUsd: z.number().exactOptional(),
  }),
});

/** The key of a model call. */
const modelCall = /\/model#\d+$/;

function isMade(outcome: Json): boolean {
  if (!isJsonObject(outcome)) return true;
  const {kind, retryable} = outcome;
  return kind !== 'overBudget' && (kind !== 'unavailable' || retryable === true);
}

/** Of the offline model, whose calls cost nothing. A call that was aborted early may have used no tokens, either. */
function isFree(outcome: Json, {inputTokens, outputTokens}: Tokens): boolean {
  const kind = isJsonObject(outcome) ? outcome['kind'] : undefined;
  return (kind === 'ok' || kind === 'refused') && inputTokens + outputTokens === 0;
}

type Tokens = Pick<UsageTotals, 'inputTokens' | 'outputTokens'>;

const resumedSchema = z.object({type: z.literal('run.resumed'), lost: z.array(z.string())});

interface Spent {
  readonly key: string;
  readonly call: UsageTotals;
}

/** Counts as the run's own ledger: a call without usage is estimated, and so is one left open by a dead process. */
export function spentIn(entry: Entry): Spent[] {
  if (entry.type === 'received') {
    const {lost = []} = resumedSchema.safeParse(entry.event).data ?? {};
    return lost.flatMap(estimated);
  }
  if (entry.type !== 'settled') return [];
  const {key, outcome} = entry;
  const reported = usageSchema.safeParse(outcome);
  if (!reported.success) return isMade(outcome) ? estimated(key) : [];
  const {usage} = reported.data;
  return isFree(outcome, usage) ? [] : [{key, call: {...usage, modelCalls: 1}}];
}

function estimated(key: string): Spent[] {
  const call = {...noUsage, modelCalls: 1, estimated: true} as const;
  return modelCall.test(key) ? [{key, call}] : [];
}

/** The cost of the calls up to now; undefined when no model with a known price has answered. */
export function currentCost(entries: readonly Entry[]): number | undefined {
  return entries.flatMap(spentIn).reduce((sum, {call}) => addUsage(sum, call), noUsage).costUsd;
}

const suspendedSchema = z.object({
  type: z.literal('run.suspended'),
  why: z.string(),
  outage: z.object({message: z.string()}).exactOptional(),
});

interface Suspended {
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

/** The drafts of an ensemble with all scores, and the author of the chosen one; undefined for a run with one planner. */
export function ensembleIn(
  entries: readonly Entry[],
): Extract<RecordedFact, {readonly type: 'ensemble.chosen'}> | undefined {
  return factsOf(ofRoot(entries))
    .map(({fact}) => fact)
    .find((fact) => fact.type === 'ensemble.chosen');
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

// The settings that a person changed in a run, from its journal, without a replay.

const sectionSchema = z.record(z.string(), z.unknown()).default({});
const voiceSchema = z.object({model: z.string()});
const speakingSchema = z.looseObject({
  participants: z.array(voiceSchema).exactOptional(),
  moderator: voiceSchema.exactOptional(),
});
const debatingSchema = z.looseObject({
  proponent: voiceSchema.exactOptional(),
  opponent: voiceSchema.exactOptional(),
});
const seatSchema = z.object({id: z.string(), weight: z.number(), veto: z.boolean()});
const changeSchema = z.object({
  type: z.literal('settings.changed'),
  settings: z
    .object({
      agent: sectionSchema,
      quorum: sectionSchema,
      ask: sectionSchema,
      discuss: speakingSchema.default({}),
      debate: debatingSchema.default({}),
      interview: sectionSchema,
      panel: z.array(seatSchema).default([]),
    })
    .prefault({}),
  limits: sectionSchema,
  hilMode: z.string().exactOptional(),
});

/** The changes during the run, in order, in the spelling of a configuration: `agent.hil_mode = "auto_approve"`. */
export function settingsChangedIn(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    const change = entry.type === 'received' ? changeSchema.safeParse(entry.event) : undefined;
    if (!change?.success) return [];
    const {settings, limits, hilMode} = change.data;
    const {agent, quorum, ask, interview, panel} = settings;
    const mode = hilMode === undefined ? {} : {hilMode};
    const voices = voicesIn(settings);
    const sections = {agent: {...mode, ...agent}, quorum, ask, ...voices, interview, limits};
    return [
      ...Object.entries(sections).flatMap(pairsOf),
      ...(panel.length > 0 ? [`panel = ${panel.map(seatText).join(', ')}`] : []),
    ];
  });
}

/** The participants by the names of their models, as in a configuration. */
function voicesIn({discuss, debate}: z.infer<typeof changeSchema>['settings']) {
  const {participants, moderator, ...speaking} = discuss;
  const {proponent, opponent, ...debating} = debate;
  const sides = [proponent, opponent].flatMap((side) => side?.model ?? []);
  return {
    discuss: {
      ...(participants ? {participants: participants.map(({model}) => model)} : {}),
      ...(moderator ? {moderator: moderator.model} : {}),
      ...speaking,
    },
    debate: {...(sides.length > 0 ? {models: sides} : {}), ...debating},
  };
}

function pairsOf([section, values]: readonly [string, Readonly<Record<string, unknown>>]) {
  return Object.entries(values).map(
    ([key, value]) => `${section}.${snakeCase(key)} = ${JSON.stringify(value)}`,
  );
}

function seatText({id, weight, veto}: z.infer<typeof seatSchema>): string {
  const notes = [...(weight === 1 ? [] : [`weight ${weight}`]), ...(veto ? ['veto'] : [])];
  return notes.length === 0 ? id : `${id} (${notes.join(', ')})`;
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

// The interactions of a run from its journal, including interrupted runs.

/**
 * The view of its tree: parents, states or ends, and costs. Without `peeked`, phases are unknown, as for an ended run or a
 * run recorded by other charts.
 */
export function recordedTree(
  row: Pick<InteractionRow, 'id' | 'form' | 'request'>,
  entries: readonly Entry[],
  peeked: Peeked | undefined,
): RunView {
  const {id, request} = row;
  const root = changeInteraction(emptyView, id, () => ({
    form: interactionForms.find((form) => form === row.form),
    request,
  }));
  const reports = peeked?.reports ?? factsIn(entries, id);
  const folded = reports.reduce((view, event) => advance(view, event), root);
  const open: Pick<RunView, 'gates' | 'asks'> = {
    gates: peeked?.gates ?? [],
    asks: peeked?.asks ?? [],
  };
  const result = resultIn(entries);
  const spent = entries
    .flatMap(spentIn)
    .reduce((view, each) => withSpent(view, each, id), {...folded, ...open});
  return result ? advance(spent, eventOf(result, id, past)) : spent;
}

function factsIn(entries: readonly Entry[], id: string): ProgressEvent[] {
  return factsOf(entries).map(({fact, ...source}) => eventOf(fact, id, source));
}

/** Of an event of the run itself that no process shows as it happens. */
const past = {seq: 0, at: 0, actor: ''};

function withSpent(view: RunView, {key, call}: Spent, root: string): RunView {
  const usage = addUsage(view.usage ?? noUsage, call);
  return changeInteraction({...view, usage}, interactionIn(key, root), ({spent}) => ({
    spent: addUsage(spent, call),
  }));
}

export interface RecordedInteraction extends InteractionEnd {
  readonly request: string;
  /** The name of its current state, while it is active. */
  readonly phase?: string;
  /** Of its own calls. */
  readonly usage: UsageTotals;
}

/** The interactions below the root as data, in the shape of a result's. */
export function interactionsBelow({interactions}: RunView): RecordedInteraction[] {
  return interactions.slice(1).flatMap(toRecorded);
}

/** None for those whose beginning is unknown. */
function toRecorded(one: InteractionView): RecordedInteraction[] {
  const {id, form: its, parent, depth, contextMode, by, summary, request, text, spent} = one;
  if (its === undefined || parent === undefined || contextMode === undefined || by === undefined)
    return [];
  const begun = {id, form: its, parent, depth, contextMode, by};
  const said = text === '' ? {} : {text};
  return [{...begun, ...viewState(one), summary, request, ...said, usage: spent}];
}

function viewState({state, phase}: InteractionView): Pick<RecordedInteraction, 'status' | 'phase'> {
  if (state !== 'running' && state !== 'waiting' && state !== 'cutOff') return {status: state};
  return {status: 'active', ...(phase === '' ? {} : {phase})};
}

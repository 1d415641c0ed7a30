/** The interactions of a run from its journal, including interrupted runs. */

import {z} from 'zod';

import type {Peeked} from '../../actors/history/peek.ts';
import type {Entry, InteractionRow} from '../../actors/journal/journal.ts';
import {eventOf, resultIn} from '../../actors/run/run-result.ts';
import {contextModes, interactionForms} from '../../machines/domain/interaction-form.ts';
import {isJsonObject, type Json} from '../../machines/domain/json.ts';
import {
  addUsage,
  type InteractionEnd,
  noUsage,
  type UsageTotals,
} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import {advance} from '../render/view/fold.ts';
import {changeInteraction} from '../render/view/interactions.ts';
import {emptyView, type InteractionView, type RunView} from '../render/view/run-view.ts';

const form = z.enum(interactionForms);
const status = z.enum(['completed', 'failed', 'rejected', 'cancelled', 'limited', 'error']);

const notedSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('interaction.spawned'),
    child: z.string(),
    form,
    parent: z.string(),
    depth: z.number(),
    contextMode: z.enum(contextModes),
    by: z.enum(['person', 'model', 'rule']),
    request: z.string(),
  }),
  z.object({
    type: z.literal('interaction.refused'),
    parent: z.string(),
    form,
    error: z.object({code: z.string(), message: z.string()}),
  }),
  z.object({
    type: z.literal('interaction.settled'),
    status,
    summary: z.string(),
    child: z.string(),
    text: z.string().exactOptional(),
  }),
]);

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
    form: form.safeParse(row.form).data,
    request,
  }));
  const reports = peeked?.reports ?? entries.flatMap((entry) => notesIn(entry, id));
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

function notesIn(entry: Entry, id: string): ProgressEvent[] {
  const note = entry.type === 'noted' ? notedSchema.safeParse(entry.note) : undefined;
  return note?.success ? [eventOf(note.data, id, past)] : [];
}

/** Of an event of the run itself that no process shows as it happens. */
const past = {seq: 0, at: 0, actor: ''};

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

/** No call was made. */
const notMade: ReadonlySet<unknown> = new Set(['overBudget', 'unavailable']);

function isMade(outcome: Json): boolean {
  return !isJsonObject(outcome) || !notMade.has(outcome['kind']);
}

const resumedSchema = z.object({type: z.literal('run.resumed'), lost: z.array(z.string())});

interface Spent {
  readonly key: string;
  readonly call: UsageTotals;
}

/** Counts as the run's own ledger: a call without usage is estimated, and so is one left open by a dead process. */
function spentIn(entry: Entry): Spent[] {
  if (entry.type === 'received') {
    const {lost = []} = resumedSchema.safeParse(entry.event).data ?? {};
    return lost.flatMap(estimated);
  }
  if (entry.type !== 'settled') return [];
  const {key, outcome} = entry;
  const reported = usageSchema.safeParse(outcome);
  if (!reported.success) return isMade(outcome) ? estimated(key) : [];
  const {usage} = reported.data;
  // Policies use no tokens.
  return usage.inputTokens === 0 ? [] : [{key, call: {...usage, modelCalls: 1}}];
}

function estimated(key: string): Spent[] {
  const call = {...noUsage, modelCalls: 1, estimated: true} as const;
  return modelCall.test(key) ? [{key, call}] : [];
}

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

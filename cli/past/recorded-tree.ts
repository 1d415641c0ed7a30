/** The interactions of a run from its journal, including interrupted runs. */

import type {Peeked} from '../../actors/history/peek.ts';
import {factsOf} from '../../actors/history/recorded-facts.ts';
import type {Entry, InteractionRow} from '../../actors/journal/journal.ts';
import {resultIn, eventOf} from '../../actors/run/run-result.ts';
import {interactionForms} from '../../machines/domain/interaction-form.ts';
import {
  type InteractionEnd,
  type UsageTotals,
  addUsage,
  noUsage,
} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import {advance} from '../render/view/fold.ts';
import {changeInteraction} from '../render/view/interactions.ts';
import {emptyView, type InteractionView, type RunView} from '../render/view/run-view.ts';
import {type Spent, spentIn} from './history.ts';

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

/** Folds over the steps of a trace, continued as steps arrive: each step is visited once. */

import {isJsonArray, isJsonObject, type JsonObject} from '../../../../../machines/domain/json.ts';
import {addUsage, noUsage, type UsageTotals} from '../../../../../machines/domain/result.ts';
import type {Moments} from '../../../../../machines/trace/moments.ts';
import type {ModelCall, Step} from '../../../../../machines/trace/step.ts';
import {interactionIn} from '../../../../../machines/tree/path.ts';
import {advance} from '../../../../render/view/fold.ts';
import {emptyView, type RunView} from '../../../../render/view/run-view.ts';

/** `add` changes the state in place. */
export function foldSteps<State>(
  begin: () => State,
  add: (state: State, step: Step, index: number) => void,
): (moments: Moments) => State {
  const states = new WeakMap<Moments, {readonly state: State; count: number}>();
  return (moments) => {
    const known = states.get(moments) ?? {state: begin(), count: 0};
    const {steps} = moments;
    for (; known.count < steps.length; known.count += 1) {
      const step = steps[known.count];
      if (step) add(known.state, step, known.count);
    }
    states.set(moments, known);
    return known.state;
  };
}

/** The view of the run after each step, as every screen folds it. Views share the parts that have not changed. */
export const viewsOf = foldSteps<RunView[]>(
  () => [],
  (views, {reports, seq, at}) => {
    const before = views.at(-1) ?? emptyView;
    const after = reports.reduce(
      (view, {report, actor}) =>
        advance(view, {...report, seq, at, actor, interaction: interactionIn(actor, 'root')}),
      before,
    );
    views.push(after);
  },
);

/** The index of the first step after which this holds. It keeps holding. -1: it never does. */
export function firstStep(views: readonly RunView[], holds: (view: RunView) => boolean): number {
  let [low, high] = [0, views.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const view = views[middle];
    if (view && holds(view)) high = middle;
    else low = middle + 1;
  }
  return low < views.length ? low : -1;
}

/** The index of the step in which an actor began, the nearest before a moment, else the first after it. Undefined: it never did. */
export function beginningOf(
  steps: readonly Step[],
  path: string,
  index: number,
): number | undefined {
  const begins = ({changes}: Step): boolean =>
    changes.some((each) => each.change === 'started' && each.path === path);
  const before = steps.findLastIndex((step, at) => at <= index && begins(step));
  const nearest = before < 0 ? steps.findIndex(begins) : before;
  return nearest < 0 ? undefined : nearest;
}

// Members of JSON that another version, a model or a stranger may have written: an absent or different one is undefined or empty.

export function textIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.[name];
  return isJsonObject(value) ? value : undefined;
}

export function objectsIn(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const value = object?.[name];
  return isJsonArray(value) ? value.filter((each) => isJsonObject(each)) : [];
}

// Sums of model calls, and the calls as they were at a moment.

interface CallTotals extends UsageTotals {
  /** The price of a model is not known. */
  readonly isCostPartial: boolean;
}

/** The calls are counted also before they have an outcome. */
export function totalsOf(calls: readonly ModelCall[]): CallTotals {
  const used = calls.flatMap(({usage}) => (usage ? [usage] : []));
  const sum = used.reduce<UsageTotals>(
    (all, usage) => addUsage(all, {...usage, modelCalls: 0}),
    noUsage,
  );
  const isCostPartial = used.some(({costUsd}) => costUsd === undefined);
  return {...sum, modelCalls: calls.length, isCostPartial};
}

/** The calls as they were known after the step with this seq: a later outcome is left out. */
export function callsAt(calls: readonly ModelCall[], seq: number): ModelCall[] {
  return calls
    .filter(({requested}) => requested <= seq)
    .map((call) => {
      if (call.settled !== undefined && call.settled <= seq) return call;
      const {settled: _settled, outcome: _outcome, usage: _usage, ms: _ms, ...open} = call;
      return open;
    });
}

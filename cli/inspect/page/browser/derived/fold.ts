/** Folds over the steps of a trace, continued as steps arrive: each step is visited once. */

import type {Moments} from '../../../../../machines/trace/moments.ts';
import type {Step} from '../../../../../machines/trace/step.ts';
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

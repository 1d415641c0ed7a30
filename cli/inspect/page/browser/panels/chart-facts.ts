/** Facts of charts for the tree of actors. Until a chart has arrived, and without one, nothing is known. */

import type {ActorState, ChartState} from '../../../../../machines/trace/step.ts';
import {activeStates} from '../derived/active.ts';
import type {ServicesOf} from '../derived/waiting.ts';
import {chartOf} from '../sources/charts.ts';
import type {Source} from '../sources/source.ts';
import type {View} from '../stage.ts';

export interface ChartFacts {
  readonly servicesOf: ServicesOf;
  /** One of its active states has a delay. */
  readonly isTimed: (actor: ActorState) => boolean;
}

const none: ReadonlySet<string> = new Set();

/** `arrived`: more is known. */
export function chartFacts(
  source: Source,
  view: () => View | undefined,
  arrived: () => void,
): ChartFacts {
  const statesOf = (machine: string): readonly ChartState[] | undefined => {
    const {id} = view()?.head ?? {};
    const chart = id === undefined ? 'none' : chartOf(source, id, machine, arrived);
    return typeof chart === 'string' ? undefined : chart.states;
  };
  const services = new WeakMap<readonly ChartState[], ReadonlySet<string>>();
  return {
    servicesOf: (machine) => {
      const states = statesOf(machine);
      if (!states) return none;
      const known = services.get(states) ?? new Set(states[0]?.invokes.map(({id}) => id));
      services.set(states, known);
      return known;
    },
    isTimed: ({machine, state}) =>
      machine !== undefined &&
      activeStates(statesOf(machine) ?? [], state).some(({transitions}) =>
        transitions.some(({event}) => event.startsWith('xstate.after.')),
      ),
  };
}

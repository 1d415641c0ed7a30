/** The charts that were loaded, for all panels. Until a chart has arrived, and without one, nothing is known of its machine. */

import type {ActorState, ChartState} from '../../../../../machines/trace/step.ts';
import type {Chart} from '../../../replies.ts';
import {activeStates} from '../derived/active.ts';
import type {ServicesOf} from '../derived/waiting.ts';
import type {View} from '../stage.ts';
import type {Source} from './source.ts';

interface Entry {
  chart?: Chart | undefined;
  isLoaded: boolean;
  readonly waiting: Set<() => void>;
}

const loaded = new WeakMap<Source, Map<string, Entry>>();

/** `loading`: `arrived` is called once it is known. `none`: the machine has no chart, or it could not be read. */
export function chartOf(
  source: Source,
  trace: string,
  machine: string,
  arrived: () => void,
): Chart | 'loading' | 'none' {
  const entries = loaded.get(source) ?? new Map<string, Entry>();
  loaded.set(source, entries);
  const key = JSON.stringify([trace, machine]);
  const entry = entries.get(key) ?? begin(source, trace, machine);
  entries.set(key, entry);
  if (entry.isLoaded) return entry.chart ?? 'none';
  entry.waiting.add(arrived);
  return 'loading';
}

function begin(source: Source, trace: string, machine: string): Entry {
  const entry: Entry = {isLoaded: false, waiting: new Set()};
  const arrive = (chart?: Chart): void => {
    Object.assign(entry, {chart, isLoaded: true});
    for (const notify of entry.waiting) notify();
    entry.waiting.clear();
  };
  source.chart(trace, machine).then(arrive, () => arrive());
  return entry;
}

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

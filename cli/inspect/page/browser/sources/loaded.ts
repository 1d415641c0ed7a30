/** Data of the shown trace that is loaded when a panel needs it: charts and model calls. */

import type {ActorState, ChartState, ModelCall} from '../../../../../machines/trace/step.ts';
import type {Chart} from '../../../replies.ts';
import {activeStates, type ServicesOf} from '../derived/actors.ts';
import {foldSteps} from '../derived/fold.ts';
import type {Stage, View} from '../stage.ts';
import {type Source, SourceError} from './source.ts';

interface Entry {
  chart?: Chart | undefined;
  isLoaded: boolean;
  readonly waiting: Set<() => void>;
}

const loadedCharts = new WeakMap<Source, Map<string, Entry>>();

/** `loading`: `arrived` is called once it is known. `none`: the machine has no chart, or it could not be read. */
export function chartOf(
  source: Source,
  trace: string,
  machine: string,
  arrived: () => void,
): Chart | 'loading' | 'none' {
  const entries = loadedCharts.get(source) ?? new Map<string, Entry>();
  loadedCharts.set(source, entries);
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

interface ChartFacts {
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

// The model calls of the shown trace, loaded when a panel needs them, and again when there are newer ones.

interface CallStore {
  /** The loaded calls; undefined while the first ones are loaded. Newer ones are loaded if there are any. */
  readonly of: (view: View) => readonly ModelCall[] | undefined;
  /** Why they could not be loaded. */
  readonly problem: () => string | undefined;
  readonly onChange: (changed: () => void) => void;
}

interface Loaded {
  /** The state of the trace at the last load. */
  version: string;
  calls?: readonly ModelCall[];
  problem?: string | undefined;
}

/** A live trace settles several calls at about the same time. */
const restMs = 400;

const stores = new WeakMap<Stage, CallStore>();

/** The same store for all panels of a page. */
export function callStore(stage: Stage): CallStore {
  const known = stores.get(stage);
  if (known) return known;
  const made = createCallStore(stage);
  stores.set(stage, made);
  return made;
}

function createCallStore({source}: Stage): CallStore {
  const listeners: (() => void)[] = [];
  let id: string | undefined;
  let loaded: Loaded = {version: ''};
  let timer: ReturnType<typeof setTimeout> | undefined;

  const load = async (run: string, into: Loaded): Promise<void> => {
    try {
      into.calls = await source.calls(run);
      into.problem = undefined;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      into.problem = error.message;
    }
    if (into === loaded) for (const changed of listeners) changed();
  };
  return {
    of: ({head, moments}) => {
      if (head.id !== id) {
        id = head.id;
        loaded = {version: ''};
      }
      const version = String(settledCalls(moments).count);
      if (version !== loaded.version) {
        const wait = loaded.version === '' ? 0 : restMs;
        loaded.version = version;
        const into = loaded;
        clearTimeout(timer);
        timer = setTimeout(() => void load(head.id, into), wait);
      }
      return loaded.calls;
    },
    problem: () => loaded.problem,
    onChange: (changed) => {
      listeners.push(changed);
    },
  };
}

/** Counts requested and settled model calls. */
const settledCalls = foldSteps<{count: number; readonly open: Set<string>}>(
  () => ({count: 0, open: new Set()}),
  (state, {requests, cause}) => {
    for (const {key, port} of requests) {
      if (port !== 'callModel') continue;
      state.open.add(key);
      state.count += 1;
    }
    if (cause.kind !== 'entry' || cause.entry.type !== 'settled') return;
    const {key} = cause.entry;
    if (typeof key === 'string' && state.open.delete(key)) state.count += 1;
  },
);

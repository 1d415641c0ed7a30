/** The model calls of the shown trace, loaded when a panel needs them, and again when there are newer ones. */

import type {ModelCall} from '../../../../../machines/trace/step.ts';
import {foldSteps} from '../derived/fold.ts';
import type {Stage, View} from '../stage.ts';
import {SourceError} from './source.ts';

export interface CallStore {
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

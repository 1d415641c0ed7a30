/** The runs of one runtime that this process runs, and their listeners. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Snapshots} from '../../tools/index.ts';
import {logEvent} from '../logger.ts';
import type {ListenOptions, Run} from '../runtime-api.ts';
import type {RuntimeOptions} from '../runtime-options.ts';
import {restAfter} from '../undo/backups.ts';
import type {LiveRun} from './run.ts';

export interface LiveRuns {
  /** Throws AppError `usage` once closed. */
  readonly requireOpen: () => void;
  /** Keeps the run in the list until it ends; aborting the signal cancels it. */
  readonly track: (run: LiveRun, signal: ListenOptions['signal']) => Run;
  /** Tracks a run that is being resumed. Rejects as `resume`, or with AppError `usage` once closed. */
  readonly takeUp: (
    resume: () => Promise<LiveRun>,
    signal?: ListenOptions['signal'],
  ) => Promise<Run>;
  /** Waits for the runs being resumed, then suspends all. */
  readonly close: () => Promise<void>;
}

export function createLiveRuns(snapshots: Pick<Snapshots, 'baselines' | 'rest'>): LiveRuns {
  const runs = new Set<LiveRun>();
  const openings = new Set<Promise<Run>>();
  const endings = new Set<Promise<void>>();
  let isClosed = false;
  const requireOpen = (): void => {
    if (isClosed) throw new AppError('usage', 'the runtime is closed; create another one');
  };
  const track: LiveRuns['track'] = (run, signal) => {
    runs.add(run);
    void run.result.then(cancelOn(signal, run));
    void run.result.then(() => runs.delete(run));
    const ending = run.result.then(restAfter(snapshots, run.id));
    endings.add(ending);
    void ending.then(() => endings.delete(ending));
    return run;
  };
  return {
    requireOpen,
    track,
    takeUp: async (resume, signal) => {
      requireOpen();
      const opening = resume().then((run) => track(run, signal));
      openings.add(opening);
      try {
        return await opening;
      } finally {
        openings.delete(opening);
      }
    },
    close: async () => {
      isClosed = true;
      // A run that is being resumed would otherwise start after the runtime is closed.
      await Promise.allSettled(openings);
      await Promise.all([...runs].map(async (run) => await run.suspend('interrupted')));
      await Promise.all(endings);
    },
  };
}

/** Cancels the run when the signal is aborted. Returns a function that stops listening. */
export function cancelOn(signal: AbortSignal | undefined, run: Run): () => void {
  const cancel = (): void => run.send({type: 'user.cancel'});
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, {once: true});
  return () => signal?.removeEventListener('abort', cancel);
}

/** Undefined when there is no listener. */
export function listenerFor(
  id: string,
  {logger, onRule}: RuntimeOptions,
  onEvent: ListenOptions['onEvent'],
): ListenOptions['onEvent'] {
  if (!logger && !onRule) return onEvent;
  return (event) => {
    if (logger) logEvent(logger, id, event);
    if (event.type === 'rule.made') onRule?.(event.rule);
    onEvent?.(event);
  };
}

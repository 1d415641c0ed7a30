/** Performs the runs of a journal that several machines share: claims those that nobody owns, and continues them. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {Host, Owners} from '../journal/journal.ts';
import type {Run, Runtime} from '../runtime-api.ts';
import {realPath} from './validation.ts';

export interface WorkerOptions {
  readonly runtime: Pick<Runtime, 'resume' | 'ready'>;
  readonly owners: Owners;
  readonly host: Pick<Host, 'id'>;
  /** Of runs that work in a folder of this host, only those in this one. Absent: all of them. */
  readonly workspace?: string | undefined;
  /** The largest number of runs at once. */
  readonly most: number;
  readonly onBegin?: (id: string) => void;
  /** It has ended, or was suspended: then it can be claimed again once it can continue. */
  readonly onEnd?: (result: RunResult) => void;
  /** It can't be continued here, for example as its model can't be used. It is left alone for a minute. */
  readonly onRefused?: (id: string, error: unknown) => void;
}

export interface Worker {
  /** Hands its runs over to others. */
  readonly close: () => Promise<void>;
}

const LOOK_MS = 1_000;
const AVOID_MS = 60_000;

/** Throws AppError `usage` for a journal whose runs can't be claimed. */
export function startWorker(options: WorkerOptions): Worker {
  const {claim} = options.owners;
  if (!claim)
    throw new AppError('usage', 'a worker needs a journal that machines share: --journal');
  const place = options.workspace === undefined ? {} : {workspace: realPath(options.workspace)};
  const work = new Work(options);
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const most = options.most - work.size;
    if (most <= 0) return;
    try {
      const {id: host} = options.host;
      const ids = await claim({host, ...place, most, except: work.avoided()});
      for (const id of ids) work.begin(id);
    } catch {
      // The journal can't be reached, or is busy: the next look finds them.
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, LOOK_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await looking;
      await work.close();
    },
  };
}

class Work {
  readonly #options: WorkerOptions;
  readonly #performing = new Map<string, Promise<void>>();
  readonly #runs = new Set<Run>();
  /** Until when, on the clock of `performance`. */
  readonly #refused = new Map<string, number>();
  #isClosed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#performing.size;
  }

  avoided(): readonly string[] {
    for (const [id, until] of this.#refused)
      if (performance.now() >= until) this.#refused.delete(id);
    return [...this.#refused.keys()];
  }

  begin(id: string): void {
    const done = this.#perform(id).finally(() => this.#performing.delete(id));
    this.#performing.set(id, done);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#runs].map(async (run) => await run.suspend('handedOver')));
    await Promise.all(this.#performing.values());
  }

  async #perform(id: string): Promise<void> {
    const {runtime, onBegin, onEnd, onRefused} = this.#options;
    try {
      const run = await runtime.resume(id, {
        prepare: async (entries) => await runtime.ready({run: id, entries}),
      });
      this.#runs.add(run);
      onBegin?.(id);
      // A run that waits for a person is left, so that the person's answer can be given anywhere.
      if (this.#isClosed || (await run.quiet()) === 'asked') await run.suspend('handedOver');
      onEnd?.(await run.result);
      this.#runs.delete(run);
    } catch (error) {
      this.#refused.set(id, performance.now() + AVOID_MS);
      onRefused?.(id, error);
    }
  }
}

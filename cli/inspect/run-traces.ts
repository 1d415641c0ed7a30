/** The runs of a journal. A run of another process is shown as that process records it. */

import {requireUsable} from '../../actors/journal/chain.ts';
import type {Entry, InteractionRow} from '../../actors/journal/journal.ts';
import {openedIn, versionsIn} from '../../actors/run/run-input.ts';
import type {Run, Runtime, RunState} from '../../actors/runtime-api.ts';
import {chartsVersion} from '../../actors/version.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {ModelCall, TraceHead, TraceRow} from '../../machines/trace/step.ts';
import {shippedChart} from './charts.ts';
import type {Subject, Traces} from './routes.ts';

export interface RunTraces extends Traces {
  /** Shows when a run of this process waits for a person. */
  readonly adopt: (run: Run) => void;
}

const listed = 200;

export function createRunTraces(runtime: Runtime): RunTraces {
  const own = new Map<string, Run>();
  return {
    adopt: (run) => void own.set(run.id, run),
    list: async () => {
      const rows = (await runtime.interactions()).slice(0, listed);
      return await Promise.all(rows.map(async (row) => await rowOf(row, runtime)));
    },
    find: async (id) => {
      const subject = new RunTraceSubject(id, runtime, own.get(id));
      await subject.head();
      return subject;
    },
  };
}

class RunTraceSubject implements Subject {
  readonly #id: string;
  readonly #runtime: Runtime;
  /** Of this process. */
  readonly #own: Run | undefined;
  #read: {readonly count: number; readonly entries: readonly Entry[]} | undefined;
  #calls: {readonly count: number; readonly calls: readonly ModelCall[]} | undefined;
  readonly chart = shippedChart;

  constructor(id: string, runtime: Runtime, own: Run | undefined) {
    this.#id = id;
    this.#runtime = runtime;
    this.#own = own;
  }

  readonly head = async (): Promise<TraceHead> => {
    const [entries, state] = await Promise.all([this.#entries(), this.#runtime.stateOf(this.#id)]);
    const isAsking = this.#own !== undefined && isWaiting(this.#own);
    return runHead(this.#id, entries, isAsking ? 'waiting' : state);
  };

  readonly follow: Subject['follow'] = (signal) => this.#runtime.trace(this.#id, {signal});

  readonly calls = async (): Promise<readonly ModelCall[]> => {
    const count = await this.#runtime.entryCount(this.#id);
    if (this.#calls?.count !== count)
      this.#calls = {count, calls: await this.#runtime.modelCalls(this.#id)};
    return this.#calls.calls;
  };

  /** Read again only when there are more entries. Rejects with AppError `not_found` or `journal_corrupt`. */
  async #entries(): Promise<readonly Entry[]> {
    const count = await this.#runtime.entryCount(this.#id);
    if (count === 0) throw new AppError('not_found', `there is no run ${this.#id}`);
    if (this.#read?.count !== count) {
      const {entries} = requireUsable(await this.#runtime.salvage(this.#id));
      this.#read = {count, entries};
    }
    return this.#read.entries;
  }
}

async function rowOf(
  {id, form, request, workspace, openedAt, status}: InteractionRow,
  runtime: Runtime,
): Promise<TraceRow> {
  const state = status ?? (await runtime.stateOf(id));
  const costUsd = status === undefined ? undefined : await runtime.costOf(id);
  const row = {id, kind: 'run', form, title: request, state, openedAt, workspace} as const;
  return costUsd === undefined ? row : {...row, costUsd};
}

function isWaiting(run: Run): boolean {
  return run.gates().length + run.asks().length > 0 && run.atWork().length === 0;
}

/** `state`: of a run that has not ended. */
export function runHead(id: string, entries: readonly Entry[], state: RunState): TraceHead {
  const [opened] = entries;
  const {form = '', request = '', workspace} = openedIn(entries) ?? {};
  const origin = opened?.type === 'opened' ? opened.origin : undefined;
  const current = chartsVersion();
  return {
    id,
    kind: 'run',
    form,
    title: request,
    state: stateIn(entries, state),
    openedAt: opened?.at ?? 0,
    ...(workspace === undefined ? {} : {workspace}),
    ...(origin ? {origin: {id: origin.id, seq: origin.seq}} : {}),
    isThisVersion: versionsIn(entries).every((version) => version === current),
  };
}

function stateIn(entries: readonly Entry[], open: RunState): string {
  const last = entries.at(-1);
  const status = last?.type === 'closed' ? last.result['status'] : undefined;
  return typeof status === 'string' ? status : open;
}

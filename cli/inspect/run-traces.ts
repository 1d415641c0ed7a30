/**
 * The runs of a journal. A run of another process is shown as that process records it. An open run that no process has is
 * continued here when an event is sent to it.
 */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {RunEvent, Run, Runtime} from '../../actors/runtime-api.ts';
import {peekRun} from '../../actors/sessions/peek.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {TraceRow} from '../../machines/trace/view.ts';
import {shippedChart} from './charts.ts';
import {runHead} from './run-head.ts';
import type {RunSubject, SentEvent, Traces} from './traces.ts';

export interface RunTraces extends Traces {
  readonly find: (id: string) => Promise<RunSubject>;
  /** Lets events be sent to a run of this process. */
  readonly adopt: (run: Run) => void;
}

const listed = 200;

export function createRunTraces(runtime: Runtime): RunTraces {
  const live = new LiveRuns(runtime);
  return {
    adopt: (run) => void live.adopt(run),
    list: async () => {
      const rows = (await runtime.interactions()).slice(0, listed);
      return await Promise.all(rows.map(async (row) => await rowOf(row, runtime)));
    },
    find: async (id) => {
      const {entries} = await runtime.salvage(id);
      if (entries.length === 0) throw new AppError('not_found', `there is no run ${id}`);
      return subjectOf(id, runtime, live);
    },
  };
}

/** The runs that this process has. */
class LiveRuns {
  readonly #runtime: Runtime;
  readonly #runs = new Map<string, Run>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  get(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  adopt(run: Run): Run {
    this.#runs.set(run.id, run);
    void run.result.then(() => this.#runs.delete(run.id));
    return run;
  }

  /** Continues the run here, unless it is here. Its open questions have been asked again when this resolves. */
  async wake(id: string): Promise<Run> {
    const known = this.#runs.get(id);
    if (known) return known;
    let questions = 0;
    const run = await this.#runtime.resume(id, {
      prepare: async (entries) => {
        await this.#runtime.ready({run: id, entries});
        const {gates, asks} = await peekRun(id, entries);
        questions = gates.length + asks.length;
      },
    });
    this.adopt(run);
    if (questions > 0) await hasAsked(run);
    return run;
  }

  /** Resolves with its id when it is open. */
  async keep(run: Run): Promise<string> {
    await this.adopt(run).opened;
    return run.id;
  }
}

function subjectOf(id: string, runtime: Runtime, live: LiveRuns): RunSubject {
  return {
    head: async () => {
      const [{entries, imported}, isAtWork] = await Promise.all([
        runtime.salvage(id),
        runtime.isAtWork(id),
      ]);
      const run = live.get(id);
      return runHead(id, entries, {
        isAtWork,
        isOurs: run !== undefined,
        isImported: imported === true,
        isWaiting: run !== undefined && isWaiting(run),
        isHeld: run?.held() !== undefined,
        breakpoints: run?.breakpoints() ?? [],
      });
    },
    follow: (signal) => runtime.trace(id, {signal}),
    calls: async () => await runtime.modelCalls(id),
    chart: shippedChart,
    send: async (event) => {
      if (event.type === 'user.cancel') await runtime.cancel(id);
      else if (isRunEvent(event)) (await live.wake(id)).send(event);
    },
    fork: async (at, say) =>
      await live.keep(await runtime.fork(id, {at, ...(say === undefined ? {} : {say})})),
    rewind: async (to, dryRun) => {
      const {files, run} = await runtime.rewind(id, {to, dryRun});
      return {files: files.files, ...(run ? {id: await live.keep(run)} : {})};
    },
  };
}

async function rowOf(
  {id, form, request, workspace, openedAt, status}: InteractionRow,
  runtime: Runtime,
): Promise<TraceRow> {
  const state = status ?? ((await runtime.isAtWork(id)) ? 'running' : 'suspended');
  return {id, kind: 'run', form, title: request, state, openedAt, workspace};
}

/** Resolves when the run asks, or ends. */
async function hasAsked({events}: Run): Promise<void> {
  for await (const {type} of events)
    if (type === 'human.requested' || type === 'interview.asked') return;
}

function isWaiting(run: Run): boolean {
  return run.gates().length + run.asks().length > 0 && run.atWork().length === 0;
}

/** The run itself checks every event. */
function isRunEvent(event: SentEvent): event is SentEvent & RunEvent {
  return event.type !== '';
}

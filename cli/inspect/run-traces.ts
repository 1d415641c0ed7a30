/**
 * The runs of a journal. A run of another process is shown as that process records it. An open run that no process has is
 * continued here when an event is sent to it.
 */

import {requireUsable} from '../../actors/journal/chain.ts';
import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {Run, RunEvent, Runtime} from '../../actors/runtime-api.ts';
import {peekRun} from '../../actors/sessions/peek.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {ModelCall, TraceHead, TraceRow} from '../../machines/trace/view.ts';
import {shippedChart} from './charts.ts';
import type {Rewound} from './replies.ts';
import {type RecordedRun, runHead} from './run-head.ts';
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
      const subject = new RunTraceSubject(id, runtime, live);
      await subject.head();
      return subject;
    },
  };
}

/** The runs that this process has. */
class LiveRuns {
  readonly #runtime: Runtime;
  readonly #runs = new Map<string, Promise<Run>>();
  readonly #open = new Map<string, Run>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  get(id: string): Run | undefined {
    return this.#open.get(id);
  }

  adopt(run: Run): Run {
    this.#open.set(run.id, run);
    this.#runs.set(run.id, Promise.resolve(run));
    void this.#leaveAtEnd(run);
    return run;
  }

  /**
   * The run; continued here first if no process has it. Its open questions have been asked again when this resolves.
   * `breakpoints`: hold before anything begins.
   */
  async wake(id: string, breakpoints?: readonly string[]): Promise<Run> {
    const known = this.#runs.get(id);
    if (known) return await known;
    const waking = this.#continue(id, breakpoints);
    this.#runs.set(id, waking);
    try {
      return await waking;
    } catch (error) {
      this.#runs.delete(id);
      throw error;
    }
  }

  /** Resolves with its id when it is open. */
  async keep(run: Run): Promise<string> {
    await this.adopt(run).opened;
    return run.id;
  }

  async #leaveAtEnd(run: Run): Promise<void> {
    await run.result;
    this.#open.delete(run.id);
    this.#runs.delete(run.id);
  }

  async #continue(id: string, breakpoints: readonly string[] | undefined): Promise<Run> {
    let questions = 0;
    const run = await this.#runtime.resume(id, {
      ...(breakpoints ? {breakpoints} : {}),
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
}

class RunTraceSubject implements RunSubject {
  readonly #id: string;
  readonly #runtime: Runtime;
  readonly #live: LiveRuns;
  #read: {readonly count: number; readonly run: RecordedRun} | undefined;
  #calls: {readonly count: number; readonly calls: readonly ModelCall[]} | undefined;
  readonly chart = shippedChart;

  constructor(id: string, runtime: Runtime, live: LiveRuns) {
    this.#id = id;
    this.#runtime = runtime;
    this.#live = live;
  }

  readonly head = async (): Promise<TraceHead> => {
    const [recorded, state] = await Promise.all([
      this.#recorded(),
      this.#runtime.stateOf(this.#id),
    ]);
    const run = this.#live.get(this.#id);
    return runHead(this.#id, recorded, {
      state,
      isOurs: run !== undefined,
      isWaiting: run !== undefined && isWaiting(run),
      isHeld: run?.held() !== undefined,
      breakpoints: run?.breakpoints() ?? [],
    });
  };

  readonly follow: RunSubject['follow'] = (signal) => this.#runtime.trace(this.#id, {signal});

  readonly calls = async (): Promise<readonly ModelCall[]> => {
    const count = await this.#runtime.entryCount(this.#id);
    if (this.#calls?.count !== count)
      this.#calls = {count, calls: await this.#runtime.modelCalls(this.#id)};
    return this.#calls.calls;
  };

  readonly send: RunSubject['send'] = async (event) => {
    const {type, before} = event;
    if (type === 'user.cancel') await this.#runtime.cancel(this.#id);
    else if (type === 'breakpoints.changed' && !this.#live.get(this.#id) && isNames(before))
      await this.#live.wake(this.#id, before);
    else if (isRunEvent(event)) (await this.#live.wake(this.#id)).send(event);
  };

  readonly fork: RunSubject['fork'] = async (at, say) =>
    await this.#live.keep(
      await this.#runtime.fork(this.#id, {at, ...(say === undefined ? {} : {say})}),
    );

  readonly rewind = async (to: number, dryRun: boolean): Promise<Rewound> => {
    const {files, run} = await this.#runtime.rewind(this.#id, {to, dryRun});
    return {files: files.files, ...(run ? {id: await this.#live.keep(run)} : {})};
  };

  /** Read again only when there are more entries. Rejects with AppError `not_found` or `journal_corrupt`. */
  async #recorded(): Promise<RecordedRun> {
    const count = await this.#runtime.entryCount(this.#id);
    if (count === 0) throw new AppError('not_found', `there is no run ${this.#id}`);
    if (this.#read?.count !== count) {
      const salvaged = await this.#runtime.salvage(this.#id);
      const {entries} = requireUsable(salvaged);
      const isImported = salvaged.imported === true;
      this.#read = {count, run: {entries, isImported}};
    }
    return this.#read.run;
  }
}

async function rowOf(
  {id, form, request, workspace, openedAt, status}: InteractionRow,
  runtime: Runtime,
): Promise<TraceRow> {
  const state = status ?? (await runtime.stateOf(id));
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

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

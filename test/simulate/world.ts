/** A simulated world: its journal, its models, its tools, and the processes that die in it. */

import {createMemoryJournal, type Journal} from '../../actors/index.ts';
import type {Addition, Awaitable, Ownership} from '../../actors/journal/journal.ts';
import type {ModelCallContext} from '../../actors/model/model.ts';
import type {Performers, PerformContext} from '../../actors/performers/performers.ts';
import type {TakeoverDeps} from '../../actors/run/takeover.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {quickDigest} from '../../machines/domain/digest.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {answer, reply, vote} from '../support/scenario.ts';
import {replyOf} from './cast.ts';
import {forever, SimClock} from './clock.ts';
import {type Acting, equipmentFor} from './equipment.ts';
import type {Fault, FaultKind, SimPlan} from './plan.ts';

/** A process that runs the run of the world. */
export interface SimProcess {
  readonly deps: TakeoverDeps;
  isDead: boolean;
  /** Lets go of what the operating system frees. */
  readonly release: () => void;
}

export class World implements Acting {
  readonly plan: SimPlan;
  readonly clock = new SimClock();
  readonly journal = createMemoryJournal();
  /** How often each effect that must not be repeated was performed, by its key. */
  readonly performed = new Map<string, number>();
  /** A model can't be called, until somebody heals it. */
  isOut = false;
  /** Called with a fault of an entry that the journal itself does not show. */
  onFault: (how: string) => void = () => {};
  readonly #counts: Record<FaultKind, number> = {model: 0, tool: 0, entry: 0, person: 0};
  readonly #left: Set<Fault>;

  constructor(plan: SimPlan) {
    this.plan = plan;
    this.#left = new Set(plan.faults);
  }

  /** Counts, and takes the faults that are due. */
  faults(kind: FaultKind, count = 1): string[] {
    this.#counts[kind] += count;
    const due = [...this.#left].filter(
      (fault) => fault.kind === kind && fault.at <= this.#counts[kind],
    );
    for (const fault of due) this.#left.delete(fault);
    return due.map(({how}) => how);
  }

  async answer(request: ModelRequest, {signal}: ModelCallContext): Promise<ModelOutcome> {
    const [how] = this.faults('model');
    await this.clock.sleep(this.#latency(request.model, 2_000), signal);
    if (how === 'outage') this.isOut = true;
    if (this.isOut && request.model === 'sim/worker')
      return {kind: 'billing', message: 'the account is empty'};
    return await this.#answered(request, signal, how);
  }

  async #answered(request: ModelRequest, signal: AbortSignal, how = ''): Promise<ModelOutcome> {
    const fault = faultyReplies[how];
    if (fault) return fault(request.purpose) ?? (await replyOf(request, this.plan.scene));
    if (how === 'hang') await this.clock.sleep(Infinity, signal);
    if (how === 'slow') await this.clock.sleep(200_000, signal);
    return await replyOf(request, this.plan.scene);
  }

  async runTool(signal: AbortSignal): Promise<ToolOutcome> {
    const [how] = this.faults('tool');
    await this.clock.sleep(this.#latency('tool', 3_000), signal);
    if (how === 'slow') await this.clock.sleep(600_000, signal);
    if (how === 'hangs') await this.clock.sleep(Infinity);
    if (how === 'throws') throw new Error('EIO');
    if (signal.aborted) return {kind: 'cancelled', message: 'it was cancelled'};
    if (how === 'fails' || how === 'transient')
      return {kind: 'failed', code: 'failed', message: 'it broke', retryable: how === 'transient'};
    return {kind: 'succeeded', text: 'done'};
  }

  #latency(what: string, mostMs: number): number {
    const counts = Object.values(this.#counts).join(' ');
    const digest = quickDigest(`${this.plan.seed} ${what} ${counts}`);
    return 10 + (Number.parseInt(digest.slice(0, 8), 36) % mostMs);
  }

  /** A process of its own, with the same journal. */
  begin(): SimProcess {
    const {deps, performers} = equipmentFor(this.plan);
    const owned: Ownership[] = [];
    const watched = new Set<() => void>();
    const process: SimProcess = {
      isDead: false,
      deps: {
        ...deps,
        journal: this.#journalOf(() => process, owned, watched),
        redactor: plainRedactor,
        snapshots: {...deps.snapshots, settle: async () => await Promise.resolve()},
        performersFor: () => this.#performers(performers, process),
      },
      release: () => {
        process.isDead = true;
        for (const stop of watched) stop();
        for (const ownership of owned) void ownership.release();
      },
    };
    return process;
  }

  #journalOf(self: () => SimProcess, owned: Ownership[], watched: Set<() => void>): Journal {
    const {log, owners, inbox} = this.journal;
    return {
      ...this.journal,
      log: {...log, append: (batch) => this.#append(batch, self())},
      owners: {
        ...owners,
        own: async (id) => {
          const ownership = await owners.own(id);
          owned.push(ownership);
          return ownership;
        },
      },
      inbox: {
        ...inbox,
        watch: (id, callback) => {
          const stop = inbox.watch(id, callback);
          watched.add(stop);
          return stop;
        },
      },
    };
  }

  #append(batch: readonly Addition[], process: SimProcess): Awaitable<void> {
    const {clock, journal} = this;
    clock.note();
    if (process.isDead) return forever();
    const hows = this.faults(
      'entry',
      batch.reduce((sum, {bodies}) => sum + bodies.length, 0),
    );
    if (hows.includes('fails')) throw new AppError('io', 'the disk is full');
    const isLocked = hows.includes('locked');
    const crash = hows.find((how) => how.startsWith('crash'));
    for (const how of hows) if (how !== crash) queueMicrotask(() => this.onFault(how));
    if (crash === 'crashBefore') return this.#die(process);
    const write = () => journal.log.append(batch);
    if (isLocked && crash === undefined) return this.#later(write, process);
    const written = write();
    return crash === undefined ? written : this.#die(process);
  }

  async #later(write: () => Awaitable<void>, process: SimProcess): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 4_000);
    });
    if (process.isDead) await forever();
    await write();
  }

  #die(process: SimProcess): Promise<never> {
    process.isDead = true;
    this.clock.forget();
    return forever();
  }

  /** Looks at the disk are answered at once: they would take real time. */
  #performers(real: Performers, process: SimProcess): Performers {
    const all: Performers = {
      ...real,
      surveyWorkspace: async () => await Promise.resolve({text: 'A folder.', read: []}),
      runTool: async (request, context) =>
        simulated.has(request.tool)
          ? await real.runTool(request, context)
          : await Promise.resolve({kind: 'succeeded', text: 'nothing found'}),
      checkFiles: async () => await Promise.resolve({missing: []}),
      screenProposal: async ({policies}) =>
        await Promise.resolve({ballots: policies.map(() => approvingBallot)}),
    };
    const performed = Object.entries(all).map(([port, perform]) => [
      port,
      async (request: object, context: PerformContext) =>
        await this.clock.work(async () => {
          if (process.isDead) return await this.clock.idle(forever());
          if (port === 'runTool' && 'repeatability' in request && request.repeatability === 'once')
            this.performed.set(context.key, (this.performed.get(context.key) ?? 0) + 1);
          const outcome: unknown = await Reflect.apply(perform, real, [request, context]);
          return outcome;
        }),
    ]);
    return Object.fromEntries(performed);
  }
}

type FaultyReply = (purpose: ModelRequest['purpose']) => ModelOutcome | undefined;

/** By fault. Undefined where the fault does not apply. */
const faultyReplies: Readonly<Record<string, FaultyReply>> = {
  rateLimited: () => ({kind: 'rateLimited', message: '429', retryAfterMs: 3_000}),
  overloaded: () => ({kind: 'overloaded', message: '529', retryAfterMs: 90_000}),
  cut: () => ({kind: 'network', message: 'the stream was cut', jitter: 0.5}),
  throws: () => {
    throw new Error('read ECONNRESET');
  },
  refuses: () => ({kind: 'refused', message: 'I would rather not'}),
  malformed: () => reply('cast_ballot', {verdict: 'maybe', reasons: 'none'}),
  nonsense: () => answer('I approve, I approve'),
  reject: (purpose) =>
    purpose === 'evaluate'
      ? reply('evaluate_result', {successful: false, problems: ['it is crooked']})
      : votedOn(purpose, 'reject'),
  abstain: (purpose) => votedOn(purpose, 'abstain'),
};

function votedOn(purpose: string, verdict: 'reject' | 'abstain'): ModelOutcome | undefined {
  return purpose.startsWith('review-') ? vote(verdict) : undefined;
}

const simulated: ReadonlySet<string> = new Set(['look', 'change', 'prove']);

const approvingBallot = {verdict: 'approve', reasons: ['harmless'], confidence: 1} as const;

const plainRedactor: TakeoverDeps['redactor'] = {
  text: (text) => text,
  json: (value) => value,
  holdsSecret: () => false,
  within: () => ({
    text: (text) => text,
    json: (value) => value,
    input: (value) => value,
    holdsSecret: () => false,
    refresh: async () => await Promise.resolve([]),
  }),
};

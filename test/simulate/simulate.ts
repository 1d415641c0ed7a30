/** Lives through one simulated world, and reads the laws in its record at each death, at each suspension and at its end. */

import {hash} from 'node:crypto';

import {readRecordedRun} from '../../actors/history/record.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {openRun} from '../../actors/run/live-runs.ts';
import {resumeRun} from '../../actors/run/takeover.ts';
import type {Run} from '../../actors/runtime-api.ts';
import type {Violation} from '../../actors/verify/record-index.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {readAllLaws} from '../laws/laws.ts';
import {questionnaire} from './cast.ts';
import {actBy, equipmentFor, folder} from './equipment.ts';
import {Person} from './person.ts';
import type {SimPlan} from './plan.ts';
import type {Planted} from './planted.ts';
import {type SimProcess, World} from './world.ts';

export interface Outcome {
  readonly plan: SimPlan;
  readonly violations: readonly Violation[];
  /** A digest of everything that happened. */
  readonly trace: string;
  readonly entries: number;
  readonly processes: number;
  /** The results of its processes that did not die, in order; `+`: the run can be resumed. */
  readonly status: string;
  /** Ms of the world. */
  readonly lasted: number;
}

/** Lives through the world of the plan, if given with a planted bug. Violations are in the outcome. */
export async function simulate(plan: SimPlan, bug?: Planted): Promise<Outcome> {
  const world = new World(plan);
  const takeOut = bug?.plant(world);
  const uninstall = world.clock.install(plan.seed);
  actBy(world);
  const life = new Life(world);
  try {
    await life.live();
    return life.outcome();
  } finally {
    await life.end();
    takeOut?.();
    actBy(undefined);
    uninstall();
  }
}

const maxProcesses = 15;
const maxSteps = 3_000;
/** The journal may lose a raise. */
const maxRaises = 3;
/** Longer than anything in the world takes. */
const longMs = 2 * 86_400_000;
/** How long it takes until somebody resumes a run that died, or that stopped. */
const takeOverMs = 60_000;
const resumeMs = 3_600_000;

const raised = {limits: {max_model_calls: 500, max_cost_usd: 100, timeout_ms: 2_000_000_000}};

class Life {
  readonly #world: World;
  readonly #violations: Violation[] = [];
  readonly #statuses: string[] = [];
  #process: SimProcess;
  #processes = 1;
  #id = '';
  #run: Run | undefined;
  #person: Person | undefined;
  #result: RunResult | undefined;
  #raises = 0;
  #isOver = false;
  /** As they were read last. */
  #entries: readonly Entry[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#process = world.begin();
    world.onFault = (how) => this.#strike(how);
  }

  async live(): Promise<void> {
    this.#start();
    for (let step = 0; step < maxSteps && !this.#isOver; step += 1) {
      await this.#world.clock.settle();
      if (this.#process.isDead) await this.#takeOver(takeOverMs);
      else if (this.#result) await this.#goOn(this.#result);
      else this.#pass();
      this.#isOver ||= this.#violations.length > 0 || this.#processes > maxProcesses;
    }
    if (this.#statuses.length === 0 && this.#violations.length === 0)
      this.#violated(5, 'the run does not end');
  }

  outcome(): Outcome {
    const {clock, plan, performed} = this.#world;
    const entries = this.#entries;
    const seen = JSON.stringify([entries.at(-1)?.hash, ...performed]);
    return {
      plan,
      violations: this.#violations,
      trace: hash('sha256', seen).slice(0, 16),
      entries: entries.length,
      processes: this.#processes,
      status: this.#statuses.join(' '),
      lasted: clock.now,
    };
  }

  /** What still happens in the world ends in it. */
  async end(): Promise<void> {
    this.#process.release();
    this.#world.clock.forget();
    await this.#world.clock.settle();
  }

  /** Reads the journal, which is chained anew for it. */
  async #readAll(): Promise<readonly Entry[]> {
    this.#entries = await this.#world.journal.log.read(this.#id);
    return this.#entries;
  }

  #violated(law: number, message: string): void {
    this.#violations.push({law, entry: Math.max(0, this.#entries.length - 1), message});
  }

  #start(): void {
    const {plan} = this.#world;
    const equipment = equipmentFor(plan);
    const form = formOf(plan);
    const options = {
      form,
      request: 'How deep is it? Change the thing.',
      workspace: folder,
      ...(form === 'interview' ? {questionnaire, respondent} : {}),
    };
    const {deps} = this.#process;
    this.#follow(openRun(options, {...equipment, deps, warningsOf}, () => undefined));
  }

  #follow(run: Run): void {
    this.#run = run;
    this.#id = run.id;
    this.#person = new Person(this.#world, run);
    void this.#await(run);
  }

  async #await(run: Run): Promise<void> {
    const result = await run.result;
    if (this.#run === run) this.#result = result;
    this.#world.clock.note();
  }

  /** Time passes until something is due. */
  #pass(): void {
    const {clock} = this.#world;
    this.#person?.read();
    const next = Math.min(clock.next ?? Infinity, this.#person?.next ?? Infinity);
    if (next > clock.now + longMs) {
      this.#violated(5, 'nothing is at work, and nobody is asked');
      return;
    }
    clock.passTo(next);
    this.#person?.act();
  }

  /** The laws, and what only the world knows. */
  async #check(): Promise<void> {
    const entries = this.#entries;
    if (entries.length === 0) return;
    const {violations} = readAllLaws(await readRecordedRun(this.#id, entries));
    this.#violations.push(...violations);
    for (const [key, times] of this.#world.performed) {
      if (times > 1) this.#violated(10, `${key} was performed ${times} times`);
    }
  }

  /** Another process continues the run, some time later. */
  async #takeOver(afterMs: number, settings?: object): Promise<void> {
    const {clock, plan} = this.#world;
    this.#process.release();
    clock.forget();
    clock.passTo(clock.now + afterMs);
    this.#result = undefined;
    const last = (await this.#readAll()).at(-1);
    await this.#check();
    this.#process = this.#world.begin();
    this.#processes += 1;
    if (!last) this.#start();
    else if (last.type === 'closed') {
      this.#statuses.push('unheard');
      this.#isOver = true;
    } else {
      const {check} = equipmentFor(plan);
      const how = {check, ...(settings ? {settings} : {})};
      try {
        this.#follow(await resumeRun(this.#id, this.#process.deps, how));
      } catch (error) {
        this.#violated(9, `the run could not be resumed: ${String(error)}`);
      }
    }
  }

  /** A run that has stopped is resumed; one that has ended is checked. */
  async #goOn({status, summary, resumable}: RunResult): Promise<void> {
    const isOpen = resumable === true;
    this.#statuses.push(`${status}${isOpen ? '+' : ''}`);
    const last = (await this.#readAll()).at(-1);
    if (last?.type === 'closed') {
      await this.#check();
      if (isOpen) this.#violated(5, 'the run is closed, and said to be resumable');
      this.#isOver = true;
      return;
    }
    if (last !== undefined && !isOpen)
      this.#violated(5, `the run is open, and said to be ${status}: ${summary}`);
    this.#world.isOut = false;
    const isLimited = status === 'limited';
    this.#raises += isLimited ? 1 : 0;
    if (this.#raises > maxRaises) this.#violated(5, 'a higher limit does not help');
    await this.#takeOver(resumeMs, isLimited ? raised : undefined);
  }

  readonly #strokes: Readonly<Record<string, () => void>> = {
    clockBack: () => {
      this.#world.clock.jumped -= 7_200_000;
    },
    clockAhead: () => {
      this.#world.clock.jumped += 86_400_000;
    },
    cancel: () => this.#person?.send({type: 'user.cancel'}),
    cancelPosted: () => void this.#world.journal.inbox.post(this.#id, {type: 'user.cancel'}),
    message: () => this.#person?.send({type: 'user.said', text: 'Hurry up.'}),
    lowerLimit: () =>
      this.#person?.send({type: 'settings.changed', settings: {limits: {max_model_calls: 3}}}),
    suspend: () => void this.#run?.suspend('interrupted'),
    rival: () => void this.#rival(),
  };

  #strike(how: string): void {
    this.#world.clock.note();
    this.#strokes[how]?.();
  }

  /** Another process tries to take the run. */
  async #rival(): Promise<void> {
    const {clock, plan} = this.#world;
    const rival = this.#world.begin();
    await clock.work(async () => {
      try {
        await resumeRun(this.#id, rival.deps, {check: equipmentFor(plan).check});
        if (!this.#process.isDead) this.#violated(10, 'two processes run it');
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    });
  }
}

async function warningsOf(): Promise<readonly string[]> {
  return await Promise.resolve([]);
}

const respondent = {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'};

function formOf({scene}: SimPlan): 'agent' | 'ask' | 'discuss' | 'interview' {
  if (scene === 'debate') return 'discuss';
  return scene === 'ask' || scene === 'discuss' || scene === 'interview' ? scene : 'agent';
}

/** `failed`: an outcome with a violation. Resolves with that of a plan from which no fault can be left out. */
export async function shrunk(failed: Outcome, bug?: Planted): Promise<Outcome> {
  const [first] = failed.violations;
  for (const plan of simplerThan(failed.plan)) {
    const outcome = await simulate(plan, bug);
    if (first && outcome.violations.some(({law}) => law === first.law))
      return await shrunk(outcome, bug);
  }
  return failed;
}

/** Plans with one fault less, with an earlier fault, or with usual settings. */
function simplerThan(plan: SimPlan): SimPlan[] {
  const {faults} = plan;
  const without = faults.map((_, index) =>
    Object.assign({}, plan, {faults: faults.toSpliced(index, 1)}),
  );
  const plain: SimPlan[] = [
    {...plan, limits: 'usual'},
    {...plan, rule: 'majority'},
    {...plan, hilMode: 'interactive'},
    {...plan, scene: 'agent'},
  ];
  return [...without, ...plain.filter((each) => JSON.stringify(each) !== JSON.stringify(plan))];
}

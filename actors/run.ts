/** One run: an engine, its journal, its stream of progress, and the person's side of it. */

import {AppError} from '../machines/domain/app-error.ts';
import {asJson, isJsonObject, type JsonObject} from '../machines/domain/json.ts';
import type {ModelRequest} from '../machines/domain/model.ts';
import type {Report} from '../machines/domain/progress.ts';
import type {RunResult} from '../machines/domain/result.ts';
import {type InteractionInput, interactionMachine} from '../machines/tree/interaction.ts';
import {endProcessGroup, startTimeOf} from '../tools/run/processes.ts';
import type {RunLimits} from './config/resolve.ts';
import {type Effect, type OpenGate, toGate} from './engine/effect.ts';
import {Engine} from './engine/engine.ts';
import {replay} from './engine/replay.ts';
import {RunningTime} from './engine/running-time.ts';
import {atOnce} from './journal/at-once.ts';
import type {Children, Entry, Journal, Ownership} from './journal/journal.ts';
import {Ledger} from './ledger.ts';
import type {Price} from './model/model.ts';
import type {Performers} from './performers.ts';
import {createProgress} from './progress.ts';
import type {Redactor} from './redact.ts';
import {createHost} from './run-host.ts';
import {brokenResult, suspendedResult} from './run-result.ts';
import type {Run, RunEvent} from './runtime-api.ts';
import type {Tooling} from './tooling.ts';
import {chartsVersion} from './version.ts';

export interface RunDeps {
  readonly journal: Journal;
  /** Those that work on what the run was opened with; undefined for one that an older version opened. */
  readonly performersFor: (tooling: Tooling | undefined) => Performers;
  readonly redactor: Redactor;
  readonly priceOf: (model: string) => Price | undefined;
}

/** What a run is opened with: everything that a resumed one needs to know again. */
export type OpenedInput = InteractionInput & {
  readonly limits: RunLimits;
  readonly tooling?: Tooling;
};

export interface LiveRun extends Run {
  /** True once the run has ended or was suspended. */
  readonly isOver: () => boolean;
}

/** Opens a new run. Throws AppError `io` when the journal can't take it. */
export function openRun(input: OpenedInput, deps: RunDeps, warnings: readonly string[]): LiveRun {
  const owned = atOnce(deps.journal.owners.own(input.id));
  return guarded(owned, () => {
    const openedAt = Date.now();
    const opened = deps.redactor.json(asJson(input));
    const {run, engine, report} = assemble(input, opened, openedAt, deps, owned);
    const bodies = [{type: 'opened', input: opened, version: chartsVersion()}] as const;
    atOnce(deps.journal.log.append([{interaction: input.id, bodies, at: openedAt}]));
    for (const message of warnings) report({type: 'warning', message}, openedAt);
    report(
      {type: 'interaction.started', form: input.form, request: deps.redactor.text(input.request)},
      openedAt,
    );
    engine.start(openedAt, 'live');
    return run;
  });
}

/** Continues an open run; `events` are taken before anything is performed. */
export function resumeRun(id: string, deps: RunDeps, events: readonly JsonObject[] = []): LiveRun {
  const owned = atOnce(deps.journal.owners.own(id));
  return guarded(owned, () => {
    const [opened, ...entries] = atOnce(deps.journal.log.read(id));
    if (opened?.type !== 'opened' || !isOpenedInput(opened.input)) {
      throw new AppError('not_found', `there is no run ${id}; see: quorate sessions`);
    }
    refuseClosed(id, entries);
    endChildren(id, deps.journal.children);
    const {run, engine, report} = assemble(opened.input, opened.input, opened.at, deps, owned);
    engine.start(opened.at, 'replay');
    replay(engine, entries);
    if (opened.version !== chartsVersion()) {
      report(
        {type: 'warning', message: 'the run was opened by another version of Quorate'},
        Date.now(),
      );
    }
    engine.resume([{type: 'run.resumed', lost: engine.effects.pendingCalls}, ...events]);
    return run;
  });
}

function guarded(owned: Ownership, make: () => LiveRun): LiveRun {
  try {
    return make();
  } catch (error) {
    void owned.release();
    throw error;
  }
}

function refuseClosed(id: string, entries: readonly Entry[]): void {
  const last = entries.at(-1);
  if (last?.type !== 'closed') return;
  throw new AppError('not_found', `the run ${id} has ended; see: quorate show ${id}`);
}

/** Whoever takes over first ends what is left of the dead one's child processes. */
function endChildren(id: string, children: Children): void {
  for (const {processGroup, startedAt} of atOnce(children.list(id)))
    endProcessGroup(processGroup, startedAt);
  atOnce(children.forget(id));
}

interface Assembled {
  readonly run: LiveRun;
  readonly engine: Engine;
  readonly report: (report: Report, at: number) => void;
}

function assemble(
  input: OpenedInput,
  json: JsonObject,
  openedAt: number,
  deps: RunDeps,
  owned: Ownership,
): Assembled {
  const {id, form, limits} = input;
  const {journal} = deps;
  const progress = createProgress(id);
  const {promise: result, resolve} = Promise.withResolvers<RunResult>();
  const ledger = new Ledger(limits, deps.priceOf);
  const facts = {id, form, ledger};
  let isOver = false;
  const finish = (outcome: RunResult): void => {
    if (isOver) return;
    isOver = true;
    stopWatching();
    void owned.release();
    progress.report(outcome, Date.now());
    progress.end();
    resolve(outcome);
  };
  const engine = new Engine({
    id,
    logic: interactionMachine,
    input: json,
    log: journal.log,
    host: createHost({
      ...deps,
      ...facts,
      performers: deps.performersFor(input.tooling),
      time: new RunningTime(openedAt),
      timeoutMs: limits.timeoutMs,
      report: progress.report,
      onChild: (group) => atOnce(journal.children.remember(id, group, startTimeOf(group) ?? '')),
      requestOf: (key) => modelRequest(engine.effects.get(key)),
      take: (event) => engine.take({kind: 'received', event}),
      onStopped: (closing, error) => finish(closing ?? brokenResult(error, facts)),
    }),
  });
  const stopWatching = journal.inbox.watch(id, () => {
    for (const event of atOnce(journal.inbox.take(id))) engine.take({kind: 'received', event});
  });
  const gates = (): OpenGate[] => engine.effects.gates.flatMap(toGate);
  const run: LiveRun = {
    id,
    events: progress.events,
    result,
    gates,
    atWork: () => {
      const asked = new Set(engine.effects.gates.map(({key}) => key));
      return engine.effects.open.filter((key) => !asked.has(key));
    },
    isOver: () => isOver,
    send: (event) =>
      engine.take({kind: 'received', event: deps.redactor.json(addressed(event, gates()))}),
    suspend: async (why) => {
      if (isOver) return;
      const hasGate = gates().length > 0;
      await engine.suspend();
      finish(suspendedResult(why, hasGate, facts));
    },
  };
  return {run, engine, report: progress.report};
}

/** What a run was opened with, for its tools. */
export function toolingIn([opened]: readonly Entry[]): Tooling | undefined {
  return opened?.type === 'opened' && isOpenedInput(opened.input)
    ? opened.input.tooling
    : undefined;
}

function modelRequest(effect: Effect | undefined): ModelRequest | undefined {
  return effect?.port === 'callModel' ? effect.request : undefined;
}

/** A decision goes to the gate that it names, or to the only one that is open. */
function addressed(event: RunEvent, gates: readonly OpenGate[]): JsonObject {
  if (event.type !== 'human.decided') return asJson(event);
  const gate = gates.find((open) => event.gate === undefined || open.gate === event.gate);
  if (!gate || (event.gate === undefined && gates.length > 1)) {
    const open = gates.map((each) => each.gate).join(', ');
    const which = open === '' ? 'nothing waits for a decision' : `say which gate is meant: ${open}`;
    throw new AppError('nothing_waiting', which);
  }
  const {allowed} = gate.question;
  if (!allowed.includes(event.decision)) {
    throw new AppError(
      'usage',
      `"${event.decision}" does not answer this question; it takes ${allowed.join(', ')}`,
    );
  }
  return asJson({...event, gate: gate.gate});
}

function isOpenedInput(value: JsonObject): value is OpenedInput & JsonObject {
  return (
    isJsonObject(value['settings']) &&
    isJsonObject(value['limits']) &&
    typeof value['id'] === 'string'
  );
}

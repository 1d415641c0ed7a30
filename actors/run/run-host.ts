/** Connects the engine of one run to the outside: budget, time, performers, reports. */

import type {Outage} from '../../machines/domain/failure.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {callSummary} from '../../machines/domain/tool-facts.ts';
import type {Repeatability} from '../../machines/domain/tool.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {taskIn} from '../../machines/forms/agent/execution/execution.ts';
import {neverMs} from '../../machines/port-natures.ts';
import type {PersonAsked} from '../../machines/ports.ts';
import {type ActorReport, resumption} from '../engine/actor-tree.ts';
import {notBegun, Shortage} from '../engine/calls.ts';
import {actorIn, type Effect, type EffectTable, hasBegunBefore} from '../engine/effect.ts';
import type {EffectContext, EngineHost, RunningTime} from '../engine/engine.ts';
import type {Incoming} from '../engine/incoming.ts';
import type {Meter} from '../metrics/meter.ts';
import {pricesIn} from '../model/prices.ts';
import {perform, type PerformContext, type Performers} from '../performers/performers.ts';
import type {RunRedactor} from '../secrets/redact.ts';
import type {RunChanges} from '../undo/backups.ts';
import {isNotMade, type Ledger, limitsIn} from './ledger.ts';
import type {Progress} from './progress.ts';
import {toResult} from './run-result.ts';
import {isFolder} from './validation.ts';

export interface HostDeps {
  readonly id: string;
  readonly form: InteractionForm;
  /** False: it needs no folder, and its workspace may be that of another machine. */
  readonly hasFolder: boolean;
  readonly ledger: Ledger;
  readonly meter: Meter;
  readonly time: RunningTime;
  readonly performers: Performers;
  readonly redactor: RunRedactor;
  readonly report: Progress['report'];
  readonly onChild: (processGroup: number) => void | Promise<void>;
  readonly changes: RunChanges;
  /** False when this process may no longer run the run. */
  readonly isHeld: () => boolean;
  /** The effects that have no outcome yet. */
  readonly effects: () => EffectTable;
  /** Nothing is at work; the open effects wait for a person, or for the run to be resumed. */
  readonly onRest: (open: readonly Effect[]) => void;
  /** The running time is up, or the workspace is gone: the run can't continue in this process. */
  readonly onOutage: (outage: Outage) => void;
  /** The run is open or resumed: its first entry by this process is durable. `at` is epoch ms. */
  readonly onOpen: (at: number) => void;
  readonly onStopped: (result: RunResult | undefined, error: unknown) => void;
}

const busyWarning: Report = {
  type: 'warning',
  code: 'workspaceBusy',
  message: 'another run is changing this folder; waiting until it is done',
};

export function createHost(deps: HostDeps): EngineHost {
  const {ledger, meter, time, report, redactor} = deps;
  const watchdog = createWatchdog({
    time,
    timeoutMs: () => ledger.limits.timeoutMs,
    onTimeout: () => endTime(deps),
  });
  const admitting = {...deps, report: limitOnce(report)};
  let closing: RunResult | undefined;
  let inDoubt: readonly string[] = [];
  return {
    now: () => Date.now(),
    admit: (effect) => admit(effect, admitting),
    perform: async (effect, context) => await performFor(effect, context, deps),
    ask: question,
    onRest: deps.onRest,
    clean: redactor.json,
    observe: (incoming, at, isLive) => {
      const reports = reportsAbout(incoming, {...deps, effects: deps.effects()});
      if (isCancel(incoming)) inDoubt = inDoubtAmong(deps.effects());
      if (isChange(incoming)) {
        ledger.change(limitsIn(incoming.event));
        ledger.learn(pricesIn(incoming.event));
        watchdog.rearm();
      }
      if (isLive && (incoming.kind === 'opened' || isResumed(incoming))) deps.onOpen(at);
      return reports;
    },
    count: (each) => meter.takeReport(each),
    onBusy: (isBusy) => {
      time.busy(isBusy);
      watchdog.busy(isBusy);
    },
    onReport: ({report: each, actor, at, position}: ActorReport) =>
      report(each, actor, at, position),
    onWarning: (message) => report({type: 'warning', message}, '', Date.now()),
    onDone: (end) => {
      closing = {...toResult(end, deps), ...(inDoubt.length > 0 ? {inDoubt} : {})};
      return {result: asJson(closing), figures: asJson(meter.figures)};
    },
    // With an error, the result did not reach the journal: the run has not ended.
    onStopped: (error) => {
      deps.onStopped(error === undefined ? closing : undefined, error);
    },
  };
}

/** Reports a limit only once: seats that are asked in parallel reach it together. */
function limitOnce(report: HostDeps['report']): HostDeps['report'] {
  let reached = '';
  return (each, actor, at) => {
    if (each.type === 'limit.reached' && each.message === reached) return;
    if (each.type === 'limit.reached') reached = each.message;
    report(each, actor, at);
  };
}

/** Performs an effect; its progress is reported as the actor's. */
async function performFor(
  effect: Effect,
  context: EffectContext,
  {id, performers, redactor, report, onChild, changes, onOutage, ledger}: HostDeps,
): ReturnType<EngineHost['perform']> {
  const {actor} = context;
  const reportNow = (each: Report): void => report(each, actor, Date.now());
  const onWarning = (message: string): void => reportNow({type: 'warning', message});
  const outcome = await performOrLeave(performers, effect, onOutage, {
    ...context,
    run: id,
    onBusy: () => reportNow(busyWarning),
    onWarning,
    onDelta: (model, text) => reportNow({type: 'model.delta', model, text: redactor.text(text)}),
    onOutput: (tool, text) => reportNow(outputReport(tool, redactor.text(text), actor)),
    onChild,
    changes,
    cappedTokens: ledger.cappedTokens(effect.key),
  });
  if (showsWorkspace.has(effect.port)) {
    for (const message of await redactor.refresh(afterEffect(effect))) onWarning(message);
  }
  return outcome;
}

/** A shortage of the machine is not an outcome: the run is suspended, and the effect begins when it is resumed. */
async function performOrLeave(
  performers: Performers,
  effect: Effect,
  onOutage: HostDeps['onOutage'],
  context: PerformContext,
): ReturnType<EngineHost['perform']> {
  try {
    return await perform(performers, effect, context);
  } catch (error) {
    if (!(error instanceof Shortage)) throw error;
    const {message} = error;
    queueMicrotask(() => onOutage({code: 'shortage', message}));
    return notBegun;
  }
}

/** Ports whose outcomes may contain contents of files of the workspace. */
const showsWorkspace: ReadonlySet<string> = new Set([
  'runTool',
  'previewTool',
  'surveyWorkspace',
  'readQuestionnaire',
]);

function afterEffect({port, request}: Effect): 'afterEffect' | undefined {
  return port === 'runTool' && request.approval !== undefined ? 'afterEffect' : undefined;
}

function outputReport(tool: string, text: string, actor: string): Report {
  const task = taskIn(actor);
  return {type: 'tool.output', tool, text, ...(task === undefined ? {} : {task})};
}

/** Throws Error for a port that a performer settles. */
export function question({port, key, request}: Effect): Report {
  if (port === 'askHuman') return {type: 'human.requested', gate: key, question: request};
  if (port === 'askPerson') return askedReport(key, request);
  if (port === 'awaitResume') {
    // The limit itself was reported when it was reached.
    const message =
      request.code === 'overBudget'
        ? 'the run waits for a higher limit'
        : `${request.message}; the run is paused until a call succeeds`;
    return {type: 'warning', code: 'outage', message};
  }
  throw new Error(`${port} is settled by a performer, not by a question`);
}

/** The question as logs may hold it: without private answers. */
function askedReport(ask: string, {agent, message, masked, section, field}: PersonAsked): Report {
  return {
    type: 'interview.asked',
    ask,
    agent,
    ...(section === undefined ? {} : {section}),
    ...(field === undefined ? {} : {field}),
    message: masked ?? message,
  };
}

function endTime({ledger, onOutage, report}: HostDeps): void {
  const outage = timeUp(ledger.limits.timeoutMs);
  report({type: 'limit.reached', limit: 'timeout_ms', message: outage.message}, '', Date.now());
  onOutage(outage);
}

/** The outage of a run that has used up its running time. */
export function timeUp(timeoutMs: number): Outage {
  return {code: 'overBudget', message: `timeout_ms: the run was at work for ${timeoutMs} ms`};
}

function isChange(incoming: Incoming): incoming is Extract<Incoming, {kind: 'received'}> {
  return incoming.kind === 'received' && incoming.event['type'] === 'settings.changed';
}

function isCancel(incoming: Incoming): boolean {
  return incoming.kind === 'received' && incoming.event['type'] === 'user.cancel';
}

function isResumed(incoming: Incoming): boolean {
  return incoming.kind === 'received' && incoming.event['type'] === resumption;
}

interface Booking extends Pick<HostDeps, 'form' | 'ledger' | 'meter'> {
  readonly effects: EffectTable;
}

type Reported = Pick<ActorReport, 'report' | 'actor'>;

/**
 * The reports of the program about an input: that the run has begun, and the usage of each model call. Counts settled calls of
 * tools and models, and books the usage of the latter. Calls that a dead process left in flight count as made, at their worst
 * case.
 */
export function reportsAbout(incoming: Incoming, deps: Booking): readonly Reported[] {
  if (incoming.kind === 'opened') {
    const {request} = incoming.input;
    const started = {form: deps.form, request: typeof request === 'string' ? request : ''};
    return [{report: {type: 'interaction.started', ...started}, actor: ''}];
  }
  if (incoming.kind === 'settled') {
    const {effect, outcome} = incoming;
    if (effect.port === 'runTool') deps.meter.takeTool(outcome);
    return bookCall(effect, outcome, deps);
  }
  if (!isResumed(incoming) || incoming.kind !== 'received') return [];
  const {lost} = incoming.event;
  if (!Array.isArray(lost)) return [];
  return lost.flatMap((key) => bookCall(deps.effects.get(String(key)), {}, deps));
}

function bookCall(
  effect: Effect | undefined,
  outcome: JsonObject,
  {ledger, meter}: Booking,
): readonly Reported[] {
  if (effect?.port !== 'callModel') return [];
  const {key, request} = effect;
  const {model} = request;
  const isMade = !isNotMade(outcome);
  const spent = isMade ? ledger.book(key, request, outcome) : ledger.release(key);
  if (isMade) meter.takeCall(key, request, outcome, spent);
  const report: Report = {type: 'usage', model, spent, totals: ledger.totals};
  return [{report, actor: actorIn(key)}];
}

/** Refuses model calls that the budget does not cover, effects on a workspace that is gone, and all when the run is lost. */
function admit(effect: Effect, deps: HostDeps): ReturnType<EngineHost['admit']> {
  if (!deps.isHeld()) return 'notNow';
  if (effect.port !== 'callModel') return admitAt(workspaceOf(effect, deps), deps);
  const {ledger, report} = deps;
  const admission = ledger.reserve(effect.key, effect.request);
  if (admission.ok) return undefined;
  if (admission.isLater === true) return 'later';
  const {limit, message} = admission;
  report({type: 'limit.reached', limit, message}, '', Date.now());
  return {kind: 'overBudget', message: `${limit}: ${message}`};
}

function workspaceOf({port, request}: Effect, {hasFolder}: HostDeps): string | undefined {
  const isAboutFiles =
    port === 'runTool' ||
    port === 'previewTool' ||
    port === 'checkFiles' ||
    port === 'surveyWorkspace' ||
    port === 'lockWorkspace';
  if (!isAboutFiles) return undefined;
  // Of a folder that is not there, nothing is found; but nothing is changed in it.
  const isRead =
    port !== 'lockWorkspace' && !(port === 'runTool' && request.approval !== undefined);
  return hasFolder || !isRead ? request.workspace : undefined;
}

function admitAt(workspace: string | undefined, {onOutage}: HostDeps): 'notNow' | undefined {
  if (workspace === undefined || isFolder(workspace)) return undefined;
  const message = `the workspace ${workspace} is gone; put it back`;
  // Deferred, because other effects may be about to begin: they are refused too before the run is suspended.
  queueMicrotask(() => onOutage({code: 'workspaceGone', message}));
  return 'notNow';
}

export interface WatchdogOptions {
  readonly time: RunningTime;
  /** The current limit. */
  readonly timeoutMs: () => number;
  /** Called at most once. */
  readonly onTimeout: () => void;
}

export interface Watchdog {
  readonly busy: (isBusy: boolean) => void;
  /** The limit has changed. */
  readonly rearm: () => void;
}

/** Limits the running time of one run: a single timer, armed while the run is busy, until the time is up. */
export function createWatchdog({time, timeoutMs, onTimeout}: WatchdogOptions): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const leftMs = (): number => timeoutMs() - time.ranMs;
  /** A timer may fire a fraction of a millisecond early: the run, when it is resumed, would still have that time left. */
  const bark = (): void => {
    timer = undefined;
    if (leftMs() > 0) {
      arm();
      return;
    }
    isOver = true;
    onTimeout();
  };
  const rest = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const arm = (): void => {
    if (!isOver) timer ??= setTimeout(bark, timerFor(leftMs()));
  };
  return {
    busy: (isBusy) => (isBusy ? arm() : rest()),
    rearm: () => {
      if (timer === undefined) return;
      rest();
      arm();
    },
  };
}

/** The delay, within the range of timers. */
function timerFor(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), neverMs);
}

// Calls of a run that are in flight, as texts for a person.

/** How a resumed run handles an effect that was aborted. */
const sequels: Readonly<Record<Repeatability, string>> = {
  repeatable: 'is asked again',
  checkable: 'is checked, and done unless it has already happened',
  once: 'is done again only if a person says so',
};

/**
 * Describes the model calls and tool calls among effects: `the call of mock/planner (plan) is asked again`. Other effects
 * take too little time to be listed.
 */
export function underWayIn(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    const what = whatOf(effect);
    return what === undefined ? [] : [`${what} ${sequels[effect.repeatability]}`];
  });
}

/** Calls that this process or an earlier one has begun and whose outcome is unknown. */
function inDoubtAmong({open, missed}: EffectTable): string[] {
  const known = open.flatMap((effect) => {
    const {port, request} = effect;
    if (port === 'runTool' && hasBegunBefore(effect))
      return callSummary(request.tool, request.args);
    const [summary = ''] = port === 'askHuman' ? (request.preview ?? '').split('\n') : [];
    return port === 'askHuman' && request.kind === 'in-doubt' ? summary : [];
  });
  return [...known, ...missed];
}

function whatOf({port, request}: Effect): string | undefined {
  if (port === 'callModel') return `the call of ${request.model} (${request.purpose})`;
  return port === 'runTool' ? callSummary(request.tool, request.args) : undefined;
}

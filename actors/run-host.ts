/** What the engine of one run needs of the world: budget, time, performers, reports. */

import {asJson, type JsonObject} from '../machines/domain/json.ts';
import type {ModelRequest} from '../machines/domain/model.ts';
import type {Report} from '../machines/domain/progress.ts';
import type {InteractionForm, RunResult} from '../machines/domain/result.ts';
import type {Effect} from './engine/effect.ts';
import type {EngineHost} from './engine/engine.ts';
import type {Incoming} from './engine/incoming.ts';
import type {RunningTime} from './engine/running-time.ts';
import {type Ledger, usageIn} from './ledger.ts';
import {perform, type Performers} from './performers.ts';
import type {Redactor} from './redact.ts';
import {toResult} from './run-result.ts';

export interface HostDeps {
  readonly id: string;
  readonly form: InteractionForm;
  readonly ledger: Ledger;
  readonly time: RunningTime;
  readonly timeoutMs: number;
  readonly performers: Performers;
  readonly redactor: Redactor;
  readonly report: (report: Report, at: number) => void;
  readonly onChild: (processGroup: number) => void;
  /** The request of a model call that has no outcome yet. */
  readonly requestOf: (key: string) => ModelRequest | undefined;
  /** Something for the engine to take. */
  readonly take: (event: JsonObject) => void;
  readonly onStopped: (result: RunResult | undefined, error: unknown) => void;
}

export function createHost(deps: HostDeps): EngineHost {
  const {ledger, time, report, redactor} = deps;
  const watchdog = createWatchdog(deps);
  let closing: RunResult | undefined;
  return {
    now: () => Date.now(),
    admit: (effect) => admit(effect, deps),
    perform: async (effect, context) => {
      const outcome = await perform(deps.performers, effect, {
        ...context,
        onDelta: (model, text) =>
          report({type: 'model.delta', model, text: redactor.text(text)}, Date.now()),
        onChild: deps.onChild,
      });
      return redactor.json(asJson(outcome));
    },
    observe: (incoming, at, isLive) => {
      if (isResumed(incoming)) time.skip(at);
      else time.advance(at);
      book(incoming, ledger);
      bookLost(incoming, deps);
      const model = modelOf(incoming);
      if (isLive && model !== undefined) report({type: 'usage', model, totals: ledger.totals}, at);
    },
    onBusy: (isBusy) => {
      time.busy(isBusy);
      watchdog(isBusy);
    },
    onReport: (value, at, isLive) => {
      if (isLive) report(value, at);
    },
    onGate: (effect) => {
      if (effect.port !== 'askHuman') return;
      report({type: 'human.requested', gate: effect.key, question: effect.request}, Date.now());
    },
    onDone: (snapshot) => {
      closing = toResult(snapshot, deps);
      return asJson(closing);
    },
    onStopped: (error) => {
      watchdog(false);
      deps.onStopped(closing, error);
    },
  };
}

/** Sees to the running time: one timer, armed while the run is busy. */
function createWatchdog({time, timeoutMs, take, report}: HostDeps): (isBusy: boolean) => void {
  let timer: NodeJS.Timeout | undefined;
  return (isBusy) => {
    if (!isBusy) {
      clearTimeout(timer);
      timer = undefined;
      return;
    }
    timer ??= setTimeout(
      () => {
        const message = `the run was at work for ${timeoutMs} ms`;
        report({type: 'limit.reached', limit: 'timeout_ms', message}, Date.now());
        take({type: 'limit.reached', limit: `timeout_ms: ${message}`});
      },
      Math.max(0, timeoutMs - time.ranMs),
    );
  };
}

function isResumed(incoming: Incoming): boolean {
  return incoming.kind === 'received' && incoming.event['type'] === 'run.resumed';
}

function book(incoming: Incoming, ledger: Ledger): void {
  if (incoming.kind !== 'settled') return;
  const {effect, outcome} = incoming;
  if (effect.port !== 'callModel' || outcome['kind'] === 'overBudget') return;
  ledger.book(effect.key, effect.request, usageIn(outcome));
}

function modelOf(incoming: Incoming): string | undefined {
  if (incoming.kind !== 'settled' || incoming.effect.port !== 'callModel') return undefined;
  return incoming.effect.request.model;
}

/** Calls that a dead process had under way count as made, at their worst case. */
function bookLost(incoming: Incoming, {ledger, requestOf}: HostDeps): void {
  if (!isResumed(incoming) || incoming.kind !== 'received') return;
  const {lost} = incoming.event;
  if (!Array.isArray(lost)) return;
  for (const key of lost.map(String)) {
    const request = requestOf(key);
    if (request) ledger.book(key, request, undefined);
  }
}

/** What must not start: a command that may have run already, a call that the budget does not cover. */
function admit(effect: Effect, {ledger, report}: HostDeps): ReturnType<EngineHost['admit']> {
  if (effect.repeatability === 'once' && effect.isRecorded) {
    const message = 'It was started before the process died; nobody knows whether it finished.';
    return {outcome: {kind: 'inDoubt', message}, before: []};
  }
  if (effect.port !== 'callModel') return undefined;
  const admission = ledger.reserve(effect.key, effect.request);
  if (admission.ok) return undefined;
  const {limit, message} = admission;
  report({type: 'limit.reached', limit, message}, Date.now());
  return {
    outcome: {kind: 'overBudget', message},
    before: [{type: 'limit.reached', limit: `${limit}: ${message}`}],
  };
}

/** Follows a run for a client: reports its progress as lines, and ends it as the client does. */

import type {OpenGate, Run} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {t} from '../../machines/message.ts';
import {createOpenGates, type OpenGates} from '../gate/open-gates.ts';
import {say} from '../language.ts';
import {createGivenDecision} from '../line/decision.ts';
import {createReporter} from '../render/live/reporter.ts';
import {statusText} from '../render/live/status.ts';
import {plainStyle} from '../render/style.ts';
import {advance} from '../render/view/fold.ts';
import {emptyView} from '../render/view/run-view.ts';

const screen = {style: plainStyle, level: 'normal', width: 200, isLive: false} as const;

export interface GivenDecision {
  readonly decision: HumanDecision;
  /** The key of the gate: a later question may be about the same subject. */
  readonly gate: string;
  /** Of the question that the person has seen. */
  readonly digest: string;
}

export interface Following {
  /** Receives the lines of an event, and after each silence the state of the run. */
  readonly onProgress: (text: string) => void;
  readonly silenceMs: number;
  /** For a continued run. */
  readonly decided?: GivenDecision | undefined;
  readonly signal: AbortSignal;
  /** True for a signal that was aborted because the client is gone: the run can be resumed then. Otherwise it is cancelled. */
  readonly isGone: (reason: unknown) => boolean;
}

export interface Followed {
  readonly result: RunResult;
  /** The gate at which the run waits. */
  readonly gate?: OpenGate | undefined;
}

/**
 * Resolves when the run has ended, or is suspended because only a person can continue it or because the client is gone. Rejects
 * with AppError `usage` or `nothing_waiting` for a decision whose gate is not open; the run is suspended then.
 */
export async function followRun(run: Run, following: Following): Promise<Followed> {
  const {signal, isGone} = following;
  const leave = (): void => {
    if (isGone(signal.reason)) void run.suspend('interrupted');
    else run.send({type: 'user.cancel'});
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, {once: true});
  let gate: OpenGate | undefined;
  const leaveToPerson = (): void => {
    [gate] = run.gates();
    void run.suspend('waiting');
  };
  try {
    await follow(run, following, leaveToPerson);
    const result = await run.result;
    return {result, gate: result.waiting ? gate : undefined};
  } catch (error) {
    await run.suspend('waiting');
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

async function follow(
  run: Run,
  {onProgress, silenceMs, decided}: Following,
  leaveToPerson: () => void,
): Promise<void> {
  const view = createView();
  const silence = setInterval(() => onProgress(view.status()), silenceMs);
  const gates = createOpenGates(run);
  const meant = decided ? onlyGate(gates, decided.gate) : gates;
  const decide = createGivenDecision(meant, run.id, decided?.decision, decided?.digest);
  let isGiven = decide();
  let isWatched = false;
  /** Leaves a run that waits for a person alone, unless its question is the one to answer. */
  const watch = async (): Promise<void> => {
    isWatched = true;
    const isAsked = (await run.quiet()) === 'asked';
    isWatched = false;
    const isMeant = !isGiven && run.gates().some(({gate}) => gate === decided?.gate);
    // The decision may have been given since.
    if (isAsked && !isMeant && run.atWork().length === 0) leaveToPerson();
  };
  try {
    for await (const event of run.events) {
      gates.record(event);
      const lines = view.lines(event);
      if (lines.length > 0) {
        onProgress(lines.join('\n'));
        silence.refresh();
      }
      isGiven = decide(event);
      if (!isWatched) void watch();
    }
  } finally {
    clearInterval(silence);
  }
  if (!decide()) throw new AppError('nothing_waiting', `run ${run.id} asks another question now`);
}

/** The lines of each event, and the state of the run, as on a terminal. */
function createView() {
  const reporter = createReporter();
  const startedAt = Date.now();
  let view = emptyView;
  const lines = (event: ProgressEvent): readonly string[] => {
    const before = view;
    view = advance(view, event);
    const isShown = event.type !== 'model.delta' && event.type !== 'result';
    const shown = isShown ? reporter.report(event, {before, after: view}, screen) : [];
    return shown.map((line) => line.trim());
  };
  const status = (): string =>
    say(
      t`still at work: ${statusText(view, {elapsedMs: Date.now() - startedAt, width: screen.width})}`,
      plainStyle,
    );
  return {lines, status};
}

function onlyGate(gates: OpenGates, key: string): OpenGates {
  return {...gates, list: () => gates.list().filter(({gate}) => gate === key)};
}

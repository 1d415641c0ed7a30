/** Tests the mutants of a machine for a person: progress on stderr, abort by Ctrl-C, the result on stdout. */

import type {AnyStateMachine} from 'xstate';

import type {Mutations} from '../../../machines/testing/mutants/mutations.ts';
import type {Parsed} from '../../line/command.ts';
import {durationText} from '../../render/numbers.ts';
import {type MachineTexts, machineTexts} from '../../render/tables/machine-texts.ts';
import {triedLine} from '../../render/tables/mutants.ts';
import {onInterrupt} from '../../signals.ts';
import type {Terminal} from '../../terminal.ts';
import {createSurface} from '../../terminal/surface.ts';
import {reportMutants} from './mutation-report.ts';
import {type MutationRun, type Tried, tryMutants} from './mutation-run.ts';
import {markOf} from './order.ts';
import {percentFound} from './result.ts';

export interface Wanted extends Mutations {
  readonly line: string;
  readonly cwd: string;
  readonly jobs: number;
  readonly timeoutMs?: number;
  /** Percentage of the mutants that the tests must find. */
  readonly leastPercent: number;
}

const interruptedCode = 130;

/** Resolves with the exit code. Rejects as `tryMutants`. */
export async function tryAndReport(
  machine: AnyStateMachine,
  wanted: Wanted,
  parsed: Parsed,
  terminal: Terminal,
): Promise<number> {
  const {line, mutants, excluded} = wanted;
  const stop = new AbortController();
  const stopListening = onInterrupt(() => stop.abort());
  const progress = createProgress(wanted, parsed, terminal);
  const started = performance.now();
  try {
    const tried = await tryMutants({
      ...wanted,
      ...progress.events,
      machine: markOf(machine),
      env: terminal.env,
      signal: stop.signal,
    });
    progress.close();
    const ms = performance.now() - started;
    const result = {machine: machine.id, command: line, mutants, excluded, tried, ms};
    await reportMutants(result, parsed, terminal);
    if (stop.signal.aborted) return interruptedCode;
    return percentFound(result) >= wanted.leastPercent ? 0 : 1;
  } finally {
    progress.close();
    stopListening();
  }
}

interface Progress {
  readonly events: Pick<MutationRun, 'onBaseline' | 'onTried'>;
  readonly close: () => void;
}

const nothing: Progress = {
  events: {onBaseline: () => undefined, onTried: () => undefined},
  close: () => undefined,
};

const everyMs = 1_000;

function createProgress({mutants, jobs}: Wanted, {quiet}: Parsed, terminal: Terminal): Progress {
  if (quiet) return nothing;
  const surface = createSurface(terminal);
  const texts = machineTexts(terminal).mutants;
  const tried: Tried[] = [];
  let status = texts.baseline;
  surface.follow(() => status, everyMs);
  surface.draw();
  const onTried = (each: Tried): void => {
    tried.push(each);
    const place = `${String(tried.length).padStart(String(mutants.length).length)}/${mutants.length}`;
    status = statusOf(tried, {all: mutants.length, jobs}, texts);
    surface.print([triedLine(each, place, surface.style)]);
  };
  const onBaseline = (ms: number): void => {
    status = texts.tried(0, mutants.length);
    surface.print([texts.baselinePassed(durationText(ms))]);
  };
  return {events: {onBaseline, onTried}, close: surface.close};
}

function statusOf(
  tried: readonly Tried[],
  {all, jobs}: {readonly all: number; readonly jobs: number},
  texts: MachineTexts['mutants'],
): string {
  const survived = tried.filter(({outcome}) => outcome === 'survived').length;
  const ms = tried.reduce((sum, each) => sum + each.ms, 0) / tried.length;
  const left = durationText((ms * (all - tried.length)) / jobs);
  return texts.progress(texts.tried(tried.length, all), survived, left);
}

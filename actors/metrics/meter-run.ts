/** Counts the figures of a run while this process runs it, and keeps them at its end. */

import {asJson} from '../../machines/domain/json.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {Report} from '../../machines/facts/progress.ts';
import type {Incoming} from '../engine/incoming.ts';
import type {RunningTime} from '../engine/running-time.ts';
import type {MetricsKeeper} from './keep-metrics.ts';
import {Meter} from './meter.ts';

type TakeReport = (report: Report, actor: string, at: number) => void;

interface MeteredRun {
  readonly id: string;
  readonly metrics: MetricsKeeper;
  readonly time: Pick<RunningTime, 'ranMs'>;
  readonly report: TakeReport;
}

interface RunMeter {
  /** Passes it on. */
  readonly report: TakeReport;
  /** `usage`: of a model call that settles. Also called in a replay. */
  readonly observe: (incoming: Incoming, at: number, usage: Report | undefined) => void;
  /** The end of the run is durable. */
  readonly end: (result: RunResult) => void;
}

/** A run that was resumed or forked is not counted here: its earlier reports are known only from a replay. */
export function meterRun({id, metrics, time, report}: MeteredRun): RunMeter {
  let meter: Meter | undefined = new Meter();
  let lastAt = 0;
  return {
    report: (each, actor, at) => {
      meter?.report(asJson(each), at);
      report(each, actor, at);
    },
    observe: (incoming, at, usage) => {
      lastAt = at;
      if (incoming.kind === 'received') {
        if (incoming.event['type'] === 'run.resumed') meter = undefined;
        meter?.received(incoming.event, at);
      } else if (incoming.kind === 'settled') {
        const {effect, outcome, ms} = incoming;
        const spent = usage?.type === 'usage' ? {spent: usage.spent} : {};
        meter?.settled(effect, outcome, {ms, ...spent});
      }
    },
    end: (result) => {
      const end = {at: lastAt, workedMs: Math.round(time.ranMs)};
      if (meter) metrics.keep(id, meter.ended(asJson(result), end));
      meter = undefined;
    },
  };
}

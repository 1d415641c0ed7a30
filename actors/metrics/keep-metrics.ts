/** Keeps the figures of runs that end in this process, those of one turn of the event loop together. */

import type {Journal} from '../journal/journal.ts';
import type {KeptFigures} from '../journal/metrics/metrics.ts';
import {type RunMetrics, toFigures} from './run-metrics.ts';

export interface MetricsKeeper {
  /** Of a run whose end is durable. Figures that can't be kept are computed when they are needed. Never throws. */
  readonly keep: (interaction: string, metrics: RunMetrics) => void;
  /** Resolves when no figures wait to be kept. Never rejects. */
  readonly flush: () => Promise<void>;
}

export function createMetricsKeeper({metrics}: Pick<Journal, 'metrics'>): MetricsKeeper {
  let waiting: KeptFigures[] = [];
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      await metrics?.keep(batch);
    } catch {}
  };
  const flush = async (): Promise<void> => {
    writing = writing.then(write);
    await writing;
  };
  return {
    keep: (interaction, each) => {
      waiting.push({interaction, figures: toFigures(each)});
      if (waiting.length === 1) setImmediate(() => void flush());
    },
    flush,
  };
}

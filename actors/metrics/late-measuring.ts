/** The part of a runtime that counts and rates runs. Loaded when it is first used. */

import type {Journal} from '../journal/journal.ts';
import type {Masking} from '../secrets/redact.ts';
import type {MetricsKeeper} from './keep-metrics.ts';
import type {Measuring} from './metrics-api.ts';

interface MeasuringDeps {
  readonly journal: Journal;
  readonly metrics: MetricsKeeper;
  readonly redactor: Pick<Masking, 'text'>;
}

export function createMeasuring(deps: MeasuringDeps): Measuring {
  return {
    stats: async (options) => {
      const {collectStats} = await import('./stats.ts');
      await deps.metrics.flush();
      return await collectStats(deps.journal, options);
    },
    rate: async (id, how) => {
      const {rateRun} = await import('./rate.ts');
      await rateRun(id, how, deps);
    },
  };
}

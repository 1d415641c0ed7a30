/** Prints the ten slowest suites at the end of a run. */

import type {Reporter, TestModule} from 'vitest/node';

const shown = 10;

export class SlowestSuites implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map((suite) => ({
      suite: suite.relativeModuleId,
      ms: suite.diagnostic().duration + suite.diagnostic().collectDuration,
    }));
    const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, shown);
    const lines = slowest.map(
      ({suite, ms}) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${suite}`,
    );
    process.stdout.write(`Slowest suites:\n${lines.join('\n')}\n`);
  }
}

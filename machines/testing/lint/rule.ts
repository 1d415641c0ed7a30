/** A rule of the chart lint, and a finding of it. */

import type {ChartNode, ChartTransition} from '../chart.ts';
import type {LintedChart} from './linted-chart.ts';

/** `error`: the chart cannot work as written. `warning`: it may, but probably does not do what was meant. */
export type Severity = 'error' | 'warning';

export interface Finding {
  /** Name of the rule. */
  readonly rule: string;
  readonly severity: Severity;
  /** Id of the state. */
  readonly state: string;
  /** Name of the transition, as in tours and in coverage. Absent: the finding is about the state. */
  readonly transition?: string;
  /** The fault and its effect. */
  readonly message: string;
  /** How to mend it. */
  readonly fix: string;
}

/** A finding as a rule reports it. */
export interface Fault {
  readonly node: ChartNode;
  readonly severity: Severity;
  readonly transition?: ChartTransition;
  readonly message: string;
  readonly fix: string;
}

export interface Rule {
  /** Kebab-case: users write it in `meta.lint.ignore`. */
  readonly name: string;
  /** One sentence: the fault and its effect. */
  readonly description: string;
  readonly check: (chart: LintedChart) => readonly Fault[];
}

/** Replies of the inspector's interface, for its server and its page. See also `machines/trace/view.ts`. */

import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import type {ChartState} from '../../machines/trace/view.ts';

export interface Chart {
  readonly positions: ChartPositions;
  readonly states: readonly ChartState[];
}

export interface Rewound {
  readonly files: readonly {readonly path: string; readonly outcome: string}[];
  /** Of the new run. Absent: nothing was changed. */
  readonly id?: string;
}

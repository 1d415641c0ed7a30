/** Replies of the inspector's interface, for its server and its page. See also `machines/trace/step.ts`. */

import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import type {ChartState} from '../../machines/trace/step.ts';

export interface Chart {
  readonly positions: ChartPositions;
  readonly states: readonly ChartState[];
}

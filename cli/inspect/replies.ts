/** Replies of the inspector's interface, for its server and its page. See also `machines/trace/view.ts`. */

import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import type {ChartState} from '../../machines/trace/view.ts';

export interface Chart {
  readonly positions: ChartPositions;
  readonly states: readonly ChartState[];
}

/** The terminal or stream that lines are rendered for. */

import type {Style} from './style.ts';
import type {CallView} from './view/run-view.ts';

export interface Screen {
  readonly style: Style;
  readonly level: Level;
  readonly width: number;
  /** On a terminal, where lines appear as events happen. */
  readonly isLive: boolean;
  /** The label of an interaction's lines; empty for none. Absent: its place in its run; the root has none. */
  readonly nameOf?: (interaction: string) => string;
  /** The call that the shown outcome ends. */
  readonly ended?: CallView | undefined;
}

/** `quiet`: only errors and the gate; `warnings`: those too; `verbose`: also thoughts and every reason. */
export type Level = 'quiet' | 'warnings' | 'normal' | 'verbose';

export interface ScreenSize {
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

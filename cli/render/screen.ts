/** The terminal or stream that lines are made for. */

import type {Style} from './style.ts';

export interface Screen {
  readonly style: Style;
  readonly level: Level;
  readonly width: number;
  /** On a terminal, where lines come as things happen. */
  readonly isLive: boolean;
  /** What an interaction is called in front of its lines; empty for none. Absent: its place in its run, the root none. */
  readonly nameOf?: (interaction: string) => string;
}

/** How much is told: `quiet` errors and the gate only, `warnings` those too, `verbose` also thoughts and every reason. */
export type Level = 'quiet' | 'warnings' | 'normal' | 'verbose';

export interface ScreenSize {
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

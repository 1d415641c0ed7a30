/** The state that all parts of the page share, the trace, the shown moment and the selection, and the ways to change it. */

import type {Moment, Moments} from '../../../../machines/trace/moments.ts';
import type {Gap, TraceHead} from '../../../../machines/trace/step.ts';
import type {Source} from './sources/source.ts';

/** The trace, the moment and the selection that are shown. */
export interface View {
  readonly head: TraceHead;
  readonly moments: Moments;
  readonly gaps: readonly Gap[];
  /** The index of the shown step; -1 before the first. */
  readonly index: number;
  readonly moment: Moment;
  /** New steps are shown as they arrive. */
  readonly isFollowing: boolean;
  /** The index of the step that the shown one is compared with. */
  readonly compared?: number;
  /** The path of the selected actor. */
  readonly actor?: string;
  /** The key of the selected model call. */
  readonly call?: string;
}

export interface Stage {
  readonly source: Source;
  readonly view: () => View;
  /** Shows the moment after the step with this index, and stops following, unless it is the last one of a live trace. */
  readonly goTo: (index: number) => void;
  readonly follow: () => void;
  readonly select: (actor: string) => void;
  /** Undefined: ends the comparison. */
  readonly compare: (index: number | undefined) => void;
  /** Shows the prompts panel with this call. */
  readonly openCall: (key: string) => void;
  /** Shows a panel if there is room for it beside the one with the focus. `call`: selects it. */
  readonly openBeside: (panel: 'votes' | 'prompts', call?: string) => void;
  /** Shows a short message in the status line, also to screen readers. */
  readonly notify: (text: string) => void;
  /** Opens another trace. */
  readonly openTrace: (id: string) => void;
}

/** One part of the page. */
export interface Panel {
  readonly element: HTMLElement;
  /** Called for every change while the panel is visible, at most once a frame. */
  readonly show: (view: View) => void;
}

export type MakePanel = (stage: Stage) => Panel;

/** The format of a drawn chart: where everything is. Plain JSON that needs no layout engine to be shown. */

/** Pixels. The origin is the top left corner of the chart. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * One chart. `nodes` lists a state before the states within it, so that drawing them in order draws the inner ones on top. A
 * state or a transition is found by its id or name; see `chart.ts` of `machines/testing/`.
 */
export interface ChartPositions {
  /** The id of the machine. */
  readonly machine: string;
  readonly width: number;
  readonly height: number;
  /** The title, and what the machine does in every state. */
  readonly texts: readonly PlacedText[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export interface PlacedNode extends Rect {
  /** The id of the state. `initial` and `any` have the id of the state that they are in. */
  readonly state: string;
  readonly shape: NodeShape;
  readonly tone: Tone;
  readonly texts: readonly PlacedText[];
}

/**
 * `compound` and `parallel` have states within; `choice` is left as soon as it is entered; `initial` is the mark from which an
 * arrow leads to the first state; `any` is the origin of transitions from all states of its parent.
 */
export type NodeShape =
  | 'state'
  | 'compound'
  | 'parallel'
  | 'choice'
  | 'final'
  | 'history'
  | 'deepHistory'
  | 'initial'
  | 'any';

/** The kind of a state, by its colour: it waits for an actor or a person, or it is an end. */
export type Tone = 'plain' | 'actor' | 'person' | 'success' | 'failure';

export interface PlacedEdge {
  /** The ids of the states. */
  readonly from: string;
  readonly to: string;
  /** Names of the transitions, as `transitionName` has them; empty for the arrow from a mark. */
  readonly transitions: readonly string[];
  /** `failure`: of an invoked actor; `start`: from a mark, or the default of a history. */
  readonly tone: 'plain' | 'failure' | 'start';
  /** Corners of the line, at least two. The arrow is at the last. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Where the line meets others that come from the same state or lead to the same one. */
  readonly joints: readonly (readonly [x: number, y: number])[];
  readonly texts: readonly PlacedText[];
}

/** One line of text and its box. `actor` and `tag` are frames of their own. */
export interface PlacedText extends Rect {
  readonly kind: TextKind;
  readonly text: string;
}

export type TextKind = 'title' | 'name' | 'note' | 'tag' | 'actor' | 'event' | 'guard';

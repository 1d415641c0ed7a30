/** The format of a drawn chart: the position of everything, as JSON. Drawing it needs no layout engine. */

/** Pixels. The origin is the top left corner of the chart. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * One chart. `nodes` lists a parent before its children, so that drawing them in order puts the children on top. States have
 * ids and transitions names, see `chart.ts` of `machines/testing/`.
 */
export interface ChartPositions {
  /** The id of the machine. */
  readonly machine: string;
  readonly width: number;
  readonly height: number;
  /** The title, and the notes of the machine itself. */
  readonly texts: readonly PlacedText[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export interface PlacedNode extends Rect {
  /** The id of the state. For `initial` and `any`: the id of their parent. */
  readonly state: string;
  readonly shape: NodeShape;
  readonly tone: Tone;
  readonly texts: readonly PlacedText[];
}

/**
 * `compound` and `parallel` have child states; `choice` is left as soon as it is entered; `initial` is the mark with the arrow
 * to the first state; `any` is the source of transitions from all states of its parent.
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

/** The kind of a state, shown as its colour: it waits for an actor or a person, or it is a kind of end. */
export type Tone = 'plain' | 'actor' | 'person' | 'failure';

export interface PlacedEdge {
  /** The ids of the states. */
  readonly from: string;
  readonly to: string;
  /** Names of the transitions, see `transitionName`. Empty for an arrow from a mark or a history. */
  readonly transitions: readonly string[];
  /** `failure`: of an invoked actor; `start`: from a mark, or the default of a history. */
  readonly tone: 'plain' | 'failure' | 'start';
  /** The points of the line, at least two. The arrowhead is at the last. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Points where the line meets others from the same state or to the same state. */
  readonly joints: readonly (readonly [x: number, y: number])[];
  readonly texts: readonly PlacedText[];
}

/** One line of text and its box. `actor` and `tag` have a frame. */
export interface PlacedText extends Rect {
  readonly kind: TextKind;
  readonly text: string;
}

export type TextKind = 'title' | 'name' | 'note' | 'tag' | 'actor' | 'event' | 'guard';

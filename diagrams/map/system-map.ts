/** The format of `diagrams/map.json`: which machine invokes which, and what they send each other. */

export interface SystemMap {
  readonly machines: readonly MapMachine[];
  /** Actors without a chart that all machines of a tree share. */
  readonly actors: readonly MapActor[];
  /** Effects: what charts have performed for them. */
  readonly ports: readonly MapPort[];
  readonly messages: readonly MapMessage[];
}

export interface MapMachine {
  readonly id: string;
  /** Machines of one room work on one matter. */
  readonly room: string;
  /** One sentence. */
  readonly does: string;
  readonly states: number;
  readonly transitions: number;
  /** Ids of machines and actors. */
  readonly invokes: readonly string[];
  /** Names of ports. */
  readonly ports: readonly string[];
}

export interface MapActor {
  readonly id: string;
  readonly room: string;
}

export interface MapPort {
  readonly name: string;
  /** Who gives the outcome. `resume`: the process that takes the run up again. */
  readonly settledBy: 'performer' | 'person' | 'resume';
}

/** Events other than the start, the end and the failure of what a machine invokes. */
export interface MapMessage {
  /** The id of a machine; `outside` is a person or a program. */
  readonly from: string;
  readonly to: string;
  readonly types: readonly string[];
}

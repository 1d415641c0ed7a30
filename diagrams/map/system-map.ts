/** The format of `diagrams/map.json`: machines, their invocations and their messages. */

export interface SystemMap {
  readonly machines: readonly MapMachine[];
  /** Actors without a chart that all machines of a tree share. */
  readonly actors: readonly MapActor[];
  /** The ports: effects that are performed outside the charts. */
  readonly ports: readonly MapPort[];
  readonly messages: readonly MapMessage[];
}

export interface MapMachine {
  readonly id: string;
  /** The folder or form that the machine belongs to. */
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
  /** The source of the outcome. `resume`: the process that resumes the run. */
  readonly settledBy: 'performer' | 'person' | 'resume';
}

/** Events between machines, other than the start, the end and the failure of an invoked actor. */
export interface MapMessage {
  /** The id of a machine; `outside` is a person or a program. */
  readonly from: string;
  readonly to: string;
  readonly types: readonly string[];
}

/** Outcomes of an actor that a machine starts, as samples for a search. */

import type {AnyEventObject} from 'xstate';

const brand = Symbol.for('quorate.outcome');

/** A plain value among samples is the output with which an actor is done. */
export class Outcome {
  /** A program may load two copies of this class. */
  readonly [brand] = true;
  readonly kind: 'done' | 'fails' | 'sends' | 'next';
  readonly value: unknown;

  constructor(kind: Outcome['kind'], value: unknown) {
    this.kind = kind;
    this.value = value;
  }
}

/** The actor fails with this error: its promise rejects, its callback throws. */
export function fails(error: unknown): Outcome {
  return new Outcome('fails', error);
}

/** The actor sends this event to its parent and continues, as a callback does. */
export function sends(event: AnyEventObject): Outcome {
  return new Outcome('sends', event);
}

/** The actor has this value and continues, as an observable does. */
export function next(value: unknown): Outcome {
  return new Outcome('next', value);
}

export function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && brand in value;
}

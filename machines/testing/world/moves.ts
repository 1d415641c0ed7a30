/** One step of a test of a machine, and its description for people. */

import type {AnyEventObject} from 'xstate';

export type Move =
  /** The machine starts with one of several inputs. */
  | {readonly type: 'start'; readonly input?: unknown}
  /** An event from outside; `actor`: the path of a machine below the one under test. */
  | {readonly type: 'send'; readonly event: AnyEventObject; readonly actor?: string}
  /** An actor is done, fails, sends an event to its parent, or has a next value. */
  | {
      readonly type: 'settle';
      readonly actor: string;
      readonly does: Outcome['kind'];
      readonly value?: unknown;
    }
  | {readonly type: 'fire'; readonly timer: string};

export const verbs = {
  done: 'is done',
  fails: 'fails',
  sends: 'sends',
  next: 'has the value',
} as const;

/** `card.entered {"number":"1"}`, `chargeCard is done {"paid":true}`, `after 500 in checkout.paying`. */
export function moveText(move: Move): string {
  return rawMoveText(move).replaceAll(/[\r\n\u2028\u2029]+/g, ' ');
}

function rawMoveText(move: Move): string {
  if (move.type === 'fire') return move.timer;
  if (move.type === 'start') return `start with ${valueText(move.input)}`;
  if (move.type === 'settle') {
    return `${move.actor} ${verbs[move.does]}${settledText(move)}`;
  }
  const {type, ...payload} = move.event;
  const data = Object.keys(payload).length === 0 ? '' : ` ${valueText(payload)}`;
  return `${type}${data}${move.actor === undefined ? '' : ` to ${move.actor}`}`;
}

/** A move as JSON holds it: of an error its name and its message. */
export function moveData(move: Move): object {
  if (move.type !== 'settle' || !(move.value instanceof Error)) return move;
  const {name, message} = move.value;
  return {...move, value: {error: {name, message}}};
}

/** Nothing of an error that says no more than that the actor failed. */
function settledText({actor, value}: Move & {readonly type: 'settle'}): string {
  if (value === undefined || (value instanceof Error && value.message === `${actor} failed`))
    return '';
  return value instanceof Error ? `: ${valueText(value)}` : ` ${valueText(value)}`;
}

const maxText = 200;

/** A value in one line, for people. */
export function valueText(value: unknown): string {
  const text = value instanceof Error ? `${value.name}: ${value.message}` : jsonText(value);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

// Outcomes of an actor that a machine starts, as samples for a search.

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

/** A form at this moment, as data: for its partial result, and for what it shares with those below it. */

import type {AnyActorRef, AnyMachineSnapshot, MachineContext} from 'xstate';

import type {Recorded} from '../facts/fact.ts';
import {factsUnder} from '../facts/record.ts';

export interface FormNow<State extends object> {
  readonly state: State;
  /** Where its chart is. */
  readonly at: Pick<AnyMachineSnapshot, 'value' | 'machine'>;
  /** Of the form and of all below it. */
  readonly facts: readonly Recorded[];
  /** Of the actors inside it, each followed by those inside that one. */
  readonly inside: readonly MachineContext[];
}

/** The state and the position of a form alone. */
export function formState<State extends object>(
  form: AnyActorRef,
): Pick<FormNow<State>, 'state' | 'at'> {
  const {context, value, machine}: AnyMachineSnapshot = form.getSnapshot();
  return {state: context, at: {value, machine}};
}

/** Of the actor of a form whose state is of this type. */
export function formNow<State extends object>(form: AnyActorRef): FormNow<State> {
  return {
    ...formState<State>(form),
    facts: factsUnder(form),
    inside: contextsInside(form),
  };
}

/** Contexts of the charts inside an actor, each followed by those inside that one. */
export function contextsInside(actor: AnyActorRef): MachineContext[] {
  const {children}: Partial<AnyMachineSnapshot> = actor.getSnapshot();
  return Object.values<AnyActorRef | undefined>(children ?? {}).flatMap((child) => {
    const {context}: Partial<AnyMachineSnapshot> = child?.getSnapshot() ?? {};
    return child && context ? [[context], contextsInside(child)].flat() : [];
  });
}

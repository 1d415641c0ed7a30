/** The current state of a form as data, for its partial result and for the context that its children receive. */

import type {AnyActorRef, AnyMachineSnapshot, MachineContext} from 'xstate';

import type {Recorded} from '../facts/fact.ts';
import {factsUnder} from '../facts/record.ts';

export interface FormNow<State extends object> {
  readonly state: State;
  /** The state of its chart. */
  readonly at: Pick<AnyMachineSnapshot, 'value' | 'machine'>;
  /** Of the form and of all actors below it. */
  readonly facts: readonly Recorded[];
  /** Contexts of the actors inside it, depth first. */
  readonly inside: readonly MachineContext[];
}

/** Only the context and the state of a form. */
export function formState<State extends object>(
  form: AnyActorRef,
): Pick<FormNow<State>, 'state' | 'at'> {
  const {context, value, machine}: AnyMachineSnapshot = form.getSnapshot();
  return {state: context, at: {value, machine}};
}

/** The current state of a form, by its actor. `State` is the type of its context. */
export function formNow<State extends object>(form: AnyActorRef): FormNow<State> {
  return {
    ...formState<State>(form),
    facts: factsUnder(form),
    inside: contextsInside(form),
  };
}

/** Contexts of the charts inside an actor, depth first. */
export function contextsInside(actor: AnyActorRef): MachineContext[] {
  const {children}: Partial<AnyMachineSnapshot> = actor.getSnapshot();
  return Object.values<AnyActorRef | undefined>(children ?? {}).flatMap((child) => {
    const {context}: Partial<AnyMachineSnapshot> = child?.getSnapshot() ?? {};
    return child && context ? [[context], contextsInside(child)].flat() : [];
  });
}

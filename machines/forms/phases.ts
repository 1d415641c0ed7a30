/** Phases: the states of a form by which people follow a run. */

import type {AnyActorRef, AnyMachineSnapshot, AnyStateMachine, StateValue} from 'xstate';

import {reportFact} from '../facts/report.ts';

type States = NonNullable<AnyStateMachine['config']['states']>;

/** The tag of a phase, and its entry: it reports its name, which is that of its state, before its own actions. */
export function phase<const Action extends string = never>(name: string, ...entry: Action[]) {
  return {
    tags: 'phase',
    entry: [{type: 'reportPhase', params: name}, ...entry],
  } as const;
}

/** As {@link phase}, of a state that asks a person. */
export function gatePhase(name: string) {
  return {...phase(name), tags: ['phase', 'waitsForPerson']} as const;
}

/** The action of {@link phase}, for the `setup` of a form. */
export function reportPhase({self}: {readonly self: AnyActorRef}, name: string): void {
  reportFact(self, {type: 'phase.changed', phase: name});
}

/** The phase that an actor of such a chart is in; undefined between two, and before the first. */
export function phaseOf({
  value,
  machine,
}: Pick<AnyMachineSnapshot, 'value' | 'machine'>): string | undefined {
  return phaseIn(value, machine.config.states ?? {});
}

function phaseIn(value: StateValue, states: States): string | undefined {
  const [[name, below] = ['', undefined]] =
    typeof value === 'string' ? [[value, undefined] as const] : Object.entries(value);
  const state = states[name];
  if (!state || isPhase(state)) return state && name;
  return below === undefined ? undefined : phaseIn(below, state.states ?? {});
}

function isPhase({tags = []}: States[string]): boolean {
  return [tags].flat().includes('phase');
}

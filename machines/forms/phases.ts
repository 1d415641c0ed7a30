/** Phases: the states of a form that are reported to people as progress. */

import type {AnyActorRef, AnyMachineSnapshot, AnyStateMachine, StateValue} from 'xstate';

import {reportFact} from '../facts/record.ts';

type States = NonNullable<AnyStateMachine['config']['states']>;

/** The tag and the entry of a phase. On entry it reports its name, then runs `entry`. The name is the state's own. */
export function phase<const Action extends string = never>(name: string, ...entry: Action[]) {
  return {
    tags: 'phase',
    entry: [{type: 'reportPhase', params: name}, ...entry],
  } as const;
}

/** {@link phase} for a state that asks a person. */
export function gatePhase(name: string) {
  return {...phase(name), tags: ['phase', 'waitsForPerson']} as const;
}

/** Names of phases in earlier versions, for programs that compare them. */
const aliases: Readonly<Record<string, string>> = {awaitingAdvice: 'counselling'};

/** Implements the action of {@link phase}, for the `setup` of a form. */
export function reportPhase({self}: {readonly self: AnyActorRef}, name: string): void {
  const alias = aliases[name];
  reportFact(self, {
    type: 'phase.changed',
    phase: name,
    ...(alias === undefined ? {} : {alias}),
  });
}

/** The current phase of a form's actor. Undefined before the first phase and between two phases. */
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

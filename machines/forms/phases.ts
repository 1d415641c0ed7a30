/** Phases: the states of a form by which people follow a run. */

import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createMachine,
  type StateValue,
} from 'xstate';

import {report} from '../facts/report.ts';

type Config = AnyStateMachine['config'];
type States = NonNullable<Config['states']>;

/** The same chart, in which each state that is tagged `phase` reports its name when it is entered. */
export function tellingPhases(machine: AnyStateMachine): AnyStateMachine {
  const {config, implementations} = machine;
  const reportPhase = report((_, phase: string) => ({type: 'phase.changed', phase}));
  return createMachine(
    {...config, states: withReports(config.states ?? {})},
    {...implementations, actions: {...implementations.actions, reportPhase}},
  );
}

function withReports(states: States): States {
  return Object.fromEntries(
    Object.entries(states).map(([name, state]) => {
      const entry = [state.entry ?? []].flat();
      const told = isPhase(state) ? [{type: 'reportPhase', params: name}, ...entry] : entry;
      return [name, {...state, entry: told, states: withReports(state.states ?? {})}];
    }),
  );
}

function isPhase({tags = []}: States[string]): boolean {
  return [tags].flat().includes('phase');
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

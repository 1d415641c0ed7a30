/** Phases: the states of a form by which people follow a run. */

import {type AnyStateMachine, createMachine} from 'xstate';

import {report} from '../report.ts';

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
      const isPhase = [state.tags ?? []].flat().includes('phase');
      const told = isPhase ? [{type: 'reportPhase', params: name}, ...entry] : entry;
      return [name, {...state, entry: told, states: withReports(state.states ?? {})}];
    }),
  );
}

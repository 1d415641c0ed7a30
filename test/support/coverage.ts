/** Which states and transitions of the charts runs go through. */

import {type InspectionEvent, isMachineSnapshot} from 'xstate';

import {transitionName} from '../../machines/testing/chart.ts';

export interface Coverage {
  /** Ids of states. */
  readonly entered: Set<string>;
  /** Names of transitions, as `transitionName` spells them. */
  readonly taken: Set<string>;
}

/** For `createActor`'s `inspect`: notes the states and transitions of every actor of the system. */
export function noting({entered, taken}: Coverage) {
  return (event: InspectionEvent): void => {
    if (event.type !== '@xstate.microstep') return;
    const {_transitions: transitions, snapshot} = event;
    for (const transition of transitions) {
      taken.add(transitionName(transition));
      entered.add(transition.source.id);
    }
    if (!isMachineSnapshot(snapshot)) return;
    const {_nodes: nodes} = snapshot;
    for (const {id} of nodes) entered.add(id);
  };
}

/** Which states and transitions of the charts runs go through. */

import {type AnyStateMachine, type InspectionEvent, isMachineSnapshot} from 'xstate';

type Node = AnyStateMachine['root'];
type Transition = ReturnType<typeof transitionsOf>[number];

export interface Coverage {
  /** Ids of states. */
  readonly entered: Set<string>;
  /** Transitions as {@link nameOf} tells them. */
  readonly taken: Set<string>;
}

export function nodesOf(node: Node): Node[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

export function transitionsOf(node: Node) {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

/** For `createActor`'s `inspect`: notes what every actor goes through. */
export function noting({entered, taken}: Coverage) {
  return (event: InspectionEvent): void => {
    if (event.type !== '@xstate.microstep') return;
    const {_transitions: transitions, snapshot} = event;
    for (const transition of transitions) {
      taken.add(nameOf(transition));
      entered.add(transition.source.id);
    }
    if (!isMachineSnapshot(snapshot)) return;
    const {_nodes: nodes} = snapshot;
    for (const {id} of nodes) entered.add(id);
  };
}

/** A history is a way back to a state, and no state. */
export function statesOf(machine: AnyStateMachine): string[] {
  return nodesOf(machine.root)
    .filter(({type}) => type !== 'history')
    .map(({id}) => id);
}

export function transitionNames(machine: AnyStateMachine): string[] {
  return nodesOf(machine.root).flatMap(transitionsOf).map(nameOf);
}

/** A transition as one reads it: `task.calling xstate.done.actor.call [isSuccess] → succeeded`. */
function nameOf({source, eventType, guard, target}: Transition): string {
  const condition = typeof guard === 'object' && 'type' in guard ? guard.type : guard;
  const guarded = condition === undefined ? '' : ` [${String(condition)}]`;
  const goal = target === undefined ? '' : ` → ${target.map(({key}) => key).join(', ')}`;
  return `${source.id} ${eventType === '' ? 'always' : eventType}${guarded}${goal}`;
}

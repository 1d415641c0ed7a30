/** The view that a property of a machine has of a state. */

import type {AnyEventObject, AnyStateMachine, SnapshotFrom} from 'xstate';

export interface View<Machine extends AnyStateMachine = AnyStateMachine> {
  readonly snapshot: SnapshotFrom<Machine>;
  /** Names of the custom actions from the start to here, in order. */
  readonly performed: readonly string[];
  /** Events that the machine sent to its parent, from the start to here. */
  readonly toParent: readonly AnyEventObject[];
}

/** Holds unless it returns false or a sentence that says what is wrong, or throws. */
export type Property<Machine extends AnyStateMachine = AnyStateMachine> = (
  view: View<Machine>,
) => boolean | string | void;

export type Properties<Machine extends AnyStateMachine = AnyStateMachine> = Readonly<
  Record<string, Property<Machine>>
>;

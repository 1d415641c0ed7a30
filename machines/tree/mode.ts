/**
 * Who answers at the human gates of a run: one word for all of them, so that a person who changes it is obeyed by
 * gates that open later, wherever in the tree.
 */

import {type AnyActorRef, fromTransition} from 'xstate';

import type {HilMode} from '../domain/settings.ts';

/** The `systemId` of the mode of a run. */
export const modeId = 'mode';

export interface ModeChange {
  readonly type: 'settings.changed';
  readonly hilMode: HilMode;
}

export const modeLogic = fromTransition(
  (_, {hilMode}: ModeChange) => ({hilMode}),
  ({input}: {input: HilMode}) => ({hilMode: input}),
);

/** The mode of the actor's run as it is now; undefined in a system that has none. */
export function modeOf({system}: AnyActorRef): HilMode | undefined {
  const mode: AnyActorRef | undefined = system.get(modeId);
  return mode?.getSnapshot().context.hilMode;
}

/**
 * Who answers at the human gates of a tree: one word for all of them. A gate watches it while it is open, so that a
 * person who changes it is obeyed at once, wherever in the tree.
 */

import {type AnyActorRef, fromCallback, fromTransition} from 'xstate';

import type {HilMode} from '../domain/settings.ts';

/** The `systemId` of the mode of a tree. */
export const modeId = 'mode';

export interface ModeChange {
  readonly type: 'settings.changed';
  readonly hilMode: HilMode;
}

/** To whoever watches: the mode as it is when the watch begins, and at each change. */
export interface ModeTold {
  readonly type: 'mode.told';
  readonly hilMode: HilMode;
}

export interface Mode {
  readonly hilMode: HilMode;
}

export const modeLogic = fromTransition(
  (mode: Mode, event: ModeChange): Mode =>
    event.type === 'settings.changed' ? {hilMode: event.hilMode} : mode,
  ({input}: {input: HilMode}) => ({hilMode: input}),
);

/** Tells its parent the mode for as long as it is invoked. */
export const modeWatch = fromCallback(({sendBack, system}) => {
  const mode: AnyActorRef = system.get(modeId);
  const tell = ({context: {hilMode}}: {context: Mode}): void =>
    sendBack({type: 'mode.told', hilMode} satisfies ModeTold);
  tell(mode.getSnapshot());
  const subscription = mode.subscribe({next: tell, error: () => {}});
  return () => subscription.unsubscribe();
});

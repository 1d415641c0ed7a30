/**
 * What a person may change for a whole tree in mid-run: who answers at its human gates, one word for all of them, and which
 * models have taken the place of others or have a seat. A gate watches it while it is open, so that a person who changes it is obeyed at
 * once, wherever in the tree.
 */

import {type AnyActorRef, fromCallback, fromTransition} from 'xstate';

import type {HilMode} from '../domain/settings.ts';
import type {SettingsChanged} from './form-event.ts';

/** The `systemId` of the mode of a tree. */
export const modeId = 'mode';

export interface ModeChange extends SettingsChanged {
  /** By the names of those whose place they take. */
  readonly models?: Readonly<Record<string, string>>;
}

/** To whoever watches: the mode as it is when the watch begins, and at each change. */
export interface ModeTold {
  readonly type: 'mode.told';
  readonly hilMode: HilMode;
}

export interface Mode {
  readonly hilMode: HilMode;
  readonly models: Readonly<Record<string, string>>;
  /** Models with a seat, once a person has changed the panel. */
  readonly seated?: readonly string[];
}

export const modeLogic = fromTransition(
  (mode: Mode, event: ModeChange): Mode =>
    event.type === 'settings.changed' ? changed(mode, event) : mode,
  ({input}: {input: HilMode}) => ({hilMode: input, models: {}}),
);

function changed(mode: Mode, {settings, hilMode = mode.hilMode, models = {}}: ModeChange): Mode {
  const {panel} = settings ?? {};
  const seated = panel?.map(({model}) => model) ?? mode.seated;
  const followed = Object.entries(mode.models).map(([old, now]) => [old, models[now] ?? now]);
  return {
    hilMode: settings?.agent?.hilMode ?? hilMode,
    models: {...Object.fromEntries(followed), ...models},
    ...(seated ? {seated} : {}),
  };
}

/** The model that is called by this name now, in the tree of the actor. */
export function modelNow(self: AnyActorRef, model: string): string {
  return modeOf(self)?.models[model] ?? model;
}

/** Whether a person has taken the model's seats away, in the tree of the actor. */
export function isUnseated(self: AnyActorRef, model: string): boolean {
  return modeOf(self)?.seated?.includes(model) === false;
}

function modeOf({system}: AnyActorRef): Mode | undefined {
  const mode: AnyActorRef | undefined = system.get(modeId);
  return mode?.getSnapshot().context;
}

/** Tells its parent the mode for as long as it is invoked. */
export const modeWatch = fromCallback(({sendBack, system}) => {
  const mode: AnyActorRef = system.get(modeId);
  const tell = ({context: {hilMode}}: {context: Mode}): void =>
    sendBack({type: 'mode.told', hilMode} satisfies ModeTold);
  tell(mode.getSnapshot());
  const subscription = mode.subscribe({next: tell, error: () => {}});
  return () => subscription.unsubscribe();
});

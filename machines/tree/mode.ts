/**
 * The mode of a tree, which a person may change during the run: how human gates are answered, which models replace others,
 * and which have a seat. An open gate watches the mode, so that a change takes effect at once anywhere in the tree.
 */

import {type AnyActorRef, fromCallback, fromTransition} from 'xstate';

import type {HilMode} from '../domain/settings.ts';
import type {SettingsChanged} from './form-event.ts';

/** The `systemId` of the mode of a tree. */
export const modeId = 'mode';

export interface ModeChange extends SettingsChanged {
  /** By the names of the models that they replace. */
  readonly models?: Readonly<Record<string, string>>;
}

/** To watchers: the mode at the start of the watch, and at each change. */
export interface ModeReported {
  readonly type: 'mode.reported';
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
    event.type === 'settings.changed' ? changedMode(mode, event) : mode,
  ({input}: {input: HilMode}) => ({hilMode: input, models: {}}),
);

function changedMode(
  mode: Mode,
  {settings, hilMode = mode.hilMode, models = {}}: ModeChange,
): Mode {
  const {panel} = settings ?? {};
  const seated = panel?.map(({model}) => model) ?? mode.seated;
  const current = Object.entries(mode.models).map(([old, now]) => [old, models[now] ?? now]);
  return {
    hilMode: settings?.agent?.hilMode ?? hilMode,
    models: {...Object.fromEntries(current), ...models},
    ...(seated ? {seated} : {}),
  };
}

/** The model that is called by this name now, in the tree of the actor. */
export function modelNow(self: AnyActorRef, model: string): string {
  return modeOf(self)?.models[model] ?? model;
}

/** True if a person has removed the model's seats, in the tree of the actor. */
export function isUnseated(self: AnyActorRef, model: string): boolean {
  return modeOf(self)?.seated?.includes(model) === false;
}

function modeOf({system}: AnyActorRef): Mode | undefined {
  const mode: AnyActorRef | undefined = system.get(modeId);
  return mode?.getSnapshot().context;
}

/** Sends its parent the mode, and each change while it is invoked. */
export const modeWatch = fromCallback(({sendBack, system}) => {
  const mode: AnyActorRef = system.get(modeId);
  const sendMode = ({context: {hilMode}}: {context: Mode}): void =>
    sendBack({type: 'mode.reported', hilMode} satisfies ModeReported);
  sendMode(mode.getSnapshot());
  const subscription = mode.subscribe({next: sendMode, error: () => {}});
  return () => subscription.unsubscribe();
});

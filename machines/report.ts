/** How a chart tells what it does, while it does it: one typed report at a time, under the path of the actor that speaks. */

import type {ActionArgs, EventObject, MachineContext, ParameterizedObject} from 'xstate';

import type {Report} from './domain/progress.ts';
import {performerOf} from './ports.ts';

/**
 * An action that reports what `tell` returns: one report, several, or none. Reports go to whoever performs for
 * the actor's system; no chart hears them, and in a replay nobody does.
 */
export function report<
  Context extends MachineContext,
  Heard extends EventObject,
  Params extends ParameterizedObject['params'] | undefined,
  Event extends EventObject,
>(
  tell: (
    args: ActionArgs<Context, Heard, Event>,
    params: Params,
  ) => Report | readonly Report[] | undefined,
): (args: ActionArgs<Context, Heard, Event>, params: Params) => void {
  return (args, params) => {
    for (const told of [tell(args, params) ?? []].flat()) {
      performerOf(args.system).report(told, args.self);
    }
  };
}

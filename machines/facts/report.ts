/** How a chart tells what it does, while it does it: one typed report at a time, under the path of the actor that speaks. */

import type {ActionArgs, EventObject, MachineContext, ParameterizedObject} from 'xstate';

import type {Report} from '../domain/progress.ts';
import {performerOf} from '../ports.ts';
import {isRecorded, tellRecord} from './record.ts';

/**
 * An action that reports what `tell` returns: one report, several, or none. Reports go to the performer of the
 * actor's system, which ignores them in a replay; those on rounds, rules and refused decisions also go to the record of the tree.
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
      if (isRecorded(told)) tellRecord(args.self, told);
      performerOf(args.system).report(told, args.self);
    }
  };
}

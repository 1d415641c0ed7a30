/** Params for guards and actions of transitions that are taken when an invoked actor ends. */

import {type Failure, toFailure} from './domain/failure.ts';

/** The output of the actor that is done. */
export function outputIn<Output>({event}: {readonly event: {readonly output: Output}}): Output {
  return event.output;
}

/** The failure of an actor that crashed, which is a bug. */
export function crashIn({event}: {readonly event: {readonly error: unknown}}): Failure {
  return toFailure(event.error);
}

interface Taking<Action extends string> {
  readonly type: Action;
  readonly params: typeof outputIn;
}

interface Guarded<Guard extends string, Target extends string> {
  readonly guard: {readonly type: Guard; readonly params: typeof outputIn};
  readonly target: Target;
}

/** A transition where `guard` holds for the output of the actor that is done. The actions take the output. */
export function when<const Guard extends string, const Target extends string>(
  guard: Guard,
  target: Target,
): Guarded<Guard, Target>;
export function when<
  const Guard extends string,
  const Target extends string,
  const Action extends string,
>(
  guard: Guard,
  target: Target,
  ...actions: readonly Action[]
): Guarded<Guard, Target> & {readonly actions: Taking<Action>[]};
export function when(guard: string, target: string, ...actions: readonly string[]) {
  return {guard: {type: guard, params: outputIn}, ...otherwise(target, ...actions)};
}

/** A transition whose actions take the output of the actor that is done. */
export function otherwise<const Target extends string, const Action extends string>(
  target: Target,
  ...actions: readonly Action[]
) {
  return {target, actions: actions.map((type): Taking<Action> => ({type, params: outputIn}))};
}

/** A transition whose action takes the failure of the actor that crashed. */
export function onCrash<const Target extends string, const Action extends string>(
  target: Target,
  action: Action,
) {
  return {target, actions: {type: action, params: crashIn}} as const;
}

/** True if custom actions of a machine can be withheld: XState before 5.19 executes them by itself. */

import {type AnyStateMachine, createActor} from 'xstate';

import {isMachine} from '../chart.ts';
import {newActor, withholdActions} from './puppet.ts';

/** By the constructor of a machine, which each copy of XState has for itself. */
const known = new WeakMap<object, boolean>();

/** Throws Error when the machine's copy of XState executes custom actions all the same. */
export function requireWithholding(machine: AnyStateMachine): void {
  const {constructor: maker} = machine;
  const can = known.get(maker) ?? canWithhold(maker);
  known.set(maker, can);
  if (can) return;
  throw new Error(
    'custom actions would be executed by this version of xstate: update it to 5.19 or later, or let them run by runActions: true',
  );
}

/** Tries it with a machine of one action. */
function canWithhold(maker: object): boolean {
  let ran = false;
  const act = () => {
    ran = true;
  };
  const probe: unknown =
    typeof maker === 'function' ? Reflect.construct(maker, [{entry: act}, {}]) : undefined;
  if (!isMachine(probe)) return false;
  createActor(probe, {
    inspect: (event) => {
      if (event.type === '@xstate.actor') withholdActions(newActor(event.actorRef), () => {});
    },
  }).start();
  return !ran;
}

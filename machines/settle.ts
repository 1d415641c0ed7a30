/** For programs that run a chart alone: the outcome of a request, checked, on its way to the actor that waits for it. */

import type {AnyActorRef} from 'xstate';

import {asJson} from './domain/json.ts';
import {ports as natures} from './port-natures.ts';
import type {Asked, Delivered, PortOutcome} from './ports.ts';

/**
 * Settles the request of the port's `actor`. `at` is epoch ms, `ms` the duration. Throws TypeError for an outcome that does
 * not fit the port: the actor continues to wait.
 */
export function settle<A extends Asked>(
  actor: AnyActorRef,
  {port}: A,
  outcome: PortOutcome<A['port']>,
  {at = 0, ms = 0}: Partial<Delivered> = {},
): void {
  const problem = natures[port].outcome(asJson(outcome), `the outcome of ${port}`);
  if (problem !== undefined) throw new TypeError(problem);
  actor.send({type: 'effect.settled', outcome: {...outcome, at, ms}});
}

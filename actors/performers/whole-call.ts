/** The end of a tool call as a whole: it may be performed in several parts, with questions to the person between them. */

import type {AnyActorRef} from 'xstate';

import type {Asked} from '../../machines/ports.ts';
import {parentOf} from '../../machines/tree/path.ts';

/** Aborted when the actor of the call has ended or is stopped. Undefined for effects that are no part of a call. */
export function signalOfCall({
  port,
  actor,
}: Pick<Asked, 'port'> & {readonly actor: AnyActorRef}): AbortSignal | undefined {
  const call = port === 'runTool' ? parentOf(actor) : undefined;
  if (!call) return undefined;
  const controller = new AbortController();
  const end = (): void => controller.abort();
  call.subscribe({complete: end, error: end});
  return controller.signal;
}

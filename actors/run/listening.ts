/** The listeners of a run: its signal, its logger, its callbacks. */

import {logEvent} from '../logger.ts';
import type {ListenOptions, Run} from '../runtime-api.ts';
import type {RuntimeOptions} from '../runtime-options.ts';

/** Cancels the run when the signal is aborted. Returns a function that stops listening. */
export function cancelOn(signal: AbortSignal | undefined, run: Run): () => void {
  const cancel = (): void => run.send({type: 'user.cancel'});
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, {once: true});
  return () => signal?.removeEventListener('abort', cancel);
}

/** Undefined when there is no listener. */
export function listenerFor(
  id: string,
  {logger, onRule}: RuntimeOptions,
  onEvent: ListenOptions['onEvent'],
): ListenOptions['onEvent'] {
  if (!logger && !onRule) return onEvent;
  return (event) => {
    if (logger) logEvent(logger, id, event);
    if (event.type === 'rule.made') onRule?.(event.rule);
    onEvent?.(event);
  };
}

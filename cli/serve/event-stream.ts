/** Server-sent events: paced by the reader, kept alive, and cut off for one that takes nothing any more. */

import type {HttpBindings} from '@hono/node-server';

import type {Logger} from '../../actors/logger.ts';

export interface Frame {
  readonly event: string;
  /** What a reader that comes back says it has seen. Absent: nothing to come back to. */
  readonly id?: string;
  readonly data: unknown;
}

export interface Streaming {
  readonly logger: Logger;
  readonly timing: StreamTiming;
  /** Aborted when the server ends: so do the streams. */
  readonly ending: AbortSignal;
}

export interface StreamTiming {
  /** A comment is sent after this silence. */
  readonly heartbeatMs: number;
  /** A reader that takes nothing for so long is cut off. */
  readonly stallMs: number;
}

export const usualTiming: StreamTiming = {heartbeatMs: 15_000, stallMs: 30_000};

const encoder = new TextEncoder();
const heartbeat = ': still here\n\n';

/**
 * `frames` is asked for the next one only when the reader has taken what came before: whoever reads slowly costs one
 * frame of memory. It is returned when the reader is gone, and the signal is aborted.
 */
export function eventStream(
  {outgoing}: HttpBindings,
  frames: (signal: AbortSignal) => AsyncIterator<Frame>,
  {logger, timing: {heartbeatMs, stallMs}, ending}: Streaming,
): Response {
  const gone = new AbortController();
  const over = AbortSignal.any([ending, gone.signal]);
  const source = frames(gone.signal);
  let next: Promise<IteratorResult<Frame>> | undefined;
  let stall: NodeJS.Timeout | undefined;
  // What it reads may be closed before it is.
  const lateIfOver = (error: unknown): 'late' => {
    if (over.aborted) return 'late';
    throw error;
  };
  const nextText = async (): Promise<string | undefined> => {
    if (over.aborted) return undefined;
    next ??= source.next();
    const result = await within(heartbeatMs, next, over).catch(lateIfOver);
    if (result === 'late') return over.aborted ? undefined : heartbeat;
    next = undefined;
    return result.done === true ? undefined : textOf(result.value);
  };
  const end = (): void => {
    clearTimeout(stall);
    gone.abort();
  };
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      clearTimeout(stall);
      const text = await nextText();
      if (text === undefined) {
        end();
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(text));
      stall = setTimeout(() => {
        logger.warn('a reader that takes nothing is cut off', {stallMs});
        outgoing.destroy();
      }, stallMs);
    },
    cancel: async () => {
      end();
      await source.return?.();
    },
  });
  outgoing.once('close', end);
  return new Response(body, {
    headers: {'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no'},
  });
}

function textOf({event, id, data}: Frame): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** `late` after so many ms, or when the signal is aborted. */
async function within<T>(
  ms: number,
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T | 'late'> {
  const {promise: late, resolve} = Promise.withResolvers<'late'>();
  const giveUp = (): void => resolve('late');
  const timer = setTimeout(giveUp, signal.aborted ? 0 : ms);
  signal.addEventListener('abort', giveUp, {once: true});
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

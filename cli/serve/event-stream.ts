/** Server-sent events: paced by the reader, with heartbeats, and closed for a reader that stalls. */

import type {HttpBindings} from '@hono/node-server';

import type {Logger} from '../../actors/logger.ts';

export type Frame = FrameHead & ({readonly data: unknown} | {readonly text: string});

interface FrameHead {
  readonly event: string;
  /** The id that a reconnecting reader sends. Absent: the stream can't be resumed here. */
  readonly id?: string;
}

export interface Streaming {
  readonly logger: Logger;
  readonly timing: StreamTiming;
  /** Aborted when the server ends; the streams end, too. */
  readonly ending: AbortSignal;
}

export interface StreamTiming {
  /** A comment is sent after this silence. */
  readonly heartbeatMs: number;
  /** A reader that takes nothing for this long is disconnected. */
  readonly stallMs: number;
}

export const usualTiming: StreamTiming = {heartbeatMs: 15_000, stallMs: 30_000};

const encoder = new TextEncoder();
const heartbeat = ': still here\n\n';

/**
 * `frames` is asked for the next one only when the reader has taken the previous one: a slow reader costs one frame of
 * memory. The generator is returned when the reader disconnects or the signal is aborted.
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
  // The source may be closed before the stream is.
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
    return result.done === true ? undefined : frameText(result.value);
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
      stall.unref();
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

/** `text`: the data as JSON. */
function frameText({event, id, ...frame}: Frame): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  const text = 'text' in frame ? frame.text : JSON.stringify(frame.data);
  return `${head}event: ${event}\ndata: ${text}\n\n`;
}

/** `late` after this many ms, or when the signal is aborted. */
async function within<T>(
  ms: number,
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T | 'late'> {
  const {promise: late, resolve} = Promise.withResolvers<'late'>();
  const giveUp = (): void => resolve('late');
  const timer = setTimeout(giveUp, signal.aborted ? 0 : ms);
  timer.unref();
  signal.addEventListener('abort', giveUp, {once: true});
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

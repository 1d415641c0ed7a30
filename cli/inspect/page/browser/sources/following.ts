/** Follows the steps of a trace, and reconnects after every lost connection, from the last step that arrived. */

import {isJsonObject} from '../../../../../machines/domain/json.ts';
import {type Packed, Unpacker} from '../../../../../machines/trace/packing.ts';
import type {Gap, Step} from '../../../../../machines/trace/step.ts';
import type {TraceHead} from '../../../../../machines/trace/view.ts';
import {readEvents, type StreamEvent} from '../../../../serve/page/browser/sync/event-stream.ts';
import {type Listener, SourceError} from './source.ts';

export interface Init extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rejects with `SourceError`. */
type Connect = (init: Init) => Promise<Response>;

/** The server sends at least a comment every 15 s. */
const silenceMs = 40_000;
const shortestPauseMs = 500;
const longestPauseMs = 10_000;

interface Progress {
  /** The seq of the last step that arrived. */
  last: number;
  isReady: boolean;
}

/** Resolves when it is aborted, or refused for good. Never rejects. */
export async function followSteps(
  connect: Connect,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const progress: Progress = {last: -1, isReady: false};
  let pauseMs = shortestPauseMs;
  const onConnection = (isConnected: boolean): void => {
    if (isConnected) pauseMs = shortestPauseMs;
    listener.onConnection(isConnected);
  };
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one connection after the other
    const error = await problemOf(listen(connect, {...listener, onConnection}, progress, signal));
    if (signal.aborted) return;
    if (error instanceof SourceError && ['not-found', 'unauthorized'].includes(error.code))
      return listener.onRefused(error);
    onConnection(false);
    // oxlint-disable-next-line no-await-in-loop -- a pause between connections
    await pause(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

async function problemOf(work: Promise<void>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return error;
  }
}

/** Resolves when the server ends the stream; rejects when the connection is lost, or silent for too long. */
async function listen(
  connect: Connect,
  listener: Listener,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const silent = new AbortController();
  const watch = (): ReturnType<typeof setTimeout> => setTimeout(() => silent.abort(), silenceMs);
  const unpacker = new Unpacker();
  let silence = watch();
  try {
    const {body} = await connect({
      headers: progress.last < 0 ? {} : {'last-event-id': String(progress.last)},
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (!body) return;
    listener.onConnection(true);
    for await (const event of readEvents(body)) {
      clearTimeout(silence);
      silence = watch();
      receive(event, unpacker, listener, progress);
    }
  } finally {
    clearTimeout(silence);
  }
}

function receive(
  {type, data}: StreamEvent,
  unpacker: Unpacker,
  listener: Listener,
  progress: Progress,
): void {
  if (type === 'head') {
    const head: TraceHead = JSON.parse(data);
    listener.onHead(head);
  } else if (type === 'steps') {
    const packed: Packed = JSON.parse(data);
    const {steps, gaps} = batchIn(unpacker.unpack(packed));
    const unseen = steps.filter(({seq}) => seq > progress.last);
    progress.last = unseen.at(-1)?.seq ?? progress.last;
    listener.onSteps(unseen, gaps);
  } else if (type === 'ready' && !progress.isReady) {
    progress.isReady = true;
    listener.onReady();
  }
}

interface Batch {
  readonly steps: readonly Step[];
  readonly gaps: readonly Gap[];
}

function batchIn(value: unknown): Batch {
  if (isBatch(value)) return value;
  throw new Error('the server sent another kind of steps');
}

/** Server and page are of the same build, so the members are not checked again. */
function isBatch(value: unknown): value is Batch {
  return isJsonObject(value) && Array.isArray(value['steps']) && Array.isArray(value['gaps']);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, {once: true});
  });
}

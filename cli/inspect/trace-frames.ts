/** A trace as server-sent events: its head whenever that changes, its steps, and once that all present steps were sent. */

import type {TraceBatch} from '../../actors/inspect/inspection-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {asJson} from '../../machines/domain/json.ts';
import {Packer} from '../../machines/trace/packing.ts';
import type {Frame} from '../serve/event-stream.ts';
import type {Subject} from './traces.ts';

/** How often the head of a trace without new steps is looked at. */
const lookMs = 1_000;

/**
 * `after`: the last step that the reader has. The frames continue until the signal is aborted, or the trace can't be read any
 * more, as when its run is erased: the reader connects again, and the reply says why.
 */
export async function* framesOf(
  subject: Subject,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  try {
    yield* following(subject, after, signal);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function* following(
  subject: Subject,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  const packer = new Packer();
  const heads = new Heads(subject);
  yield* await heads.next();
  let isReady = false;
  for await (const batch of withPauses(subject.follow(signal))) {
    if (batch) yield* stepFrames(batch, after, packer);
    if (!batch || batch.isCurrent === true) yield* await heads.next();
    if (batch?.isCurrent === true && !isReady) {
      yield {event: 'ready', data: {}};
      isReady = true;
    }
  }
  yield* await heads.next();
  if (!isReady) yield {event: 'ready', data: {}};
  // A reader whose stream ends would connect again.
  await aborted(signal);
}

/** Resolves with a frame if the head has changed. */
class Heads {
  readonly #subject: Subject;
  #text = '';

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async next(): Promise<readonly Frame[]> {
    const head = await this.#subject.head();
    const text = JSON.stringify(head);
    if (text === this.#text) return [];
    this.#text = text;
    return [{event: 'head', data: head}];
  }
}

/** Undefined: no batch came for a while. */
async function* withPauses(
  batches: AsyncGenerator<TraceBatch>,
): AsyncGenerator<TraceBatch | undefined> {
  let next = batches.next();
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    const result = await soon(next, lookMs);
    if (result === 'later') yield undefined;
    else if (result.done === true) return;
    else {
      yield result.value;
      next = batches.next();
    }
  }
}

function* stepFrames({steps, gaps}: TraceBatch, after: number, packer: Packer): Generator<Frame> {
  const fresh = steps.filter(({seq}) => seq > after);
  const last = fresh.at(-1);
  if (!last && gaps.length === 0) return;
  const data = packer.pack(asJson({steps: fresh, gaps}));
  yield {event: 'steps', data, ...(last ? {id: String(last.seq)} : {})};
}

async function soon<T>(promise: Promise<T>, ms: number): Promise<T | 'later'> {
  const {promise: late, resolve} = Promise.withResolvers<'later'>();
  const timer = setTimeout(resolve, ms, 'later');
  // A program that shows its actors ends when its own work is done.
  timer.unref();
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const {promise, resolve} = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), {once: true});
  await promise;
}

/** The HTTP interface of the inspector, and a trace as the events that it sends. Everything is the owner's. */

import type {TraceBatch} from '../../actors/inspect/inspection-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {asJson} from '../../machines/domain/json.ts';
import {Packer} from '../../machines/trace/packing.ts';
import type {ModelCall, TraceHead, TraceRow} from '../../machines/trace/step.ts';
import {eventStream, type Frame, type Streaming} from '../serve/event-stream.ts';
import {route, type Route} from '../serve/routes/route.ts';
import type {Chart} from './replies.ts';

/** One trace: of a run, or of a root actor. */
export interface Subject {
  /** Rejects with AppError `not_found` or `journal_corrupt`. */
  readonly head: () => Promise<TraceHead>;
  /** All steps, then new ones, until the run has ended or the signal is aborted. A program's trace ends by the signal only. */
  readonly follow: (signal: AbortSignal) => AsyncGenerator<TraceBatch>;
  readonly calls: () => Promise<readonly ModelCall[]>;
  /** Undefined: it has no such machine. */
  readonly chart: (machine: string) => Promise<Chart | undefined>;
}

export interface Traces {
  /** The newest first. */
  readonly list: () => Promise<readonly TraceRow[]>;
  /** Rejects with AppError `not_found` or `journal_corrupt`. */
  readonly find: (id: string) => Promise<Subject>;
}

// The HTTP interface of the inspector. Everything is the owner's.

const access = 'owner';
const path = '/v1/traces/{id}';

export function inspectorRoutes(traces: Traces, streaming: Streaming): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/traces',
      summary: 'Lists the traces, the newest first.',
      access,
      replies: {200: {text: 'Without their steps.'}},
      answer: async () => Response.json({traces: await traces.list()}),
    }),
    route({
      method: 'get',
      path,
      summary: 'The head of a trace.',
      access,
      replies: {200: {text: 'What it is, and in which state.'}},
      answer: async ({params: {id = ''}}) => Response.json(await (await traces.find(id)).head()),
    }),
    route({
      method: 'get',
      path: `${path}/steps`,
      summary: 'Follows a trace: its steps, packed, and its head whenever that changes.',
      access,
      headers: {'Last-Event-ID': 'Continues after this step.'},
      replies: {200: {text: 'Events: head, steps, ready.', type: 'text/event-stream'}},
      answer: async ({params: {id = ''}, request, bindings}) => {
        const subject = await traces.find(id);
        const last = request.headers.get('last-event-id');
        const after = last !== null && /^\d+$/.test(last) ? Number(last) : -1;
        return eventStream(bindings, (signal) => framesOf(subject, after, signal), streaming);
      },
    }),
    route({
      method: 'get',
      path: `${path}/calls`,
      summary: 'The model calls of a run, with their prompts, packed.',
      access,
      replies: {200: {text: 'In the order of the requests.'}},
      answer: async ({params: {id = ''}}) => {
        const calls = await (await traces.find(id)).calls();
        return Response.json(new Packer().pack({calls: calls.map(asJson)}));
      },
    }),
    route({
      method: 'get',
      path: `${path}/charts/{machine}`,
      summary: 'The chart of a machine of a trace.',
      access,
      replies: {200: {text: 'Its drawing and its states.'}},
      answer: async ({params: {id = '', machine = ''}}) => {
        const chart = await (await traces.find(id)).chart(machine);
        if (!chart) throw new AppError('not_found', `there is no chart of ${machine}`);
        return Response.json(chart);
      },
    }),
  ];
}

// A trace as server-sent events: its head whenever that changes, its steps, and once that all present steps were sent.

/** How often the head of a trace without new steps is looked at. */
const lookMs = 1_000;

/**
 * `after`: the last step that the reader has. The frames continue until the signal is aborted, or the trace can't be read any
 * more, as when its run is erased: the reader connects again, and the reply says why.
 */
async function* framesOf(
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
async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const {promise, resolve} = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), {once: true});
  await promise;
}

/** Where the page gets a trace from: the server that it came from, or the file that it is in. */

import {isJsonObject} from '../../../../../machines/domain/json.ts';
import {type Packed, Unpacker} from '../../../../../machines/trace/packing.ts';
import type {
  Gap,
  ModelCall,
  Step,
  TraceHead,
  TraceRow,
} from '../../../../../machines/trace/step.ts';
import {follow, type StreamEvent} from '../../../../serve/page/browser/sync/follow.ts';
import type {Chart} from '../../../replies.ts';

/** The content of a file. */
export interface Embedded {
  readonly head: TraceHead;
  readonly steps: readonly Step[];
  readonly gaps: readonly Gap[];
  readonly calls: readonly ModelCall[];
  /** By the id of the machine. */
  readonly charts: Readonly<Record<string, Chart>>;
}

interface Listener {
  readonly onHead: (head: TraceHead) => void;
  readonly onSteps: (steps: readonly Step[], gaps: readonly Gap[]) => void;
  /** All steps that there are now have been passed on. Called once. */
  readonly onReady: () => void;
  /** False: the connection is lost, and is tried again. */
  readonly onConnection: (isConnected: boolean) => void;
  /** The trace does not exist, can't be read, or the token is wrong. Nothing follows. */
  readonly onRefused: (error: SourceError) => void;
}

/** Promises reject with `SourceError`. */
export interface Source {
  /** False: a file. There is nothing to follow. */
  readonly isLive: boolean;
  readonly list: () => Promise<readonly TraceRow[]>;
  /** Follows a trace until the returned function is called. */
  readonly follow: (id: string, listener: Listener) => () => void;
  /** The model calls that there are now. */
  readonly calls: (id: string) => Promise<readonly ModelCall[]>;
  /** Undefined: there is no drawing of this machine. */
  readonly chart: (id: string, machine: string) => Promise<Chart | undefined>;
}

export class SourceError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

// Traces from the server that served the page. The token leaves the page only in a header.

type Ask = (path: string, init?: Init) => Promise<Response>;

export function liveSource(token: string): Source {
  const ask = askWith(token);
  const read = async <T>(path: string): Promise<T> => await json<T>(await ask(path));
  return {
    isLive: true,
    list: async () => (await read<{traces: readonly TraceRow[]}>('')).traces,
    follow: (id, listener) =>
      followSteps(async (init) => await ask(`${at(id)}/steps`, init), listener),
    calls: async (id) => callsIn(new Unpacker().unpack(await read<Packed>(`${at(id)}/calls`))),
    chart: async (id, machine) => await chartOrNone(read<Chart>(`${at(id)}/charts${at(machine)}`)),
  };
}

/** Server and page are of the same build, so the members are not checked again. */
function callsIn(value: unknown): readonly ModelCall[] {
  if (isCalls(value)) return value.calls;
  throw new Error('the server sent another kind of calls');
}

function isCalls(value: unknown): value is {readonly calls: readonly ModelCall[]} {
  return isJsonObject(value) && Array.isArray(value['calls']);
}

function at(name: string): string {
  return `/${encodeURIComponent(name)}`;
}

async function chartOrNone(reading: Promise<Chart>): Promise<Chart | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SourceError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function askWith(token: string): Ask {
  return async (path, init = {}) => {
    const headers = {...init.headers, authorization: `Bearer ${token}`};
    const options = {...init, headers, cache: 'no-store', credentials: 'omit'} as const;
    const response = await reached(fetch(`/v1/traces${path}`, options));
    if (response.ok) return response;
    throw await errorOf(response);
  };
}

async function reached(response: Promise<Response>): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SourceError('unreachable', message);
  }
}

async function errorOf(response: Response): Promise<SourceError> {
  const codes: Readonly<Record<number, string>> = {401: 'unauthorized', 404: 'not-found'};
  const known = codes[response.status];
  try {
    const {error} = await json<{error: {code: string; message: string}}>(response);
    return new SourceError(known ?? error.code, error.message);
  } catch {
    return new SourceError(known ?? 'unknown', response.statusText);
  }
}

/** Server and page are of the same build, so the reply is not checked again. */
async function json<T>(response: Response): Promise<T> {
  const data: T = JSON.parse(await response.text());
  return data;
}

// Follows the steps of a trace; after a lost connection, from the last step that arrived.

interface Init extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rejects with `SourceError`. */
type Connect = (init: Init) => Promise<Response>;

interface Progress {
  /** The seq of the last step that arrived. */
  last: number;
  isReady: boolean;
}

/** Errors after which a later attempt may succeed. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'ending', 'too_often', 'busy']);

/** Until the returned function is called, or the server refuses for good. */
export function followSteps(connect: Connect, listener: Listener): () => void {
  const progress: Progress = {last: -1, isReady: false};
  let unpacker = new Unpacker();
  const following = follow({
    connect: async (signal) => {
      unpacker = new Unpacker();
      const headers = progress.last < 0 ? {} : {'last-event-id': String(progress.last)};
      const {body} = await connect({headers, signal});
      if (!body) throw new SourceError('unreachable', 'the server sent no steps');
      return body;
    },
    event: (event) => receive(event, unpacker, listener, progress),
    connected: listener.onConnection,
    isFinal: (error) => error instanceof SourceError && !passing.has(error.code),
    refused: (error) => {
      if (error instanceof SourceError) listener.onRefused(error);
    },
  });
  following.start();
  return following.end;
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

/** Follows the steps of a trace; after a lost connection, from the last step that arrived. */

import {isJsonObject} from '../../../../../machines/domain/json.ts';
import {type Packed, Unpacker} from '../../../../../machines/trace/packing.ts';
import type {Gap, Step, TraceHead} from '../../../../../machines/trace/step.ts';
import type {StreamEvent} from '../../../../serve/page/browser/sync/event-stream.ts';
import {follow} from '../../../../serve/page/browser/sync/follow.ts';
import {type Listener, SourceError} from './source.ts';

export interface Init extends RequestInit {
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

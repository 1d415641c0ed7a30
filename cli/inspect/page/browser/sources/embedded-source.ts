/** A trace in the page itself: a file that needs no server. */

import {isJsonObject} from '../../../../../machines/domain/json.ts';
import {type Packed, Unpacker} from '../../../../../machines/trace/packing.ts';
import {type Embedded, type Source} from './source.ts';

/** Undefined: the page holds no trace, it came from a server. */
export function embeddedSource(): Source | undefined {
  const text = document.getElementById('trace')?.textContent.trim() ?? '';
  if (text === '') return undefined;
  const {head, steps, gaps, calls, charts} = embeddedIn(text);
  return {
    isLive: false,
    list: async () => await Promise.resolve([head]),
    follow: (_, listener) => {
      const line = new AbortController();
      queueMicrotask(() => {
        if (line.signal.aborted) return;
        listener.onHead(head);
        listener.onSteps(steps, gaps);
        listener.onReady();
      });
      return () => line.abort();
    },
    calls: async () => await Promise.resolve(calls),
    chart: async (_, machine) =>
      await Promise.resolve(Object.hasOwn(charts, machine) ? charts[machine] : undefined),
  };
}

/** The file was written with its page, so its members are not checked. */
function embeddedIn(text: string): Embedded {
  const packed: Packed = JSON.parse(text);
  const value: unknown = new Unpacker().unpack(packed);
  if (isEmbedded(value)) return value;
  throw new Error('the file holds no trace');
}

function isEmbedded(value: unknown): value is Embedded {
  return isJsonObject(value) && isJsonObject(value['head']) && Array.isArray(value['steps']);
}

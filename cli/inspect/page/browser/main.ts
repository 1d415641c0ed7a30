/** Shows the trace that the page holds, or those of the server that it came from. */

import {isJsonObject} from '../../../../machines/domain/json.ts';
import {type Packed, Unpacker} from '../../../../machines/trace/packing.ts';
import {language} from './language.ts';
import {parsePlace} from './shell/place.ts';
import {
  createShell,
  reloadForToken,
  showLoading,
  showNoRuns,
  showRefusal,
  takeToken,
} from './shell/shell.ts';
import {type Embedded, liveSource, type Source, SourceError} from './sources/source.ts';

document.documentElement.lang = language;

async function start(): Promise<void> {
  showLoading();
  const source = embeddedSource() ?? liveSource(takeToken());
  const place = parsePlace(location.hash);
  const run = place.run ?? (await newestRun(source));
  createShell(source).open({...place, run});
}

const againMs = 2000;

/** Waits for the first one. */
async function newestRun(source: Source): Promise<string> {
  const [newest] = await source.list();
  if (newest) return newest.id;
  showNoRuns();
  await new Promise((resolve) => setTimeout(resolve, againMs));
  return await newestRun(source);
}

addEventListener('hashchange', reloadForToken);
start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  showRefusal(error instanceof SourceError ? error : new SourceError('unknown', message));
});

// A trace in the page itself: a file that needs no server.

/** Undefined: the page holds no trace, it came from a server. */
function embeddedSource(): Source | undefined {
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

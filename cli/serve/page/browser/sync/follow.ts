/** Follows a submission, and reconnects after every lost connection, from the last message that arrived. */

import {type Api, Refused} from './api.ts';
import {readEvents, type StreamEvent} from './event-stream.ts';

export interface Followed {
  /** Position of the last known message. */
  readonly last: () => number | undefined;
  readonly event: (event: StreamEvent) => void;
  readonly connected: (isConnected: boolean) => void;
  /** The submission no longer exists, or the token is not for it. */
  readonly gone: () => void;
}

export interface Following {
  readonly start: () => void;
  /** Reconnects now instead of after the pause. */
  readonly retry: () => void;
  /** Closes a connection that is dead without having been closed. */
  readonly breakOff: () => void;
  readonly end: () => void;
}

/** The server sends at least a comment every 15 s. */
const silenceMs = 40_000;
const longestPauseMs = 15_000;

export function follow(api: Api, followed: Followed): Following {
  let failures = 0;
  let line = new AbortController();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;

  const end = (): void => {
    isEnded = true;
    clearTimeout(pause);
    line.abort();
  };
  const again = (): void => {
    if (isEnded) return;
    followed.connected(false);
    pause = setTimeout(open, Math.min(500 * 2 ** failures, longestPauseMs));
    failures += 1;
  };
  const failed = (error: unknown): void => {
    if (!(error instanceof Refused && [401, 403, 404].includes(error.status))) return again();
    end();
    return followed.gone();
  };
  const open = (): void => {
    pause = undefined;
    line = new AbortController();
    const connected = (): void => {
      failures = 0;
      followed.connected(true);
    };
    listen(api, {...followed, connected}, line).then(again, failed);
  };
  return {
    start: open,
    retry: () => {
      if (pause === undefined) return;
      clearTimeout(pause);
      open();
    },
    breakOff: () => line.abort(),
    end,
  };
}

interface Listener extends Pick<Followed, 'last' | 'event'> {
  readonly connected: () => void;
}

/** Resolves when the server ends the stream; rejects when the connection is lost or silent for too long. */
async function listen(
  api: Api,
  {last, event: receive, connected}: Listener,
  line: AbortController,
): Promise<void> {
  let silence = setTimeout(() => line.abort(), silenceMs);
  try {
    const body = await api.follow(last(), line.signal);
    connected();
    for await (const event of readEvents(body)) {
      clearTimeout(silence);
      silence = setTimeout(() => line.abort(), silenceMs);
      receive(event);
    }
  } finally {
    clearTimeout(silence);
  }
}

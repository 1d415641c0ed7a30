/** Follows server-sent events, and reconnects after every lost connection. */

export interface Followed {
  /** Connects from the last received event on. Rejects when the server refuses, can't be reached, or the signal is aborted. */
  readonly connect: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  readonly event: (event: StreamEvent) => void;
  readonly connected: (isConnected: boolean) => void;
  /** An error of `connect` that a later attempt would repeat. */
  readonly isFinal: (error: unknown) => boolean;
  /** Called once with such an error. Nothing follows. */
  readonly refused: (error: unknown) => void;
}

export interface Following {
  readonly start: () => void;
  /** Reconnects now instead of after the pause. */
  readonly retry: () => void;
  /** Closes a connection that is dead without having been closed. */
  readonly breakOff: () => void;
  /** Nothing follows. */
  readonly end: () => void;
}

/** The server sends at least a comment every 15 s. */
const silenceMs = 40_000;
const longestPauseMs = 15_000;

export function follow(followed: Followed): Following {
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
    if (isEnded) return;
    if (!followed.isFinal(error)) return again();
    end();
    return followed.refused(error);
  };
  const open = (): void => {
    pause = undefined;
    line = new AbortController();
    const connected = (): void => {
      failures = 0;
      followed.connected(true);
    };
    listen({...followed, connected}, line).then(again, failed);
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

interface Listener extends Pick<Followed, 'connect' | 'event'> {
  readonly connected: () => void;
}

/** Resolves when the server ends the stream; rejects when the connection is lost or silent for too long. */
async function listen(
  {connect, event: receive, connected}: Listener,
  line: AbortController,
): Promise<void> {
  let silence = setTimeout(() => line.abort(), silenceMs);
  try {
    const body = await connect(line.signal);
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

// Server-sent events, read from the body of a reply: an `EventSource` can't send the token.

export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** Ends with the body; rejects with the body's error. A comment becomes an event without a type: the connection is alive. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one piece after the other
    const {done, value} = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, {stream: true})).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    yield* blocks.map(parse);
  }
}

function parse(block: string): StreamEvent {
  const fields = block.split(/\r?\n/).map((line) => /^([a-z]*): ?(.*)$/.exec(line));
  const valuesOf = (name: string): string[] =>
    fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  const data = valuesOf('data');
  const type = valuesOf('event').at(-1) ?? (data.length > 0 ? 'message' : '');
  return {type, data: data.join('\n')};
}

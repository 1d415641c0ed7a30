/** Server-sent events, read from a response as they arrive. */

export interface StreamEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Listening {
  readonly status: number;
  readonly events: AsyncGenerator<StreamEvent>;
  /** Comments received up to now. */
  readonly comments: () => number;
  readonly leave: () => void;
}

export async function listenTo(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const leaving = new AbortController();
  const response = await fetch(url, {
    headers: {authorization: `Bearer ${token}`, ...headers},
    signal: leaving.signal,
  });
  let comments = 0;
  const read = async function* (): AsyncGenerator<StreamEvent> {
    for await (const block of blocksOf(response.body ?? new ReadableStream())) {
      if (block.startsWith(':')) comments += 1;
      else yield parse(block);
    }
  };
  return {
    status: response.status,
    events: read(),
    comments: () => comments,
    leave: () => leaving.abort(),
  };
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of body) {
    rest += decoder.decode(piece, {stream: true});
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
}

function parse(block: string): StreamEvent {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const id = fields.get('id');
  const data: StreamEvent['data'] = JSON.parse(fields.get('data') ?? '{}');
  return {event: fields.get('event') ?? 'message', data, ...(id === undefined ? {} : {id})};
}

/** Returns the events up to the first that matches, which is the last one. Throws Error when the stream ends before it. */
export async function until(
  events: AsyncGenerator<StreamEvent>,
  fits: (event: StreamEvent) => boolean,
): Promise<StreamEvent[]> {
  const received: StreamEvent[] = [];
  for (;;) {
    const next = await events.next();
    if (next.done === true) throw new Error(`the events ended after ${JSON.stringify(received)}`);
    received.push(next.value);
    if (fits(next.value)) return received;
  }
}

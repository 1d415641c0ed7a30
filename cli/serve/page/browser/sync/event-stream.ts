/** Server-sent events, read from the body of a reply: an `EventSource` can't send the token. */

export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** Ends with the body; rejects with the body's error. A comment becomes an event without a type: the connection is alive. */
export async function* readEvents(
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

/** An OpenAI-compatible server on loopback whose replies a test decides, request by request. */

import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';

import {z} from 'zod';

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({role: z.string(), content: z.unknown()})),
  tools: z
    .array(
      z.object({
        function: z.object({
          name: z.string(),
          description: z.string(),
          parameters: z.record(z.string(), z.unknown()),
        }),
      }),
    )
    .default([]),
});

export interface ReceivedRequest {
  readonly model: string;
  /** All texts of the conversation. */
  readonly text: string;
  readonly tools: readonly string[];
  readonly definitions: readonly ReceivedDefinition[];
  /** Assistant messages so far. */
  readonly turn: number;
}

/** As sent: no other member. */
export interface ReceivedDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type Said =
  | {readonly text: string}
  | {readonly calls: readonly {readonly name: string; readonly args: unknown}[]}
  /** An error of the provider, such as 429 for a rate limit. */
  | {readonly status: number}
  /** Sends nothing; the connection stays open. */
  | 'hang';

export interface MockOpenAi {
  readonly baseUrl: string;
  readonly received: readonly ReceivedRequest[];
  /** Resolves when a hanging request's connection was closed by the client. */
  readonly hangUp: Promise<ReceivedRequest>;
  readonly close: () => Promise<void>;
}

export async function startMockOpenAi(
  answer: (received: ReceivedRequest) => Said | Promise<Said>,
): Promise<MockOpenAi> {
  const received: ReceivedRequest[] = [];
  const hungUp = Promise.withResolvers<ReceivedRequest>();
  const listen = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const each = await readReceived(request);
    received.push(each);
    const said = await answer(each);
    if (said === 'hang') response.once('close', () => hungUp.resolve(each));
    else if ('status' in said) fail(response, said.status);
    else say(response, said);
  };
  const server = createServer((request, response) => {
    void listen(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('the mock server has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    received,
    hangUp: hungUp.promise,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readReceived(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(Buffer.from(part));
  return receivedIn(JSON.parse(Buffer.concat(chunks).toString()));
}

/** A request by its body. */
export function receivedIn(body: unknown): ReceivedRequest {
  const {model, messages, tools} = requestSchema.parse(body);
  return {
    model,
    text: messages
      .map(({content}) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n'),
    tools: tools.map((tool) => tool.function.name),
    definitions: tools.map((tool) => tool.function),
    turn: messages.filter(({role}) => role === 'assistant').length,
  };
}

function fail(response: ServerResponse, status: number): void {
  response.writeHead(status, {'content-type': 'application/json'});
  response.end(JSON.stringify({error: {message: 'not now', type: 'error', code: null}}));
}

function say(
  response: ServerResponse,
  said: Exclude<Said, 'hang' | {readonly status: number}>,
): void {
  const delta =
    'text' in said
      ? {role: 'assistant', content: said.text}
      : {
          role: 'assistant',
          tool_calls: said.calls.map(({name, args}, index) => ({
            index,
            id: `call_${index}`,
            type: 'function',
            function: {name, arguments: JSON.stringify(args)},
          })),
        };
  response.writeHead(200, {'content-type': 'text/event-stream'});
  response.write(chunk({delta, finish_reason: null}));
  response.write(
    chunk(
      {delta: {}, finish_reason: 'text' in said ? 'stop' : 'tool_calls'},
      {usage: {prompt_tokens: 10, completion_tokens: 5, total_tokens: 15}},
    ),
  );
  response.end('data: [DONE]\n\n');
}

function chunk(choice: object, rest: object = {}): string {
  const choices = [{index: 0, ...choice}];
  const frame = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices,
    ...rest,
  };
  return `data: ${JSON.stringify(frame)}\n\n`;
}

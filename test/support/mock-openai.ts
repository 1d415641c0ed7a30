/** An OpenAI-compatible server on loopback whose replies a test decides, request by request. */

import {z} from 'zod';

import {type Play, replies, startFaultServer, streams} from './fault-server.ts';

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
  /** The bodies of all requests. */
  readonly bodies: () => readonly unknown[];
  /** Resolves when a hanging request's connection was closed by the client. */
  readonly hangUp: Promise<ReceivedRequest>;
  readonly close: () => Promise<void>;
}

export async function startMockOpenAi(
  answer: (received: ReceivedRequest) => Said | Promise<Said>,
): Promise<MockOpenAi> {
  const received: ReceivedRequest[] = [];
  const hungUp = Promise.withResolvers<ReceivedRequest>();
  const server = await startFaultServer(async (response, request) => {
    const each = receivedIn(JSON.parse(request.body));
    received.push(each);
    const said = await answer(each);
    if (said === 'hang') response.once('close', () => hungUp.resolve(each));
    else await playOf(said)(response, request);
  });
  return {
    baseUrl: `${server.url}/v1`,
    received,
    bodies: () => server.received.map(({body}) => JSON.parse(body)),
    hangUp: hungUp.promise,
    close: server.stop,
  };
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

function playOf(said: Exclude<Said, 'hang'>): Play {
  if ('status' in said) {
    return replies(said.status, {error: {message: 'not now', type: 'error', code: null}});
  }
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
  const usage = {prompt_tokens: 10, completion_tokens: 5, total_tokens: 15};
  const end = {delta: {}, finish_reason: 'text' in said ? 'stop' : 'tool_calls'};
  return streams(`${chunk({delta, finish_reason: null})}${chunk(end, {usage})}data: [DONE]\n\n`);
}

function chunk(choice: object, rest: object = {}): string {
  const choices = [{index: 0, ...choice}];
  const frame = {id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices};
  return `data: ${JSON.stringify({...frame, ...rest})}\n\n`;
}

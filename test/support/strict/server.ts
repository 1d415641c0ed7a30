/**
 * Model servers that are as strict as their providers: they return opaque state with their replies, and reject (400, in the
 * provider's words) a request in which it does not come back as it was, that has an unknown member, or a call without its result.
 */

import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';

export type Data = Readonly<Record<string, unknown>>;

export interface StrictCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** A reply of a server, and the opaque state that it expects back: that of the message, or the whole content in its order. */
export interface Issued {
  readonly text: string;
  readonly calls: readonly StrictCall[];
  readonly seal: string;
}

export interface Asked {
  readonly tools: readonly string[];
  /** Replies with calls up to now. */
  readonly turn: number;
  readonly body: string;
}

export type Said =
  | {readonly text: string}
  | {
      readonly text?: string;
      readonly calls: readonly {readonly name: string; readonly args: object}[];
    }
  /** Sends nothing; the connection stays open. */
  | 'hang';

export interface Dialect {
  readonly name: string;
  readonly api: 'chat' | 'messages' | 'responses';
  /** The problem with a request; undefined for a valid one. `issued`: by the id of the first call. */
  readonly refuse: (body: Data, issued: ReadonlyMap<string, Issued>) => string | undefined;
  readonly stream: (reply: Issued) => string;
  readonly error?: (message: string) => object;
}

export interface StrictServer {
  readonly url: string;
  /** Bodies of accepted requests. */
  readonly bodies: readonly string[];
  readonly refusals: readonly string[];
  /** The replies up to now are those of another model: their state is not expected, and not accepted. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** Marks all opaque state, so that a test finds it where it must not be. */
export const sealMark = 'sealed-';

export async function startStrict(
  dialect: Dialect,
  answer: (asked: Asked) => Said,
): Promise<StrictServer> {
  const issued = new Map<string, Issued>();
  const bodies: string[] = [];
  const refusals: string[] = [];
  let count = 0;
  const reply = (said: Exclude<Said, 'hang'>): Issued => {
    count += 1;
    const calls = 'calls' in said ? said.calls : [];
    const made: Issued = {
      text: said.text ?? '',
      seal: `${sealMark}${count}`,
      calls: calls.map(({name, args}, index) => ({
        id: `call_${count}_${index}`,
        name,
        args: JSON.stringify(args),
      })),
    };
    if (made.calls[0]) issued.set(made.calls[0].id, made);
    return made;
  };
  const listen = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const part of request) chunks.push(Buffer.from(part));
    const text = Buffer.concat(chunks).toString();
    const body = record(JSON.parse(text));
    const problem = dialect.refuse(body, issued);
    if (problem !== undefined) {
      refusals.push(problem);
      response.writeHead(400, {'content-type': 'application/json'});
      response.end(JSON.stringify((dialect.error ?? openAiError)(problem)));
      return;
    }
    bodies.push(text);
    const said = answer({tools: toolNames(body), turn: turnsIn(text), body: text});
    if (said === 'hang') return;
    response.writeHead(200, {'content-type': 'text/event-stream'});
    response.end(dialect.stream(reply(said)));
  };
  const server = createServer((request, response) => void listen(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    bodies,
    refusals,
    forget: () => issued.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function openAiError(message: string): object {
  return {error: {message, type: 'invalid_request_error', param: null, code: null}};
}

export function record(value: unknown): Data {
  return typeof value === 'object' && value !== null ? {...value} : {};
}

export function list(value: unknown): readonly Data[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function toolNames({tools}: Data): string[] {
  return list(tools).map((tool) => String(tool['name'] ?? record(tool['function'])['name']));
}

function turnsIn(text: string): number {
  return new Set(text.match(/"call_\d+_0"/g)).size;
}

export function unknownMember(value: Data, known: string): string | undefined {
  return Object.keys(value).find((name) => !known.split(' ').includes(name));
}

/** The first problem. */
export function firstOf(...problems: readonly (string | undefined | false)[]): string | undefined {
  return problems.find((problem): problem is string => typeof problem === 'string');
}

export function sse(...events: readonly object[]): string {
  return events
    .map((event) => {
      const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
}

/** A text member; empty without one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** In pieces of three characters. */
export function pieces(text: string): readonly string[] {
  return text.match(/[^]{1,3}/g) ?? [];
}

/**
 * Model servers that are as strict as their providers: they return opaque state with their replies, and reject (400, in the
 * provider's words) a request in which it does not come back as it was, that has an unknown member, or a call without its result.
 */

import {onTestFinished} from 'vitest';

import {replies, startFaultServer, streams} from '../../../support/fault-server.ts';

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
  const server = await startFaultServer((response, received) => {
    const text = received.body;
    const body = record(JSON.parse(text));
    const problem = dialect.refuse(body, issued);
    if (problem !== undefined) {
      refusals.push(problem);
      return replies(400, (dialect.error ?? openAiError)(problem))(response, received);
    }
    bodies.push(text);
    const said = answer({tools: toolNames(body), turn: turnsIn(text), body: text});
    return said === 'hang' ? undefined : streams(dialect.stream(reply(said)))(response, received);
  });
  onTestFinished(server.stop);
  return {url: server.url, bodies, refusals, forget: () => issued.clear()};
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

/** A route as data: one table registers it, checks what it is sent, and documents it. */

import type {HttpBindings} from '@hono/node-server';
import type {ZodType} from 'zod';

import type {Identity} from '../identity.ts';
import {readBody} from './body.ts';

export interface Reply {
  readonly text: string;
  /** Absent: no body. */
  readonly schema?: ZodType;
  /** Absent: JSON. */
  readonly type?: 'text/event-stream' | 'application/x-ndjson' | 'text/html';
}

/** Who may ask: anyone; whoever has the token of the submission `{id}`, and the owner; the owner. */
export type Access = 'anyone' | 'respondent' | 'owner';

/** One request, admitted. */
export interface Call {
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly identity: Identity | undefined;
  readonly bindings: HttpBindings;
}

interface Described {
  readonly method: 'get' | 'post' | 'delete';
  /** `/v1/submissions/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly detail?: string;
  readonly access: Access;
  /** By the parameters' names, what they are. */
  readonly query?: Readonly<Record<string, string>>;
  /** Headers that are heard. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly replies: Readonly<Record<number, Reply>>;
  /** Further statuses that errors have. 400, 401, 403, 404, 413 and 429 follow from the rest. */
  readonly errors?: Readonly<Record<number, string>>;
}

export interface Route extends Described {
  readonly body: ZodType | undefined;
  readonly answer: (call: Call) => Promise<Response>;
}

/** Bytes of a body at most. */
const maxBytes: Readonly<Record<Access, number>> = {
  anyone: 65_536,
  respondent: 65_536,
  owner: 1_048_576,
};

export function route(
  described: Described & {readonly answer: (call: Call) => Promise<Response>},
): Route {
  return {...described, body: undefined};
}

export function routeWithBody<Body>(
  described: Described & {
    readonly body: ZodType<Body>;
    readonly answer: (call: Call, body: Body) => Promise<Response>;
  },
): Route {
  const {body, answer, access} = described;
  return {
    ...described,
    answer: async (call) => {
      const read = await readBody(call.request, body, maxBytes[access]);
      return read.ok ? await answer(call, read.value) : read.reply;
    },
  };
}

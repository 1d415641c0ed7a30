/** A route as data: one table registers it, validates its requests, and documents it. */

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

/** Who has access: everyone; the holder of the token of submission `{id}` and the owner; the owner. */
export type Access = 'anyone' | 'respondent' | 'owner';

/** One admitted request. */
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
  /** Descriptions of the parameters, by name. */
  readonly query?: Readonly<Record<string, string>>;
  /** Descriptions of the request headers that are read, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly replies: Readonly<Record<number, Reply>>;
  /** Further error statuses. 400, 401, 403, 404, 413 and 429 follow from the other members. */
  readonly errors?: Readonly<Record<number, string>>;
}

export interface Route extends Described {
  readonly body: ZodType | undefined;
  readonly answer: (call: Call) => Promise<Response>;
}

/** Maximum bytes of a body. */
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

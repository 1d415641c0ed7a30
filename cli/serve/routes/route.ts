/** A route as data: one table registers it, validates its requests with their bodies, and documents it; and the replies that refuse. */

import type {HttpBindings} from '@hono/node-server';
import type {ZodType} from 'zod';

import {AppError, type AppErrorCode} from '../../../machines/domain/app-error.ts';
import {problemsIn} from '../../../machines/questions/reading.ts';
import type {Identity} from '../guard.ts';

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
interface Call {
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
const bodyLimits: Readonly<Record<Access, number>> = {
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
      const read = await readBody(call.request, body, bodyLimits[access]);
      return read.ok ? await answer(call, read.value) : read.reply;
    },
  };
}

// Reads the body of a request: limits its size, parses JSON, and checks it against the route's schema.

type Read<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly reply: Response};

/** An empty body is read as `{}`. */
async function readBody<T>(
  request: Request,
  schema: ZodType<T>,
  maxBytes: number,
): Promise<Read<T>> {
  const text = await readText(request, maxBytes);
  if (!text.ok) return text;
  if (text.value !== '' && !isJson(request))
    return malformed('send the body as JSON, with Content-Type: application/json');
  const parsed = parse(text.value === '' ? '{}' : text.value);
  if (!parsed.ok) return parsed;
  return checked(schema, parsed.value);
}

/** A problem names the member: `text: too long`. */
export function checked<T>(schema: ZodType<T>, given: unknown): Read<T> {
  const result = schema.safeParse(given);
  if (result.success) return {ok: true, value: result.data};
  return malformed(problemsIn(result.error).map(withoutPrefix).join('; '));
}

/** Removes the prefix of the schema library. */
function withoutPrefix(problem: string): string {
  return problem
    .replace(/(?<=^|: )Invalid (?:input|option|discriminator value)[:.] */, '')
    .replace(/(?<=^|: )[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

function malformed(message: string): Read<never> {
  return {ok: false, reply: refusal(400, 'malformed', message)};
}

function isJson(request: Request): boolean {
  return /^application\/json\b/i.test(request.headers.get('content-type') ?? '');
}

function parse(text: string): Read<unknown> {
  try {
    return {ok: true, value: JSON.parse(text)};
  } catch {
    return malformed('the body is not JSON');
  }
}

/** Never holds more than the limit, independent of the request's stated length. */
async function readText(request: Request, maxBytes: number): Promise<Read<string>> {
  const tooLarge = (): Read<never> => ({
    ok: false,
    reply: refusal(413, 'too_large', `the body is larger than ${maxBytes} bytes`),
  });
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return tooLarge();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) return tooLarge();
    parts.push(part);
  }
  try {
    return {ok: true, value: new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(parts))};
  } catch {
    return malformed('the body is not UTF-8');
  }
}

// Error replies.

interface RefusalDetail {
  /** Seconds. */
  readonly retryAfter?: number;
  /** Required fields without an answer, which prevent the action. */
  readonly open?: readonly string[];
}

/** `{error: {code, message}}`, the shape of every error. */
export function refusal(
  status: number,
  code: string,
  message: string,
  {retryAfter, open}: RefusalDetail = {},
): Response {
  const headers = {
    ...(status === 401 ? {'www-authenticate': 'Bearer'} : {}),
    ...(retryAfter === undefined ? {} : {'retry-after': String(retryAfter)}),
  };
  const error = {code, message, ...(open ? {open} : {})};
  return Response.json({error}, {status, headers});
}

const statuses: Partial<Record<AppErrorCode, number>> = {
  usage: 400,
  not_found: 404,
  busy: 409,
  nothing_waiting: 409,
  maxDepthExceeded: 409,
  parentSettled: 409,
  parentNotFound: 404,
  formNotSpawnable: 400,
};

/** An expected failure as a reply; undefined for a bug. Only the owner gets the message of a server failure. */
export function refusalOf(error: unknown, isOwner: boolean): Response | undefined {
  if (!(error instanceof AppError)) return undefined;
  const status = statuses[error.code];
  if (status === undefined)
    return refusal(503, error.code, isOwner ? error.message : 'the server cannot do this now');
  const later = status === 409 && error.code === 'busy' ? {retryAfter: 1} : {};
  return refusal(status, error.code, error.message, later);
}

/** The server's HTTP interface, for one submission. */

import type {Begun, Message, Outgoing, Submission, SubmissionState} from './wire.ts';

/** The server refused a request. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds, if the server gives them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export interface SentReply {
  readonly state: SubmissionState;
  readonly messages: readonly Message[];
}

/** Each rejects with `Refused` when the server refuses, and with the error of `fetch` when it can't be reached. */
export interface Api {
  readonly read: () => Promise<Submission>;
  /** Sends a message; repeated requests with the same key have one effect. */
  readonly say: (message: Outgoing, key: string) => Promise<SentReply>;
  readonly confirm: () => Promise<void>;
  readonly answers: () => Promise<Blob>;
  readonly erase: () => Promise<'erased'>;
  /** Server-sent events; from the beginning, or after a position. */
  readonly follow: (
    after: number | undefined,
    signal: AbortSignal,
  ) => Promise<ReadableStream<Uint8Array>>;
}

interface Init extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the browser's language and time zone, so that neither is asked about. */
export async function begin(form: string): Promise<Begun> {
  const {timeZone} = Intl.DateTimeFormat().resolvedOptions();
  const response = await ask(`/v1/forms/${encodeURIComponent(form)}/submissions`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({device: {locale: navigator.language, timezone: timeZone}}),
  });
  return await json<Begun>(response);
}

export function createApi({id, token}: Begun): Api {
  const base = `/v1/submissions/${encodeURIComponent(id)}`;
  const authorization = `Bearer ${token}`;
  const send = async (path: string, init: Init = {}): Promise<Response> =>
    await ask(base + path, {...init, headers: {...init.headers, authorization}});
  return {
    read: async () => await json<Submission>(await send('')),
    say: async (message, key) =>
      await json<SentReply>(
        await send('/messages', {
          method: 'POST',
          headers: {'content-type': 'application/json', 'idempotency-key': key},
          body: JSON.stringify(message),
        }),
      ),
    confirm: async () => {
      await send('/confirm', {method: 'POST'});
    },
    answers: async () => await (await send('/export')).blob(),
    erase: async () => {
      await send('', {method: 'DELETE'});
      return 'erased';
    },
    follow: async (after, signal) => {
      const headers = after === undefined ? {} : {'last-event-id': String(after)};
      const {body} = await send('/events', {headers, signal});
      if (!body) throw new Error('the server sent no events');
      return body;
    },
  };
}

/** The server answers a message within a minute. */
const patienceMs = 90_000;

async function ask(path: string, init: Init): Promise<Response> {
  const signal = init.signal ?? AbortSignal.timeout(patienceMs);
  const response = await fetch(path, {...init, signal, cache: 'no-store', credentials: 'omit'});
  if (response.ok) return response;
  const {code, message} = await errorOf(response);
  const seconds = Number(response.headers.get('retry-after') ?? 'none');
  throw new Refused(response.status, code, message, Number.isFinite(seconds) ? seconds : undefined);
}

async function errorOf(response: Response): Promise<{code: string; message: string}> {
  try {
    return (await json<{error: {code: string; message: string}}>(response)).error;
  } catch {
    return {code: 'unknown', message: response.statusText};
  }
}

/** Server and page are of the same build, so the reply is not checked again. */
async function json<T>(response: Response): Promise<T> {
  const data: T = await response.json();
  return data;
}

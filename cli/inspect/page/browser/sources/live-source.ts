/** Traces from the server that served the page. The token leaves the page only in a header. */

import {isJsonObject} from '../../../../../machines/domain/json.ts';
import {type Packed, Unpacker} from '../../../../../machines/trace/packing.ts';
import type {ModelCall, TraceRow} from '../../../../../machines/trace/step.ts';
import type {Chart} from '../../../replies.ts';
import {followSteps, type Init} from './following.ts';
import {type Source, SourceError} from './source.ts';

type Ask = (path: string, init?: Init) => Promise<Response>;

export function liveSource(token: string): Source {
  const ask = askWith(token);
  const read = async <T>(path: string): Promise<T> => await json<T>(await ask(path));
  return {
    isLive: true,
    list: async () => (await read<{traces: readonly TraceRow[]}>('')).traces,
    follow: (id, listener) =>
      followSteps(async (init) => await ask(`${at(id)}/steps`, init), listener),
    calls: async (id) => callsIn(new Unpacker().unpack(await read<Packed>(`${at(id)}/calls`))),
    chart: async (id, machine) => await chartOrNone(read<Chart>(`${at(id)}/charts${at(machine)}`)),
  };
}

/** Server and page are of the same build, so the members are not checked again. */
function callsIn(value: unknown): readonly ModelCall[] {
  if (isCalls(value)) return value.calls;
  throw new Error('the server sent another kind of calls');
}

function isCalls(value: unknown): value is {readonly calls: readonly ModelCall[]} {
  return isJsonObject(value) && Array.isArray(value['calls']);
}

function at(name: string): string {
  return `/${encodeURIComponent(name)}`;
}

async function chartOrNone(reading: Promise<Chart>): Promise<Chart | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SourceError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function askWith(token: string): Ask {
  return async (path, init = {}) => {
    const headers = {...init.headers, authorization: `Bearer ${token}`};
    const options = {...init, headers, cache: 'no-store', credentials: 'omit'} as const;
    const response = await reached(fetch(`/v1/traces${path}`, options));
    if (response.ok) return response;
    throw await errorOf(response);
  };
}

async function reached(response: Promise<Response>): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SourceError('unreachable', message);
  }
}

async function errorOf(response: Response): Promise<SourceError> {
  const codes: Readonly<Record<number, string>> = {401: 'unauthorized', 404: 'not-found'};
  const known = codes[response.status];
  try {
    const {error} = await json<{error: {code: string; message: string}}>(response);
    return new SourceError(known ?? error.code, error.message);
  } catch {
    return new SourceError(known ?? 'unknown', response.statusText);
  }
}

/** Server and page are of the same build, so the reply is not checked again. */
async function json<T>(response: Response): Promise<T> {
  const data: T = await response.json();
  return data;
}

/** Fetches one page of the web as text, or returns the reason why it can't be fetched. */

import {type Attempt, type Denial, errorCode, failed} from '../containment/denial.ts';
import {follow} from './follow.ts';
import {type Page, readPage} from './page.ts';
import {type Access, parseTarget} from './target.ts';

export interface FetchOptions {
  readonly access: Access;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Rejects on abort. */
export async function fetchPage(
  text: string,
  {access, maxBytes, signal}: FetchOptions,
): Promise<Attempt<Page>> {
  const start = parseTarget(text);
  if (!start.ok) return start;
  const {href, host} = start.value;
  try {
    const answer = await follow(start.value, access, signal);
    if (!answer.ok) return answer;
    const page = await readPage(answer.value, maxBytes, signal);
    signal.throwIfAborted();
    if (!page.ok || page.value.url === href) return page;
    const notes = [`redirected from ${href}`, ...page.value.notes];
    return {ok: true, value: {...page.value, notes}};
  } catch (error) {
    const code = errorCode(error);
    if (signal.aborted || code === undefined) throw error;
    return {ok: false, denial: networkFailure(host, code)};
  }
}

const passing = /^(ECONNRESET|ECONNREFUSED|ETIMEDOUT|EPIPE|ENETUNREACH|EHOSTUNREACH|ERR_STREAM_)/;

function networkFailure(host: string, code: string): Denial {
  const denial = failed('network', `url: ${host} could not be read: ${code}`);
  return {...denial, kind: 'failed', retryable: passing.test(code)};
}

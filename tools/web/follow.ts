/** Sends GET requests and follows redirects: every hop is checked, and connects to the addresses that were checked. */

import type {LookupAddress} from 'node:dns';
import {type IncomingMessage, request as requestPlain} from 'node:http';
import {request as requestSecure} from 'node:https';
import type {LookupFunction} from 'node:net';

import {type Attempt, failed} from '../containment/denial.ts';
import {unlessAborted} from '../unless-aborted.ts';
import {type Access, addressesOf, parseTarget} from './target.ts';

const maxRedirects = 5;

export interface Answer {
  readonly url: URL;
  /** Its body is not read yet. */
  readonly response: IncomingMessage;
}

/** Rejects on abort and when the network fails. */
export async function follow(
  url: URL,
  access: Access,
  signal: AbortSignal,
  redirectsLeft = maxRedirects,
): Promise<Attempt<Answer>> {
  const addresses = await unlessAborted(addressesOf(url, access), signal);
  if (!addresses.ok) return addresses;
  const response = await get(url, addresses.value, signal);
  const location = locationOf(response);
  if (location === undefined) return {ok: true, value: {url, response}};
  response.destroy();
  const next = parseTarget(location, url);
  if (!next.ok) return next;
  if (redirectsLeft > 0) return follow(next.value, access, signal, redirectsLeft - 1);
  const denial = failed('redirects', `url: leads to more than ${maxRedirects} redirects`);
  return {ok: false, denial};
}

function locationOf({statusCode, headers}: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode ?? 0) ? headers.location : undefined;
}

/** It has an agent of its own, so that no proxy of the environment can redirect the connection. */
function get(
  url: URL,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  const headers = {
    accept: 'text/html, application/xhtml+xml, text/markdown, text/plain, application/json',
    'accept-encoding': 'gzip, br',
    'user-agent': 'quorate',
  };
  request(url, {agent: false, headers, lookup: pinnedTo(addresses), signal})
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}

/** Names are resolved once, for the check: a second lookup could return another address. */
function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, {all}, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

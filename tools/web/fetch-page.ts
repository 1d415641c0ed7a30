/** Fetches one page of the web as text, or returns the reason why it can't be fetched. */

import type {LookupAddress} from 'node:dns';
import {type IncomingMessage, request as requestPlain} from 'node:http';
import {request as requestSecure} from 'node:https';
import {isIP, type LookupFunction} from 'node:net';

import {type Attempt, type Denial, errorCode, failed, refused} from '../containment/denial.ts';
import {unlessAborted} from '../unless-aborted.ts';
import {type Page, readPage} from './page.ts';

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

// Sends GET requests and follows redirects: every hop is checked, and connects to the addresses that were checked.

const maxRedirects = 5;

export interface Answer {
  readonly url: URL;
  /** Its body is not read yet. */
  readonly response: IncomingMessage;
}

/** Rejects on abort and when the network fails. */
async function follow(
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

// Checks the target of a request: the form of the URL, then the addresses of its host.

interface Access {
  /** Resolves with all addresses of a host's name. Rejects as `dns.lookup` does. */
  readonly resolveHost: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
}

/** Refused when it is not an http(s) URL, or contains a name or password. `base`: the base of a relative URL. */
function parseTarget(text: string, base?: URL): Attempt<URL> {
  const url = URL.parse(text, base?.href);
  if (!url) return deny('url_invalid', 'url: is not an absolute URL such as https://example.com/');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return deny('ssrf', `url: ${url.protocol.slice(0, 40)} is not fetched, only http: and https:`);
  }
  if (url.username !== '' || url.password !== '') {
    return deny('url_credentials', 'url: contains a name or password; leave them out');
  }
  url.hash = '';
  return {ok: true, value: url};
}

/** The addresses to connect to, all of them allowed: a single forbidden one denies the host. */
async function addressesOf(
  {hostname}: URL,
  {resolveHost, isAllowed}: Access,
): Promise<Attempt<readonly LookupAddress[]>> {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const family = isIP(host);
  try {
    const found = family === 0 ? await resolveHost(host) : [{address: host, family}];
    const closed = found.find(({address}) => !isAllowed(address));
    if (!closed && found.length > 0) return {ok: true, value: found};
    const why = closed ? `(${closed.address}) is not on the public internet` : 'has no address';
    return deny('ssrf', `url: ${host} ${why}; only public addresses are fetched`);
  } catch (error) {
    return {ok: false, denial: unresolved(host, error)};
  }
}

function deny(code: string, message: string): Attempt<never> {
  return {ok: false, denial: refused(code, message)};
}

function unresolved(host: string, error: unknown): Denial {
  const code = errorCode(error);
  if (code === undefined) throw error;
  if (code === 'ENOTFOUND') return failed('dns', `url: there is no host ${host}`);
  const denial = failed('dns', `url: the host ${host} could not be looked up: ${code}`);
  return {...denial, kind: 'failed', retryable: true};
}

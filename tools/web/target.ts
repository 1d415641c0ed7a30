/** Checks the target of a request: the form of the URL, then the addresses of its host. */

import type {LookupAddress} from 'node:dns';
import {isIP} from 'node:net';

import {type Attempt, type Denial, errorCode, failed, refused} from '../containment/denial.ts';

export interface Access {
  /** Resolves with all addresses of a host's name. Rejects as `dns.lookup` does. */
  readonly resolveHost: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
}

/** Refused when it is not an http(s) URL, or contains a name or password. `base`: the base of a relative URL. */
export function parseTarget(text: string, base?: URL): Attempt<URL> {
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
export async function addressesOf(
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

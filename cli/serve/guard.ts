/** Security headers of every reply, and the checks that refuse requests for other hosts or from other sites. */

import {refusal} from './routes/reply.ts';

const headers: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
};

/** Headers of the reply itself stay. */
export function secure(reply: Response): void {
  for (const [name, value] of Object.entries(headers))
    if (!reply.headers.has(name)) reply.headers.set(name, value);
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback(host: string): boolean {
  return loopback.has(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Refuses a page of another site that uses a name resolving to this machine (DNS rebinding), and requests of other sites that
 * change something. Undefined: the request is allowed.
 */
export function foreignness(request: Request, boundTo: string): Response | undefined {
  if (isLoopback(boundTo) && !isForLoopback(request, boundTo))
    return refusal(
      403,
      'forbidden',
      'this server answers only requests to localhost or a loopback address',
    );
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  if (changes && isOfOtherSite(request))
    return refusal(
      403,
      'forbidden',
      'requests of other sites are refused (a proxy must forward the Host header)',
    );
  return undefined;
}

/** Uses both headers: browsers omit `sec-fetch-site` on plain http under a name other than localhost. */
function isOfOtherSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site') ?? 'none';
  if (site !== 'none' && site !== 'same-origin') return true;
  const origin = request.headers.get('origin');
  return origin !== null && !isOwn(origin, request.headers);
}

/** Compares only the host: a proxy may use https with browsers. A page can't set the headers of the proxy. */
function isOwn(origin: string, sentHeaders: Headers): boolean {
  const host = URL.parse(origin)?.host ?? '';
  const own = [sentHeaders.get('host'), sentHeaders.get('x-forwarded-host')];
  return host !== '' && own.some((name) => name?.toLowerCase() === host);
}

function isForLoopback(request: Request, boundTo: string): boolean {
  const name = (request.headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();
  return isLoopback(name) || name === boundTo;
}

/** What every reply says to browsers, and which requests are none of this server's. */

import {refusal} from './reply.ts';

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

/** What a reply says itself stays. */
export function secure(reply: Response): void {
  for (const [name, value] of Object.entries(headers))
    if (!reply.headers.has(name)) reply.headers.set(name, value);
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback(host: string): boolean {
  return loopback.has(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * A page of another site must not speak with a server on this machine under a name that leads here (DNS rebinding), nor
 * have a browser send what changes something. Undefined: nothing is wrong.
 */
export function foreignness(request: Request, boundTo: string): Response | undefined {
  if (isLoopback(boundTo) && !isForLoopback(request, boundTo))
    return refusal(403, 'forbidden', 'this server answers only under the name of this machine');
  const site = request.headers.get('sec-fetch-site') ?? 'none';
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  if (changes && site !== 'none' && site !== 'same-origin')
    return refusal(403, 'forbidden', 'pages of other sites may not change anything here');
  return undefined;
}

function isForLoopback(request: Request, boundTo: string): boolean {
  const name = (request.headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();
  return isLoopback(name) || name === boundTo;
}

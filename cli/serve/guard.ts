/** Who may do what: the security headers of every reply, the refusal of other hosts and origins, the tokens of clients, and how often a client may act. */

import {hashToken, isSameHash} from '../../actors/journal/node-crypto.ts';
import type {SubmissionRecords} from '../../actors/journal/submissions.ts';
import {type Access, refusal} from './routes/route.ts';

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

// Identifies a client by its bearer token, and decides on access.

export type Identity =
  | {readonly kind: 'owner'}
  | {readonly kind: 'respondent'; readonly submission: string};

/** Undefined for a request without a token, and for an unknown token. */
export type Identify = (request: Request) => Promise<Identity | undefined>;

export function createIdentify(
  ownerToken: string,
  records: Pick<SubmissionRecords, 'findByToken'>,
): Identify {
  const ownerHash = hashToken(ownerToken);
  return async (request) => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (token === undefined) return undefined;
    const given = hashToken(token);
    if (isSameHash(given, ownerHash)) return {kind: 'owner'};
    const record = await records.findByToken(given);
    if (!record || !isSameHash(record.tokenHash, given)) return undefined;
    return {kind: 'respondent', submission: record.id};
  };
}

/** `submission`: the requested one. Undefined: access is allowed. */
export function denialOf(
  identity: Identity | undefined,
  access: Access,
  submission: string | undefined,
): Response | undefined {
  if (access === 'anyone' || identity?.kind === 'owner') return undefined;
  if (!identity) return refusal(401, 'unauthorized', 'send a token: Authorization: Bearer TOKEN');
  if (access === 'respondent' && identity.submission === submission) return undefined;
  return refusal(403, 'forbidden', 'this token does not give access here');
}

// Limits how often a client may act: a token bucket that fills up with time.

export interface Rate {
  /** Turns a second in the long run. */
  readonly perSecond: number;
  /** Turns at once. */
  readonly burst: number;
}

/** Takes a turn of the named client. Undefined: allowed; else the seconds until the next turn, at least 1. */
export type Rates = (name: string) => number | undefined;

interface Bucket {
  turns: number;
  /** Epoch ms of `left`. */
  at: number;
}

/** With this many buckets, full ones are removed: they need not be remembered. */
const manyBuckets = 10_000;

export function createRates({perSecond, burst}: Rate, now: () => number = Date.now): Rates {
  const buckets = new Map<string, Bucket>();
  const turnsOf = ({turns, at}: Bucket): number =>
    Math.min(burst, turns + ((now() - at) / 1_000) * perSecond);
  const forgetFull = (): void => {
    for (const [name, bucket] of buckets) if (turnsOf(bucket) >= burst) buckets.delete(name);
  };
  return (name) => {
    const bucket = buckets.get(name) ?? {turns: burst, at: now()};
    const turns = turnsOf(bucket);
    if (turns < 1) return Math.max(1, Math.ceil((1 - turns) / perSecond));
    if (buckets.size >= manyBuckets && !buckets.has(name)) forgetFull();
    buckets.set(name, {turns: turns - 1, at: now()});
    return undefined;
  };
}
